//! The law of all formats: what may be quoted is what stands at its span.

use koinon_domain::Digest;

use super::*;
use crate::dataset::charset::source_text;
use crate::dataset::intake::{Verdict, examine};
use crate::dataset::sources::Source;
use crate::dataset::span::offset;

/// Takes bytes through intake and parse; none when intake refuses them.
fn document(path: &str, bytes: &[u8]) -> Option<Document> {
    let source = Source {
        path: path.to_owned(),
        sha256: Some(Digest::of(bytes).to_string()),
        size_bytes: offset(bytes.len()),
        skipped: None,
    };
    match examine(&source, bytes).verdict {
        Verdict::Accepted(accepted) => Some(parse(&accepted, bytes)),
        Verdict::Skipped(_) => None,
    }
}

fn assert_law(document: &Document, bytes: &[u8]) {
    let mut last = 0;
    for block in &document.blocks {
        assert!(block.span.start >= last, "blocks are in order");
        last = block.span.start;
        for piece in &block.pieces {
            let stands = source_text(bytes, document.encoding, piece.span);
            assert_eq!(stands, block.piece_text(piece));
            assert!(block.span.start <= piece.span.start && piece.span.end <= block.span.end);
            assert_eq!(
                block.span_of(&(piece.start..piece.end), document.encoding),
                Some(piece.span)
            );
        }
    }
}

fn parsed(path: &str, bytes: &[u8]) -> Document {
    let document = document(path, bytes).expect("usable");
    assert_law(&document, bytes);
    document
}

fn texts(document: &Document) -> Vec<&str> {
    document.blocks.iter().map(|block| block.text.as_str()).collect()
}

#[test]
fn markdown_has_headings_lists_tables_and_code() {
    let text = "---\nfront: matter\n---\n# One *big* title\n\nA **bold** line\nwraps.\n\n- first item\n  goes on\n- [ ] second\n  - nested one\n\n  more of second\n\n| a | b |\n|---|---|\n| c d | e |\n\n## Two\n\n> quoted words\n> wrap too\n\n```sh\nls\n```\n<div>html</div>\n";
    let document = parsed("a.md", text.as_bytes());
    assert_eq!(document.title.as_deref(), Some("One *big* title"));
    assert_eq!(
        texts(&document),
        [
            "One *big* title",
            "A **bold** line\nwraps.",
            "first item\n  goes on",
            "second",
            "nested one",
            "more of second",
            "a\n\nb\n\nc d\n\ne\n\n",
            "Two",
            "quoted words wrap too",
            "ls\n"
        ]
    );
    assert_eq!(document.blocks[1].heading_path, ["One big title"]);
    assert_eq!(document.blocks[9].heading_path, ["One big title", "Two"]);
    assert!(document.blocks[5].joined && !document.blocks[4].joined);
}

#[test]
fn html_keeps_text_runs_and_drops_scripts_and_menus() {
    let text = "<!doctype html><html><head><title>T &amp; t</title><style>p{}</style></head><body><nav><a>menu</a></nav><h1>Head</h1><p>One <b>two</b> three. Four &eacute; five.<br>Six.</p><ul><li>item <p>para</p></li></ul><table><tr><td>c1<td>c2</tr></table><script>var x='<p>';</script><pre>code</pre></body>";
    let document = parsed("a.html", text.as_bytes());
    assert_eq!(document.title.as_deref(), Some("T & t"));
    assert_eq!(
        texts(&document),
        ["Head", "One two three. Four é five.\nSix.", "item ", "para", "c1\n\nc2\n\n", "code"]
    );
    assert_eq!(document.blocks[1].pieces.len(), 5);
    assert_eq!(document.blocks[1].heading_path, ["Head"]);
}

