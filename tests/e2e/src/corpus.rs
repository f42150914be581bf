//! Documents of plain English prose, made up and the same in every run.

use std::path::Path;

use crate::seed::Seed;

const SUBJECTS: &[&str] = &[
    "river", "teacher", "engine", "harbour", "garden", "council", "market", "library", "mountain",
    "village", "orchard", "painter", "captain", "bridge", "forest", "kitchen", "museum", "railway",
    "valley", "workshop", "theatre", "lantern", "meadow", "printer",
];
const QUALITIES: &[&str] = &[
    "quiet", "ancient", "narrow", "careful", "golden", "hidden", "broad", "patient", "northern",
    "crowded", "wooden", "gentle", "distant", "famous", "modest", "restless", "silver", "western",
    "humble", "steady",
];
const ACTIONS: &[&str] = &[
    "repairs",
    "measures",
    "follows",
    "protects",
    "describes",
    "supplies",
    "crosses",
    "remembers",
    "collects",
    "borrows",
    "replaces",
    "welcomes",
    "paints",
    "records",
    "studies",
    "surrounds",
    "divides",
    "inspects",
];
const OBJECTS: &[&str] = &[
    "stones",
    "letters",
    "instruments",
    "barrels",
    "windows",
    "machines",
    "blankets",
    "maps",
    "seeds",
    "songs",
    "ropes",
    "mirrors",
    "coins",
    "wheels",
    "candles",
    "baskets",
    "tools",
    "clocks",
    "papers",
    "boats",
];
const PLACES: &[&str] = &[
    "behind the station",
    "near the lake",
    "under the tower",
    "beside the mill",
    "above the square",
    "within the old walls",
    "along the coast",
    "across the plain",
    "around the chapel",
    "below the cliffs",
    "beyond the fields",
    "inside the courtyard",
];
const TIMES: &[&str] = &[
    "every spring",
    "before sunrise",
    "after the harvest",
    "during long winters",
    "on market days",
    "late in autumn",
    "when storms arrive",
    "throughout the summer",
    "at the turn of the year",
    "while others rest",
];

/// So many sentences stand in a paragraph; about ninety tokens, which is one passage.
const SENTENCES_A_PARAGRAPH: usize = 5;

/// So many paragraphs stand in a document.
const PARAGRAPHS_A_DOCUMENT: usize = 10;

/// The endless list of sentences that documents are made of, no two alike.
pub fn sentences() -> impl Iterator<Item = String> {
    let mut seed = Seed::of("corpus");
    (1_u32..).map(move |number| {
        let mut word = |words| seed.pick(words);
        format!(
            "The {} {} of lot {number} {} {} {} {}, {}.",
            word(QUALITIES),
            word(SUBJECTS),
            word(ACTIONS),
            word(QUALITIES),
            word(OBJECTS),
            word(PLACES),
            word(TIMES),
        )
    })
}

/// Writes Markdown documents into `folder` whose text is enough for `items` passages.
pub fn corpus(folder: &Path, items: usize) {
    std::fs::create_dir_all(folder).unwrap();
    let mut sentences = sentences();
    // A few more than that, so that no count depends on how exactly passages are cut.
    let mut left = items + items / 4 + 2;
    let mut number = 1;
    while left > 0 {
        let paragraphs = left.min(PARAGRAPHS_A_DOCUMENT);
        let mut text = format!("# Report {number}\n");
        for _ in 0..paragraphs {
            let paragraph: Vec<_> = sentences.by_ref().take(SENTENCES_A_PARAGRAPH).collect();
            text.push_str(&format!("\n{}\n", paragraph.join(" ")));
        }
        std::fs::write(folder.join(format!("report-{number:03}.md")), text).unwrap();
        left -= paragraphs;
        number += 1;
    }
}
