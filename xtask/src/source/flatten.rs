//! From the nested tokens of a file to a plain list.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

use super::{Kind, Token};

/// The tokens in reading order, without documentation comments.
pub(super) fn flatten(stream: TokenStream, of_test: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    push_stream(stream, of_test, &mut tokens);
    tokens
}

fn push_stream(stream: TokenStream, of_test: bool, tokens: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    let mut under_cfg_test = false;
    while let Some(tree) = trees.next() {
        let starts_attribute = is_mark(&tree, '#');
        if starts_attribute && trees.peek().is_some_and(is_documentation) {
            trees.next();
            continue;
        }
        under_cfg_test |= starts_attribute && trees.peek().is_some_and(is_cfg_test);
        // The item that `#[cfg(test)]` stands before ends with its block or its semicolon.
        let ends_item = is_mark(&tree, ';') || is_block(&tree);
        push_tree(tree, of_test || under_cfg_test, tokens);
        under_cfg_test &= !ends_item;
    }
}

fn push_tree(tree: TokenTree, of_test: bool, tokens: &mut Vec<Token>) {
    let line = tree.span().start().line;
    match tree {
        TokenTree::Group(group) => push_group(&group, of_test, tokens),
        TokenTree::Ident(ident) => {
            let word = ident.to_string();
            let word = word.strip_prefix("r#").unwrap_or(&word).to_owned();
            tokens.push(Token { kind: Kind::Word(word), line, of_test });
        }
        TokenTree::Punct(punct) => {
            tokens.push(Token { kind: Kind::Mark(punct.as_char().to_string()), line, of_test });
        }
        TokenTree::Literal(literal) => {
            tokens.push(Token { kind: literal_kind(&literal), line, of_test });
        }
    }
}

fn push_group(group: &Group, of_test: bool, tokens: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    let mark = |spelled: &str, line| Token { kind: Kind::Mark(spelled.to_owned()), line, of_test };
    tokens.push(mark(open, group.span_open().start().line));
    push_stream(group.stream(), of_test, tokens);
    tokens.push(mark(close, group.span_close().start().line));
}

fn literal_kind(literal: &Literal) -> Kind {
    let written = literal.to_string();
    let unmarked = written.trim_start_matches(['b', 'c', 'r']).trim_matches('#');
    match unmarked.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(text) => Kind::Text(text.to_owned()),
        None => Kind::Mark(written),
    }
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn is_block(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_documentation(tree: &TokenTree) -> bool {
    attribute_begins_with(tree, "doc")
}

fn is_cfg_test(tree: &TokenTree) -> bool {
    let TokenTree::Group(attribute) = tree else { return false };
    let words = attribute.stream().to_string().replace(char::is_whitespace, "");
    words == "cfg(test)" || words.starts_with("cfg(all(test")
}

fn attribute_begins_with(tree: &TokenTree, word: &str) -> bool {
    let TokenTree::Group(attribute) = tree else { return false };
    let first = attribute.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(ident)) if ident == word)
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Source, Token};
    use crate::tree::File;

    fn read(text: &str) -> Source {
        Source::read(&File { path: "crates/x/src/lib.rs".to_owned(), text: text.to_owned() })
    }

    fn texts<'a>(source: &'a Source) -> Vec<&'a str> {
        let text = |token: &'a Token| match &token.kind {
            Kind::Text(text) => Some(text.as_str()),
            Kind::Word(_) | Kind::Mark(_) => None,
        };
        source.tokens().iter().filter_map(text).collect()
    }

    #[test]
    fn comments_are_gone_and_strings_are_kept() {
        let source = read(
            "/// Says \"doc\".\n// a\nconst A: &str = r#\"raw\"#; /* \"b\" */ const B: &str = \"c\";",
        );
        assert_eq!(texts(&source), ["raw", "c"]);
    }

    #[test]
    fn the_line_of_a_token_is_that_of_the_file() {
        let source = read("fn a() {}\n\nfn b() {\n    todo!()\n}\n");
        let lines: Vec<usize> = source.find(&["todo", "!"]).map(|token| token.line).collect();
        assert_eq!(lines, [4]);
    }

    #[test]
    fn what_follows_a_test_module_is_not_of_the_test() {
        let source = read("#[cfg(test)]\nmod tests { fn inner() {} }\nfn outer() {}\n");
        let of_test = |word| source.find(&[word]).all(|token| token.of_test);
        assert!(of_test("inner"));
        assert!(!of_test("outer"));
    }

    #[test]
    fn text_that_is_no_rust_is_refused_with_its_line() {
        let source = read("fn a() {}\nfn b( {\n");
        assert!(source.refused().is_some());
        assert!(source.tokens().is_empty());
    }
}
