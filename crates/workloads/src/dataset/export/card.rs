//! What the dataset is, for people.

use std::collections::BTreeMap;

use super::Dataset;
use crate::dataset::plan::Split;
use crate::dataset::settings::Kind;

/// How many warnings and left-out inputs the card names.
const LISTED: usize = 100;

/// The card, as Markdown.
pub(super) fn card(dataset: &Dataset<'_>) -> String {
    let sections = [
        heading(dataset),
        rows(dataset),
        sources(dataset),
        left_out(dataset),
        warnings(dataset),
        settings(dataset),
        tracing().to_owned(),
    ];
    let mut card = sections.join("\n");
    while card.contains("\n\n\n") {
        card = card.replace("\n\n\n", "\n\n");
    }
    card
}

fn heading(dataset: &Dataset<'_>) -> String {
    let licence = dataset.settings.licence.as_deref().unwrap_or("not declared");
    format!(
        "# Dataset card\n\nQuestions and answers made from {} source document(s). Each answer is \
         supported by a quote that stands in its source.\n\n- Version: `{}`\n- Provider and model: \
         {} / {}\n- Licence of the sources, as declared: {}\n",
        dataset.sources.len(),
        dataset.version,
        cell(&dataset.model.provider),
        cell(&dataset.model.model),
        cell(licence),
    )
}

fn rows(dataset: &Dataset<'_>) -> String {
    let mut text =
        String::from("## Rows\n\n| kind | train | validation | test |\n|---|---|---|---|\n");
    let count = |kind: Option<Kind>, split| {
        let of_kind = |kind_of: Kind| kind.is_none_or(|kind| kind == kind_of);
        dataset.rows_of(split).filter(|row| of_kind(row.grounded.candidate.item.kind)).count()
    };
    let kinds = Kind::ALL.map(|kind| (kind.name(), Some(kind)));
    for (name, kind) in kinds.into_iter().chain([("all", None)]) {
        let [train, validation, test] = Split::ALL.map(|split| count(kind, split));
        text.push_str(&format!("| {name} | {train} | {validation} | {test} |\n"));
    }
    text
}

fn sources(dataset: &Dataset<'_>) -> String {
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    for row in dataset.rows {
        *used.entry(row.grounded.candidate.item.path.as_str()).or_default() += 1;
    }
    let splits: BTreeMap<&str, Split> =
        dataset.documents.iter().map(|one| (one.path.as_str(), one.split)).collect();
    let mut text = String::from(
        "## Sources\n\n| path | type | encoding | bytes | split | rows | SHA-256 |\n|---|---|---|---|---|---|---|\n",
    );
    for source in dataset.sources {
        let path = source.path.as_str();
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | `{}` |\n",
            cell(path),
            source.media_type.name(),
            source.encoding.name(),
            source.size_bytes,
            splits.get(path).map_or("-", |split| split.name()),
            used.get(path).copied().unwrap_or(0),
            source.sha256,
        ));
    }
    text
}

fn left_out(dataset: &Dataset<'_>) -> String {
    let mut text = String::from("## Left out\n\n");
    let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for entry in dataset.quarantined {
        *reasons.entry((entry.stage.as_str(), entry.reason.as_str())).or_default() += 1;
    }
    if reasons.is_empty() {
        text.push_str("No example was put aside.\n");
    } else {
        text.push_str("| stage | reason | examples |\n|---|---|---|\n");
        for ((stage, reason), count) in reasons {
            text.push_str(&format!("| {stage} | {reason} | {count} |\n"));
        }
    }
    let skipped = dataset
        .skipped
        .iter()
        .map(|skipped| format!("- {}: {}\n", cell(&skipped.path), skipped.reason.message()));
    text.push('\n');
    text.push_str(&listed(skipped));
    text
}

fn warnings(dataset: &Dataset<'_>) -> String {
    if dataset.warnings.is_empty() {
        return "## Warnings\n\nNone.\n".to_owned();
    }
    let lines = dataset.warnings.iter().map(|warning| format!("- {}\n", cell(&warning.line())));
    format!("## Warnings\n\n{}", listed(lines))
}

fn settings(dataset: &Dataset<'_>) -> String {
    let mut text = String::from("## Settings\n\n| setting | value |\n|---|---|\n");
    for (key, value) in dataset.settings.identity() {
        text.push_str(&format!("| {key} | {} |\n", cell(&value)));
    }
    text
}

const fn tracing() -> &'static str {
    "## Tracing a row\n\nOf each row, `metadata.source_sha256` names the source file and `span` the half-open range of \
     its bytes, before decoding, where the quote stands: decode that range with `encoding`, make each run of \
     white space one space, and it is `quote`. `chunk` names the part of the document that the example was planned from, \
     `call` the request that was answered, `score` the result of the checks. What was left out is in \
     `quarantine.jsonl` with stage and reason.\n"
}

/// The first lines, and how many more there are.
fn listed(lines: impl ExactSizeIterator<Item = String>) -> String {
    let more = lines.len().saturating_sub(LISTED);
    let mut text: String = lines.take(LISTED).collect();
    if more > 0 {
        text.push_str(&format!("- and {more} more\n"));
    }
    text
}

/// Text that can break neither a table nor a list.
fn cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '`' | '*' | '_' | '[' | ']' | '<' | '\\' => safe.extend(['\\', c]),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
