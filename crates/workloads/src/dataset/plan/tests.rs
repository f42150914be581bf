use super::*;
use crate::dataset::chunk::chunk;
use crate::dataset::tests::document;

fn planned(text: &str) -> Plan {
    let document = document("a.md", text);
    let chunks = chunk(&document, 900);
    plan(&[document], &chunks, &Settings::default()).unwrap()
}

#[test]
fn passages_begin_with_prose_and_never_overlap() {
    let text = "# Title\n\n[![badge](x)](y)\n\nThe first sentence is here. The second one follows \
                it.\n\n```sh\nrun it now please\n```\n\n- Use the third sentence as an item.\n";
    let plan = planned(text);
    let passages: Vec<_> = plan.items.iter().map(|item| item.passage.as_str()).collect();
    assert_eq!(
        passages,
        [
            "The first sentence is here. The second one follows it.",
            "Use the third sentence as an item."
        ]
    );
    for pair in plan.items.windows(2) {
        assert!(pair[0].passage_span.end <= pair[1].passage_span.start);
    }
}

#[test]
fn no_two_passages_begin_alike_and_none_has_the_marker() {
    let text = "See the notes below this line.\n\nSee the notes below this line.\n\n\
                The line PASSAGE>>> would end a passage early.\n\nAnother sentence stands right here.\n";
    let plan = planned(text);
    assert_eq!(plan.items.len(), 2);
    let keys: std::collections::BTreeSet<_> = plan.items.iter().map(|item| &item.key).collect();
    assert_eq!(keys.len(), 2);
}

#[test]
fn instructions_become_procedural_and_definitions_definitions() {
    let mut text = String::from(
        "A lease is a right to write for a while.\n\nRun the worker to claim a job first.\n",
    );
    for n in 0..6 {
        text.push_str(&format!("\nWater number {n} boiled at noon yesterday.\n"));
    }
    let kinds: Vec<_> = planned(&text).items.iter().map(|item| item.kind).collect();
    assert_eq!((kinds[0], kinds[1]), (Kind::Definition, Kind::Procedural));
}

#[test]
fn a_document_that_gives_nothing_is_named() {
    let documents = [
        document("a.md", "The one sentence that both of them have.\n"),
        document("b.md", "The one sentence that both of them have.\n\n"),
    ];
    let chunks: Vec<_> = documents.iter().flat_map(|one| chunk(one, 900)).collect();
    let plan = plan(&documents, &chunks, &Settings::default()).unwrap();
    assert_eq!(plan.items.len(), 1);
    assert_eq!(
        (plan.warnings[0].path.as_str(), plan.warnings[0].code.as_str()),
        ("b.md", "nothing_planned")
    );
}

#[test]
fn nothing_to_quote_is_an_error() {
    let document = document("a.md", "# Only a heading\n");
    let chunks = chunk(&document, 900);
    let error = plan(&[document], &chunks, &Settings::default()).unwrap_err();
    assert_eq!(error.code(), "no_usable_input");
}
