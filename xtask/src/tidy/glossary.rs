//! The words that the glossary refuses.

use crate::problem::Problem;
use crate::tree::{File, Tree};

const PAGE: &str = "docs/glossary.md";
const HOW: &str = "the table of words has the columns `word`, `meaning` and `not`, and each cell of \
                   the last one holds names in backquotes, separated by commas, or `–`";

/// A name that is not used here, and the word that is used instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Forbidden {
    pub(super) name: String,
    pub(super) instead: String,
}

/// Reads the column *not* of the table of words.
pub(super) fn read(tree: &Tree) -> Result<Vec<Forbidden>, Problem> {
    let file =
        tree.file(PAGE).ok_or_else(|| Problem::new(PAGE, "is missing; it defines our words"))?;
    let mut forbidden = Vec::new();
    let mut in_table = false;
    for (line, text) in (1..).zip(file.text.lines()) {
        let cells = cells(text);
        in_table = match cells.as_slice() {
            ["word", "meaning", "not"] => true,
            [] => false,
            _ => in_table,
        };
        if let [word, _, not] = cells.as_slice()
            && in_table
            && *word != "word"
            && !is_rule(word)
        {
            forbidden.extend(names(file, line, not, word)?);
        }
    }
    if forbidden.is_empty() {
        return Err(Problem::new(PAGE, format!("refuses no word: {HOW}")));
    }
    Ok(forbidden)
}

/// The cells of a row of a table, without their white space and emphasis.
fn cells(line: &str) -> Vec<&str> {
    let row = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|'));
    row.into_iter()
        .flat_map(|row| row.split('|'))
        .map(|cell| cell.trim().trim_matches('*'))
        .collect()
}

/// Whether the cell is one of the line between the head of the table and its rows.
fn is_rule(cell: &str) -> bool {
    cell.chars().all(|char| matches!(char, '-' | ':'))
}

fn names(file: &File, line: usize, cell: &str, word: &str) -> Result<Vec<Forbidden>, Problem> {
    if cell == "–" {
        return Ok(Vec::new());
    }
    let name = |part: &str| {
        let name = part.trim().strip_prefix('`')?.strip_suffix('`')?;
        let is_snake = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let forbidden = Forbidden { name: name.to_owned(), instead: word.to_owned() };
        (is_snake && !name.is_empty()).then_some(forbidden)
    };
    let names: Option<Vec<Forbidden>> = cell.split(',').map(name).collect();
    names.ok_or_else(|| Problem::at(&file.path, line, format!("cannot be read: {HOW}")))
}
