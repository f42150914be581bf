//! Finds out whether this machine lets a process make mounts that nobody else sees. The tests that need
//! them exist only where it does.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(can_mount)");
    println!("cargo:rustc-env=MOUNT_NAMESPACE=");
    // As root, or as one who is root in a namespace of their own.
    for namespace in ["unshare --mount", "unshare --map-root-user --mount"] {
        let line = format!("{namespace} mount -t tmpfs tmpfs /mnt");
        if Command::new("sh").args(["-c", &line]).output().is_ok_and(|done| done.status.success()) {
            println!("cargo:rustc-cfg=can_mount");
            println!("cargo:rustc-env=MOUNT_NAMESPACE={namespace}");
            return;
        }
    }
}
