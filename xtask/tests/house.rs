//! The house rules, on trees that break them one at a time.

#[cfg(test)]
mod house {
    mod arrows;
    mod schema;
    mod tidy;
    mod workspace;

    pub(crate) mod tree;
}
