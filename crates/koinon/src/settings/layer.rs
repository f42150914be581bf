//! One source of values.

use figment::value::{Dict, Empty, Map, Num, Tag, Value};
use figment::{Metadata, Profile, Provider};
use toml::Table;

use super::Error;

/// What the names of all variables begin with, in any case.
const PREFIX: &str = "koinon_";

/// Variables that programs read by themselves; they are no configuration.
const NOT_KEYS: [&str; 2] = ["process_role", "log"];

/// Variables whose names are older than the rule for names, and what they set.
const NAMED_OTHERWISE: [(&str, [&str; 2]); 2] = [
    ("knowledge_bulk_worker_enabled", ["knowledge", "bulk_worker_enabled"]),
    ("knowledge_bulk_query_worker_enabled", ["knowledge", "bulk_query_worker_enabled"]),
];

/// The values of one source, and how people call it.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    pub(super) name: String,
    values: Dict,
    pub(super) origin: Place,
}

/// Where a layer comes from, as far as secrets go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A file, where no secret may stand.
    File,
    /// The environment or the command line.
    Process,
}

/// A value and the path to it.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) path: Vec<String>,
    pub(super) value: Value,
}

impl Layer {
    /// The values of a file.
    pub(super) fn file(name: String, text: &str) -> Result<Self, Error> {
        match toml::from_str::<Table>(text) {
            Ok(table) => Ok(Self { name, values: dict(table), origin: Place::File }),
            Err(error) => {
                // What the parser shows of the line could be a secret, so only the place is told.
                let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or(text);
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                let problem = error.message().lines().next().unwrap_or_default().to_owned();
                Err(Error::NotToml { path: name, line, column, problem })
            }
        }
    }

    /// The value of an environment variable, if its name says that it is one of ours. `text` is `None`
    /// where its bytes are no text.
    pub(super) fn variable(name: &str, text: Option<&str>) -> Option<Self> {
        let rest = name.get(PREFIX.len()..)?.to_lowercase();
        let ours = name.get(..PREFIX.len())?.eq_ignore_ascii_case(PREFIX);
        if !ours || NOT_KEYS.contains(&rest.as_str()) {
            return None;
        }
        let path: Vec<_> = match NAMED_OTHERWISE.iter().find(|(name, _)| *name == rest) {
            Some((_, path)) => path.to_vec(),
            None => rest.split("__").collect(),
        };
        let value = text.map_or(Value::Empty(Tag::Default, Empty::None), value_of_text);
        let name = format!("environment {name}");
        Some(Self { name, values: nest(&path, value), origin: Place::Process })
    }

    /// The value of a flag.
    pub(super) fn flag(name: &str, path: &[&str], text: &str) -> Self {
        let value = Value::String(Tag::Default, text.to_owned());
        let name = format!("flag {name}");
        Self { name, values: nest(path, value), origin: Place::Process }
    }

    /// Its values.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        leaves(&self.values)
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

/// All values below a table. An empty table counts as a value, since its name may be wrong too.
pub(super) fn leaves(values: &Dict) -> Vec<Leaf> {
    let mut found = Vec::new();
    for (name, value) in values {
        match value {
            Value::Dict(_, below) if !below.is_empty() => {
                found.extend(leaves(below).into_iter().map(|mut leaf| {
                    leaf.path.insert(0, name.clone());
                    leaf
                }));
            }
            _ => found.push(Leaf { path: vec![name.clone()], value: value.clone() }),
        }
    }
    found
}

fn nest(path: &[&str], value: Value) -> Dict {
    match path {
        [] => Dict::new(),
        [last] => Dict::from([((*last).to_owned(), value)]),
        [first, rest @ ..] => {
            let below = Value::Dict(Tag::Default, nest(rest, value));
            Dict::from([((*first).to_owned(), below)])
        }
    }
}

fn dict(table: Table) -> Dict {
    table.into_iter().map(|(name, value)| (name, value_of(value))).collect()
}

/// A variable has no types, so whatever reads like a number or a switch is one.
fn value_of_text(text: &str) -> Value {
    match (text, text.parse::<i64>()) {
        ("true", _) => Value::Bool(Tag::Default, true),
        ("false", _) => Value::Bool(Tag::Default, false),
        (_, Ok(number)) => Value::Num(Tag::Default, Num::I64(number)),
        _ => Value::String(Tag::Default, text.to_owned()),
    }
}

fn value_of(value: toml::Value) -> Value {
    let tag = Tag::Default;
    match value {
        toml::Value::String(text) => Value::String(tag, text),
        toml::Value::Integer(number) => Value::Num(tag, Num::I64(number)),
        toml::Value::Float(number) => Value::Num(tag, Num::F64(number)),
        toml::Value::Boolean(on) => Value::Bool(tag, on),
        // No key takes one of these, so only their type has to be kept.
        toml::Value::Datetime(_) => Value::Empty(tag, Empty::Unit),
        toml::Value::Array(_) => Value::Array(tag, Vec::new()),
        toml::Value::Table(table) => Value::Dict(tag, dict(table)),
    }
}
