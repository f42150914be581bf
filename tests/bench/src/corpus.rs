//! Prose with as many distinct passages as a job has items.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const THINGS: [&str; 12] = [
    "harbour", "granary", "lantern", "viaduct", "orchard", "foundry", "archive", "sluice",
    "windmill", "ferry", "quarry", "beacon",
];
const DEEDS: [&str; 10] = [
    "stores", "measures", "carries", "divides", "protects", "records", "repairs", "supplies",
    "signals", "gathers",
];

/// Writes documents with at least `items` passages, and answers their folder.
pub(crate) fn write(folder: &Path, items: usize) -> std::io::Result<PathBuf> {
    let documents = folder.join("documents");
    std::fs::create_dir_all(&documents)?;
    // A passage is made of about a hundred words: five of these paragraphs give at least one.
    for document in 0..items.div_ceil(20) {
        let mut text = format!("# Report {document}\n\n");
        for paragraph in 0..20 {
            sentences(&mut text, document * 20 + paragraph);
        }
        std::fs::write(documents.join(format!("report-{document:04}.md")), text)?;
    }
    Ok(documents)
}

fn sentences(text: &mut String, seed: usize) {
    for at in 0..7 {
        let mixed = seed.wrapping_mul(2_654_435_761).wrapping_add(at * 40_503) >> 3;
        let thing = THINGS[mixed % THINGS.len()];
        let deed = DEEDS[(mixed / 12) % DEEDS.len()];
        let other = THINGS[(mixed / 120) % THINGS.len()];
        let (number, year) = (seed * 7 + at, 1_500 + (mixed / 1_440) % 500);
        // Writing to a string cannot fail.
        let _infallible = write!(
            text,
            "The {thing} of district {number} {deed} what the {other} needed since {year}, and the \
             survey number {seed} describes how. "
        );
    }
    text.push_str("\n\n");
}
