# Arguments: the program, its folder, its port, its options.
postgres=$1 folder=$2 port=$3
shift 3
data=$folder/data
if [ -d "$folder/disk" ]; then
    cp -a "$folder/data" "$folder/disk/" || exit 91
    data=$folder/disk/data
fi

start() {
    "$postgres" -D "$data" -k '' -p "$port" -c listen_addresses=127.0.0.1 "$@" >>"$folder/log" 2>&1 &
    server=$!
}
stop() {
    kill -QUIT "$server" 2>/dev/null
    wait "$server"
}

start "$@"
while read -r word; do
    case $word in
        start) start "$@" ;;
        stop) stop ;;
        fill) dd if=/dev/zero of="$folder/disk/ballast" bs=8k 2>/dev/null ;;
        free) rm -f "$folder/disk/ballast" ;;
    esac
    echo "$word"
done
stop
rm -rf "$folder"
