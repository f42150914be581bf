//! Rust files as tokens: comments are gone, strings and names are told apart, and the parts that
//! are compiled for tests only are marked.

mod flatten;

use proc_macro2::TokenStream;

use crate::problem::Problem;
use crate::tree::File;

/// The tokens of one file.
#[derive(Debug)]
pub(crate) struct Source {
    tokens: Vec<Token>,
    refused: Option<Problem>,
}

/// One token; the two halves of a pair of brackets are tokens of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Where it begins, counted from 1.
    pub(crate) line: usize,
    /// Whether it is compiled for tests only.
    pub(crate) of_test: bool,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word(String),
    /// A string literal, as it is written between its quotes.
    Text(String),
    /// A bracket, an operator, or another literal.
    Mark(String),
}

impl Source {
    /// Reads a file; text that is no Rust becomes a problem instead of tokens.
    pub(crate) fn read(file: &File) -> Self {
        match file.text.parse::<TokenStream>() {
            Ok(stream) => Self { tokens: flatten::flatten(stream, is_test(file)), refused: None },
            Err(error) => {
                let line = error.span().start().line;
                let says = format!("cannot be read as Rust: {error}");
                Self { tokens: Vec::new(), refused: Some(Problem::at(&file.path, line, says)) }
            }
        }
    }

    /// Why the file has no tokens, if it could not be read.
    pub(crate) fn refused(&self) -> Option<&Problem> {
        self.refused.as_ref()
    }

    /// The tokens, from top to bottom.
    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The places where the words and marks of a pattern such as `["todo", "!"]` follow each other.
    pub(crate) fn find<'a>(&'a self, pattern: &'a [&str]) -> impl Iterator<Item = &'a Token> {
        let matches = move |window: &&[Token]| {
            window.iter().zip(pattern).all(|(token, expected)| token.spelled() == Some(*expected))
        };
        self.tokens.windows(pattern.len()).filter(matches).filter_map(<[Token]>::first)
    }
}

impl Token {
    /// The word or the mark; nothing for a string.
    pub(crate) fn spelled(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(spelled) | Kind::Mark(spelled) => Some(spelled),
            Kind::Text(_) => None,
        }
    }
}

/// Whether the whole file is compiled for tests only, by its place.
fn is_test(file: &File) -> bool {
    let mut folders = file.path.split('/');
    let name = folders.next_back();
    name == Some("tests.rs") || folders.any(|folder| folder == "tests" || folder == "benches")
}
