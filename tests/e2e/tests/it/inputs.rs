//! Inputs that are not as they should be.

use std::collections::BTreeSet;

use koinon_e2e::{Audit, Dataset, Ended, Koinon, sentences};
use serde_json::json;

/// Some paragraphs of prose, from that sentence on.
fn prose(from: usize) -> String {
    let sentences: Vec<_> = sentences().skip(from).take(40).collect();
    let paragraphs: Vec<_> = sentences.chunks(5).map(|paragraph| paragraph.join(" ")).collect();
    format!("# Report\n\n{}\n", paragraphs.join("\n\n"))
}

/// Makes a dataset of these inputs with the built-in provider.
async fn dataset_of(koinon: &Koinon, inputs: &[&str], more: &[&str]) -> Ended {
    let args = [&["--json", "run", "dataset"], inputs, &["--out", "out"], more].concat();
    koinon.run(&args).await
}

/// The questions, answers and quotes of the rows that were made from one file.
fn rows_of(koinon: &Koinon, path: &str) -> BTreeSet<String> {
    let rows = Dataset::read(koinon, "out").rows();
    let of_path = rows.into_iter().filter(|row| row.text("path") == path);
    of_path.map(|row| json!([row.value["messages"], row.text("quote")]).to_string()).collect()
}

/// Whether a line of stderr names a file and a place, and says this about it.
fn warns(ended: &Ended, words: &[&str]) -> bool {
    ended.stderr.lines().any(|line| words.iter().all(|word| line.contains(word)))
}

/// Makes a dataset of a good file alone, and of the same file beside a bad one in a folder; holds
/// that the good rows are the same and that a warning has these words.
async fn beside_good(name: &str, bytes: &[u8], warning: &[&str]) -> (Koinon, Ended) {
    beside_good_with(name, bytes, warning, &[]).await
}

