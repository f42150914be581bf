//! The stages one after the other, with a model that copies; and what their tests start from.

use std::collections::BTreeSet;

use koinon_domain::Digest;
use serde_json::Value;

use super::answer::{self, Draft};
use super::charset::{Charset, source_text};
use super::document::Document;
use super::export::{Dataset, OutputFile, export};
use super::intake::{self, Verdict};
use super::plan::{PlannedItem, Split, plan};
use super::row::Candidate;
use super::settings::{Kind, Settings};
use super::sources::Source;
use super::span::{Span, offset};
use super::text::{collapse_whitespace, sentences};
use super::version::{Model, version};
use super::{chunk, dedup, parse, prompts, quality, validate};

/// An item whose passage stands at byte 100 of its document.
pub(super) fn item(passage: &str) -> PlannedItem {
    PlannedItem {
        key: "0001-00000000-1".to_owned(),
        kind: Kind::Factual,
        split: Split::Train,
        path: "a.md".to_owned(),
        source_sha256: Digest::of(b"a").to_string(),
        encoding: Charset::UTF_8,
        chunk: Digest::of(b"chunk").to_string(),
        heading_path: vec!["Setup".to_owned(), "Keys".to_owned()],
        passage: passage.to_owned(),
        passage_span: Span::new(100, 100 + offset(passage.len())),
    }
}

pub(super) fn candidate(passage: &str, answer: &str, quote: &str) -> Candidate {
    let draft = Draft {
        question: "What does it say?".to_owned(),
        answer: answer.to_owned(),
        quote: quote.to_owned(),
    };
    Candidate { item: item(passage), draft, call: Digest::of(b"call").to_string() }
}

fn source(path: &str, bytes: &[u8]) -> Source {
    Source {
        path: path.to_owned(),
        sha256: Some(Digest::of(bytes).to_string()),
        size_bytes: offset(bytes.len()),
        skipped: None,
    }
}

/// The document that a text is parsed into.
pub(super) fn document(path: &str, text: &str) -> Document {
    match intake::examine(&source(path, text.as_bytes()), text.as_bytes()).verdict {
        Verdict::Accepted(accepted) => parse::parse(&accepted, text.as_bytes()),
        Verdict::Skipped(skipped) => panic!("{path} is skipped: {:?}", skipped.reason),
    }
}

/// What a server that copies the passage's first sentence answers to a prompt.
fn copying_model(user: &str) -> String {
    let (_, passage) = user.rsplit_once("<<<PASSAGE\n").unwrap();
    let passage = passage.strip_suffix("\nPASSAGE>>>").unwrap();
    let first = passage[sentences(passage)[0].clone()].to_owned();
    serde_json::json!({"question": "What?", "answer": first, "quote": first}).to_string()
}