#[test]
fn a_latin_1_table_behind_a_utf_8_mark_keeps_every_row() {
    let bytes = b"\xEF\xBB\xBFid;city;note\r\n1;M\xFCnchen;A city in the south of Germany.\r\n2;Lyon\r\n3;\"P\"\"x\"\"\";\"He said \"\"no\"\" to them all. Then he left the room.\"\r\n";
    let document = parsed("a.csv", bytes);
    assert_eq!(document.encoding.name(), "windows-1252");
    assert_eq!(
        texts(&document),
        [
            "A city in the south of Germany.",
            "2;Lyon",
            "He said \"no\" to them all. Then he left the room."
        ]
    );
    assert_eq!(document.warnings[0].place.as_deref(), Some("line 3"));
    assert_eq!(document.blocks[0].heading_path, ["id, city, note"]);
}

#[test]
fn one_bad_json_line_is_named_and_the_others_are_kept() {
    let text = "{\"text\": \"The first record is a good one.\"}\n{\"text\": \n\n{\"id\": 3, \"ok\": true}\n";
    let document = parsed("a.jsonl", text.as_bytes());
    assert_eq!(texts(&document), ["The first record is a good one.", "{\"id\": 3, \"ok\": true}"]);
    assert_eq!(document.warnings.len(), 1);
    assert_eq!(document.warnings[0].place.as_deref(), Some("line 2"));
}

#[test]
fn json_strings_stand_under_their_keys() {
    let text =
        r#"[{"title": "x", "body": {"intro": "This is the first of several words."}}, {"n": 1}]"#;
    let document = parsed("a.json", text.as_bytes());
    assert_eq!(texts(&document), ["This is the first of several words.", "{\"n\": 1}"]);
    assert_eq!(document.blocks[0].heading_path, ["body", "intro"]);
}

#[test]
fn utf_16_text_has_spans_in_its_own_bytes() {
    let bytes: Vec<u8> = "\u{feff}# Größe\n\nEin Satz 😀 steht hier.\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let document = parsed("a.md", &bytes);
    assert_eq!(texts(&document), ["Größe", "Ein Satz 😀 steht hier."]);
}

#[test]
fn plain_text_has_paragraphs_and_items() {
    let document = parsed(
        "a.txt",
        b"One line\nand more.\n\n - item one\n - item two\n   goes on\n\n2024 was\n",
    );
    assert_eq!(
        texts(&document),
        ["One line\nand more.", "item one", "item two\n   goes on", "2024 was"]
    );
}

#[test]
fn hostile_texts_end_soon() {
    const SIZE: usize = 40_000;
    let patterns = [
        "[",
        "(",
        "*",
        "`",
        "<",
        ">",
        "> ",
        "- ",
        "\"",
        "\\",
        "{",
        "|",
        "a,",
        "\n",
        "# ",
        "<a ",
        "<a '",
        "<a \">",
        "<div>",
        "&",
        "&amp;",
        "![",
        "[](",
        "$",
        "~",
        "_a",
        "* a\n",
        "1. a\n",
        "\"a\"\n",
        "\"a,\n",
        ".",
        ". ",
        "a. ",
        "A b c d. ",
        "</",
        "<!--",
        "<script>",
        "{\"a\":",
        "[1,",
        "\\\"",
    ];
    for path in ["a.md", "a.txt", "a.html", "a.csv", "a.json", "a.jsonl"] {
        for pattern in patterns {
            let text = pattern.repeat(SIZE / pattern.len());
            document(path, text.as_bytes());
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_keep_the_law(bytes: Vec<u8>, name in "a\\.(md|csv|json|jsonl|html|txt)") {
        if let Some(document) = document(&name, &bytes) {
            assert_law(&document, &bytes);
        }
    }

    #[test]
    fn any_markup_keeps_the_law(
        text in "(?s)([<>\\[\\]{}()&;:,\"'*_`#|\\\\> \n-]|[a-d]|é|日|<p>|</li>|<li>|<td>|&amp;|\"\"|\n\n|\\. |\\\\u00e9){0,60}",
        name in "a\\.(md|csv|json|jsonl|html|txt)",
        wide: bool,
    ) {
        let bytes: Vec<u8> = if wide {
            "\u{feff}".chars().chain(text.chars()).collect::<String>().encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else {
            text.into_bytes()
        };
        if let Some(document) = document(&name, &bytes) {
            assert_law(&document, &bytes);
        }
    }
}