async fn beside_good_with(
    name: &str,
    bytes: &[u8],
    warning: &[&str],
    more: &[&str],
) -> (Koinon, Ended) {
    let alone = Koinon::new();
    alone.write("docs/good.md", prose(0));
    let _alone = dataset_of(&alone, &["docs"], more).await.with_code(0);
    let both = Koinon::new();
    both.write("docs/good.md", prose(0));
    both.write(&format!("docs/{name}"), bytes);

    let ended = dataset_of(&both, &["docs"], more).await.with_code(0);

    let words = [&[name], warning].concat();
    assert!(warning.is_empty() || warns(&ended, &words), "no warning has {words:?}: {ended}");
    let good = rows_of(&alone, "good.md");
    assert!(good.len() >= 5, "{good:#?}");
    assert_eq!(rows_of(&both, "good.md"), good, "the good rows are others");
    (both, ended)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_latin_1_table_is_read() {
    let rows = (0..12).map(|n| {
        let sentence = sentences().nth(200 + n).unwrap();
        format!("{n};Caf\u{e9} \u{e0} c\u{f4}t\u{e9};{sentence}\r\n")
    });
    let text = format!("number;place;report\r\n{}", rows.collect::<String>());
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    // Some programs put the mark of UTF-8 before a text that is not UTF-8.
    let marked = [b"\xef\xbb\xbf".as_slice(), &latin].concat();

    let (koinon, _) = beside_good("latin.csv", &marked, &["line 2", "windows-1252"]).await;

    let rows = rows_of(&koinon, "latin.csv");
    assert!(!rows.is_empty(), "no row from the table");
    assert!(
        rows.iter().all(|row| !row.contains('\u{fffd}') && !row.contains("\u{c3}")),
        "{rows:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn utf_16_is_read_and_spans_count_its_bytes() {
    let text = prose(100);
    let bytes: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();

    let (koinon, _) = beside_good("wide.txt", &bytes, &["byte 0", "UTF-16LE"]).await;

    let rows = Dataset::read(&koinon, "out").rows();
    let wide: Vec<_> = rows.iter().filter(|row| row.text("path") == "wide.txt").collect();
    assert!(wide.len() >= 5, "{} rows", wide.len());
    for row in wide {
        assert!(row.text("encoding").contains("UTF-16"), "{}", row.value);
        let span = &row.value["metadata"]["span"];
        let bound = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        let (pairs, rest) = bytes[bound("start")..bound("end")].as_chunks::<2>();
        assert!(rest.is_empty(), "half a character: {}", row.value);
        let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
        let stands_there = String::from_utf16(&units).unwrap();
        let collapsed = stands_there.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(collapsed, row.text("quote"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_line_of_jsonl_is_named_and_the_good_ones_are_kept() {
    let line = |n: usize| {
        json!({"title": "Report", "body": sentences().nth(300 + n).unwrap()}).to_string()
    };
    let lines = [line(0), line(1), "{\"title\": \"Rep".to_owned(), line(3), line(4)];

    let (koinon, _) = beside_good("lines.jsonl", lines.join("\n").as_bytes(), &["line 3"]).await;

    let rows = rows_of(&koinon, "lines.jsonl");
    for n in [0, 1, 3, 4] {
        let sentence = sentences().nth(300 + n).unwrap();
        assert!(rows.iter().any(|row| row.contains(&sentence)), "line {} is lost", n + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn null_characters_are_removed_and_counted() {
    let text = prose(400).replacen("The ", "The\0 ", 3);

    let (koinon, _) =
        beside_good("nulls.md", text.as_bytes(), &["line 3", "removed 3 U+0000"]).await;

    assert!(!rows_of(&koinon, "nulls.md").is_empty());
    assert!(!Dataset::read(&koinon, "out").text().contains("\\u0000"));
    assert!(!Dataset::read(&koinon, "out").text().contains('\0'));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_file_in_a_folder_is_a_warning() {
    beside_good("empty.md", b"", &["empty"]).await;
}

/// Bytes that no text has.
fn binary() -> Vec<u8> {
    let head = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0";
    head.iter()
        .copied()
        .chain((0..4_000_u32).map(|n| n.wrapping_mul(97).to_le_bytes()[0]))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_binary_named_as_text_in_a_folder_is_a_warning() {
    beside_good("program.md", &binary(), &["not text"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_above_the_limit_in_a_folder_is_a_warning() {
    let long = prose(0).repeat(20);
    let limit = ["--set", "max_file_bytes=16KiB"];
    beside_good_with("long.md", long.as_bytes(), &["max_file_bytes"], &limit).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_of_links_in_a_folder_is_a_warning() {
    let koinon = Koinon::new();
    koinon.write("docs/good.md", prose(0));
    std::os::unix::fs::symlink("..", koinon.path("docs/up")).unwrap();
    std::os::unix::fs::symlink("loop", koinon.path("docs/loop")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", koinon.path("docs/outside.md")).unwrap();

    let ended = dataset_of(&koinon, &["docs"], &[]).await.with_code(0);

    for name in ["up", "loop", "outside.md"] {
        assert!(warns(&ended, &[name, "link"]), "no warning about {name}: {ended}");
    }
    let paths: BTreeSet<_> = Dataset::read(&koinon, "out")
        .rows()
        .iter()
        .map(|row| row.text("path").to_owned())
        .collect();
    assert_eq!(paths, BTreeSet::from(["good.md".to_owned()]));
}

/// A job with nothing to work on fails, and says why.
async fn fails_with(koinon: &Koinon, inputs: &[&str], more: &[&str], code: &str) {
    let ended = dataset_of(koinon, inputs, more).await.with_code(1);
    assert_eq!(ended.json()["error_code"], code, "{ended}");
    assert!(ended.stderr.contains(code), "{ended}");
    // The same again comes to the same end.
    assert_eq!(dataset_of(koinon, inputs, more).await.json_with_code(1)["error_code"], code);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_input_that_cannot_be_used_fails_the_job() {
    let koinon = Koinon::new();
    koinon.write("program.md", binary());
    koinon.write("empty.md", "");
    koinon.write("long.md", prose(0).repeat(20));
    koinon.write("nothing/empty.md", "");
    koinon.write("nothing/program.md", binary());
    std::fs::create_dir(koinon.path("bare")).unwrap();

    fails_with(&koinon, &["program.md"], &[], "no_usable_input").await;
    fails_with(&koinon, &["empty.md"], &[], "no_usable_input").await;
    fails_with(&koinon, &["long.md"], &["--set", "max_file_bytes=16KiB"], "no_usable_input").await;
    fails_with(&koinon, &["nothing"], &[], "no_usable_input").await;
    fails_with(&koinon, &["bare"], &[], "no_usable_input").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_files_than_allowed_fail_the_job() {
    let koinon = Koinon::new();
    for number in 0..4 {
        koinon.write(&format!("docs/{number}.md"), prose(number * 40));
    }

    fails_with(&koinon, &["docs"], &["--set", "max_files=3"], "too_many_files").await;
    let _enough = dataset_of(&koinon, &["docs"], &["--set", "max_files=4"]).await.with_code(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_licence_fails_the_job() {
    let koinon = Koinon::new();
    koinon.write("docs/good.md", prose(0));

    let licence = ["--set", "licence=All rights reserved"];
    let ended = dataset_of(&koinon, &["docs"], &licence).await.with_code(1);

    assert!(matches!(
        ended.json()["error_code"].as_str(),
        Some("licence_blocked" | "policy_block")
    ));
}

/// What is wrong with the command itself is told before there is a job.
async fn is_a_usage_error(koinon: &Koinon, args: &[&str], names: &str) {
    let ended = koinon.run(args).await.with_code(2);
    assert!(ended.stderr.contains(names), "{names} is not named: {ended}");
    let is_empty = !koinon.database().exists() || Audit::all(koinon).await.is_empty();
    assert!(is_empty, "a job was made: {ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_wrong_makes_no_job() {
    let koinon = Koinon::new();
    koinon.write("docs/good.md", prose(0));
    koinon.write("file", "text");
    let run = |more: &[&'static str]| [&["--json", "run", "dataset"], more].concat();

    is_a_usage_error(&koinon, &run(&["nowhere.md"]), "nowhere.md").await;
    is_a_usage_error(&koinon, &run(&["docs", "nowhere"]), "nowhere").await;
    is_a_usage_error(&koinon, &run(&["docs", "--out", "file/out"]), "file").await;
    is_a_usage_error(&koinon, &run(&["docs", "--out", "file"]), "file").await;
    // Nobody can make a folder there, whoever runs the test.
    is_a_usage_error(&koinon, &run(&["docs", "--out", "/proc/koinon-out"]), "/proc").await;
    is_a_usage_error(&koinon, &run(&["docs", "--set", "tarjet=3"]), "tarjet").await;
    is_a_usage_error(&koinon, &run(&["docs", "--set", "target"]), "target").await;
    is_a_usage_error(&koinon, &run(&["docs", "--set", "target=-3"]), "target").await;
    is_a_usage_error(&koinon, &run(&["docs", "--provider", "nobody"]), "nobody").await;
    is_a_usage_error(&koinon, &["run", "datasset", "docs"], "datasset").await;
    is_a_usage_error(&koinon, &run(&["docs", "--bugdet-usd", "1"]), "--bugdet-usd").await;
    is_a_usage_error(&koinon, &run(&[]), "no input").await;
}