type Files = [(&'static str, Vec<u8>)];

/// All stages, with every result stored and read again as a job does.
fn pipeline(files: &Files, settings: &Settings) -> Vec<OutputFile> {
    let findings = files.iter().map(|(path, bytes)| intake::examine(&source(path, bytes), bytes));
    let intake = stored(&intake::admit(findings, settings.max_files).unwrap());
    let documents: Vec<Document> = intake
        .accepted
        .iter()
        .map(|accepted| {
            let (_, bytes) = files.iter().find(|(path, _)| *path == accepted.path).unwrap();
            stored(&parse::parse(accepted, bytes))
        })
        .collect();
    parse::require_text(&documents).unwrap();
    let chunks: Vec<_> = documents
        .iter()
        .flat_map(|document| chunk::chunk(document, settings.chunk_tokens))
        .collect();
    let plan = stored(&plan(&documents, &stored(&chunks), settings).unwrap());
    let candidates = plan
        .items
        .iter()
        .map(|item| {
            let text = copying_model(&prompts::prompt(item).user);
            let draft = answer::read(&text).unwrap();
            Candidate {
                item: item.clone(),
                draft,
                call: Digest::of(item.key.as_bytes()).to_string(),
            }
        })
        .collect();
    let validated = stored(&validate::validate(candidates));
    let scored = stored(&quality::quality(validated.kept));
    let unique = stored(&dedup::dedup(scored.kept, &settings.mix));
    let quarantined = [validated.quarantined, scored.quarantined, unique.quarantined].concat();
    let model = Model { provider: "copy".to_owned(), model: "first-sentence".to_owned() };
    let mut warnings = intake.warnings.clone();
    warnings.extend(documents.iter().flat_map(|document| document.warnings.clone()));
    warnings.extend(plan.warnings.clone());
    let files = export(&Dataset {
        version: &version(&intake.accepted, settings, &model),
        settings,
        model: &model,
        sources: &intake.accepted,
        skipped: &intake.skipped,
        documents: &plan.documents,
        rows: &unique.kept,
        quarantined: &quarantined,
        warnings: &warnings,
    });
    files.unwrap()
}

fn stored<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn lines(files: &[OutputFile], name: &str) -> Vec<Value> {
    let file = files.iter().find(|file| file.name == name).unwrap();
    let text = std::str::from_utf8(&file.bytes).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn rows(files: &[OutputFile]) -> Vec<Value> {
    ["train.jsonl", "validation.jsonl", "test.jsonl"]
        .iter()
        .flat_map(|name| lines(files, name))
        .collect()
}

/// The law of the dataset: each row's quote is what stands at its span, and the answer is in it.
fn assert_traceable(files: &Files, output: &[OutputFile]) {
    let mut calls = BTreeSet::new();
    for row in rows(output) {
        let metadata = &row["metadata"];
        let (_, bytes) = files.iter().find(|(path, _)| metadata["path"] == *path).unwrap();
        assert_eq!(metadata["source_sha256"], Digest::of(bytes).to_string());
        let charset: Charset = serde_json::from_value(metadata["encoding"].clone()).unwrap();
        let span: Span = serde_json::from_value(metadata["span"].clone()).unwrap();
        let quote = metadata["quote"].as_str().unwrap();
        assert_eq!(collapse_whitespace(&source_text(bytes, charset, span)), quote);
        assert!(
            quote.contains(&collapse_whitespace(row["messages"][1]["content"].as_str().unwrap()))
        );
        assert!(calls.insert(metadata["call"].to_string()));
    }
}

/// Words of prose, all sentences different.
fn prose(words: usize, seed: usize) -> String {
    const NOUNS: [&str; 12] = [
        "worker",
        "lease",
        "ledger",
        "budget",
        "stage",
        "checkpoint",
        "queue",
        "provider",
        "tenant",
        "artifact",
        "manifest",
        "callback",
    ];
    const VERBS: [&str; 7] =
        ["stores", "guards", "names", "moves", "follows", "replaces", "measures"];
    let mut text = String::new();
    let mut count = 0;
    for n in seed.. {
        let (a, b, c) = (NOUNS[n % 12], NOUNS[(n / 3 + 5) % 12], NOUNS[(n * 5 / 7 + 2) % 12]);
        let verb = VERBS[n % 7];
        let end = if n % 6 == 5 { "\n\n" } else { "\n" };
        text.push_str(&format!(
            "Every {a} number {n} {verb} the {b} of its own, so that no {c} is ever lost in case {}.{end}",
            n * 31
        ));
        count += 21;
        if count >= words {
            break;
        }
    }
    text
}

#[test]
fn ordinary_prose_yields_at_least_twenty_rows_of_three_thousand_words() {
    let files = [("a.md", format!("# Title\n\n{}", prose(3000, 0)).into_bytes())];
    let output = pipeline(&files, &Settings::default());
    assert_traceable(&files, &output);
    let count = lines(&output, "train.jsonl").len();
    assert!((25..=60).contains(&count), "{count}");
}

#[test]
fn a_target_is_met_and_one_above_the_yield_is_capped_with_a_warning() {
    let files = [("a.md", prose(5000, 0).into_bytes()), ("b.txt", prose(2000, 9000).into_bytes())];
    let target = |target| Settings { target: Some(target), ..Settings::default() };
    let output = pipeline(&files, &target(200));
    assert_traceable(&files, &output);
    assert_eq!(rows(&output).len() + lines(&output, "quarantine.jsonl").len(), 200);
    let output = pipeline(&files, &target(100_000));
    let card = output.iter().find(|file| file.name == "card.md").unwrap();
    assert!(String::from_utf8_lossy(&card.bytes).contains("100000 examples are wanted"));
}

#[test]
fn every_format_and_encoding_yields_traceable_rows() {
    let html = "<!doctype html><html><body><h1>H</h1><p>The first worker claims a job and <b>keeps</b> it. \
        It renews the lease every fifteen seconds without fail.</p><ul><li>Use the second queue for \
        callbacks &amp; more. The third queue is for bulk work only.</li></ul></body></html>";
    let utf16: Vec<u8> =
        "\u{feff}Größe ist hier alles, sagt der erste Satz. Der zweite Satz sagt 😀 etwas anderes."
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
    let files = [
        ("a.html", html.as_bytes().to_vec()),
        ("b.txt", utf16),
        ("c.csv", b"\xEF\xBB\xBFid,city,note\n1,M\xFCnchen,Munich is a city in the south of Germany.\n2,Lyon,short\n3,Caf\xE9\n".to_vec()),
        ("d.jsonl", b"{\"t\": \"The fourth file has one record on each line.\"}\nbroken\n{\"id\": 7, \"name\": \"seven\"}\n".to_vec()),
        ("e.json", br#"{"k": ["An escape \u00e9 stands in this one here.", "No escape stands in this other sentence."]}"#.to_vec()),
        ("f.md", b"# A\n\nNuls are re\0moved from this sentence. The next sentence has none of them at all.\n".to_vec()),
    ];
    let output = pipeline(&files, &Settings::default());
    assert_traceable(&files, &output);
    let paths: BTreeSet<_> =
        rows(&output).iter().map(|row| row["metadata"]["path"].to_string()).collect();
    assert_eq!(paths.len(), files.len(), "{paths:?}");
    let quotes: Vec<_> =
        rows(&output).iter().map(|row| row["metadata"]["quote"].to_string()).collect();
    assert!(quotes.iter().any(|quote| quote.contains("Munich is a city")), "{quotes:?}");
    let card = output.iter().find(|file| file.name == "card.md").unwrap();
    let card = String::from_utf8_lossy(&card.bytes);
    for remark in [
        "c.csv, line 2, byte 19",
        "c.csv, line 4",
        "d.jsonl, line 2",
        "f.md, line 3, byte 16",
        "b.txt, byte 0",
    ] {
        assert!(card.contains(remark), "{remark} is not in {card}");
    }
}

#[test]
fn the_same_inputs_give_the_same_bytes_and_all_files_exist() {
    let files = [("a.md", prose(800, 0).into_bytes()), ("b.md", prose(400, 5000).into_bytes())];
    let output = pipeline(&files, &Settings::default());
    assert_eq!(output, pipeline(&files, &Settings { concurrency: 16, ..Settings::default() }));
    let names: Vec<_> = output.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "train.jsonl",
            "validation.jsonl",
            "test.jsonl",
            "quarantine.jsonl",
            "card.md",
            "manifest.json"
        ]
    );
    assert!(output[1].bytes.is_empty(), "two documents leave validation empty");
    assert!(!output[2].bytes.is_empty());
    let manifest: Value = serde_json::from_slice(&output[5].bytes).unwrap();
    for (listed, file) in manifest["files"].as_array().unwrap().iter().zip(&output) {
        assert_eq!(listed["sha256"], Digest::of(&file.bytes).to_string());
    }
}

#[test]
fn a_row_has_exactly_the_agreed_keys() {
    let files = [("a.md", prose(200, 0).into_bytes())];
    let row = rows(&pipeline(&files, &Settings::default())).remove(0);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&row), ["messages", "metadata"]);
    let expected = [
        "call",
        "chunk",
        "encoding",
        "heading_path",
        "kind",
        "path",
        "quote",
        "score",
        "source_sha256",
        "span",
        "split",
    ];
    let mut found = keys(&row["metadata"]);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn copies_of_a_document_are_used_once() {
    let text = prose(400, 0).into_bytes();
    let one = pipeline(&[("a.md", text.clone())], &Settings::default());
    let two = pipeline(&[("a.md", text.clone()), ("b.md", text)], &Settings::default());
    assert_eq!(rows(&one).len(), rows(&two).len());
}

#[test]
fn mixed_kinds_are_all_there() {
    let files = [("a.md", prose(3000, 0).into_bytes())];
    let output = pipeline(&files, &Settings::default());
    let kinds: BTreeSet<_> =
        rows(&output).iter().map(|row| row["metadata"]["kind"].to_string()).collect();
    assert_eq!(kinds.len(), 3);
}

#[test]
fn megabytes_of_each_kind_are_planned_soon() {
    let prose = prose(60_000, 0);
    let one_line = prose.replace('\n', " ");
    let latin =
        encoding_rs::WINDOWS_1252.encode(&one_line.replace("worker", "wörker")).0.into_owned();
    for (path, bytes) in [
        ("a.md", prose.clone().into_bytes()),
        ("a.txt", one_line.clone().into_bytes()),
        ("latin.txt", latin),
        ("a.html", format!("<!doctype html><p>{one_line}</p>").into_bytes()),
        ("a.csv", prose.replace(", ", ",").into_bytes()),
        ("a.json", serde_json::to_vec(&one_line).unwrap()),
    ] {
        let document = match intake::examine(&source(path, &bytes), &bytes).verdict {
            Verdict::Accepted(accepted) => parse::parse(&accepted, &bytes),
            Verdict::Skipped(skipped) => panic!("{path}: {:?}", skipped.reason),
        };
        let chunks = chunk::chunk(&document, 900);
        assert!(
            plan(&[document], &chunks, &Settings::default()).unwrap().items.len() > 200,
            "{path}"
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn any_files_give_traceable_rows(
        one in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200),
        two in "([A-Za-zé.,;:<>/*`|#&\"\\\\ \n-]{0,20}(word here and there now\\. )?){0,12}",
        three in "([a-z]{1,6},){2}[a-z]{1,5}\n(([a-zé \"]{0,20},){2}[a-z. ]{0,30}\n){0,8}",
    ) {
        let sure = b"The last file has a sentence that can always be used.".to_vec();
        let files = [("a.txt", one), ("b.md", two.clone().into_bytes()), ("b.html", two.into_bytes()), ("c.csv", three.into_bytes()), ("z.txt", sure)];
        assert_traceable(&files, &pipeline(&files, &Settings::default()));
    }
}
