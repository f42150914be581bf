//! Many rows as the arguments of one statement: an array for each column.

use sqlx::{Encode, Postgres, Type};

use crate::tx::Query;

/// Adds one column of some rows.
pub(super) fn each<'q, R, V>(
    query: Query<'q>,
    rows: &'q [R],
    of: impl FnMut(&'q R) -> V,
) -> Query<'q>
where
    Vec<V>: 'q + Encode<'q, Postgres> + Type<Postgres>,
{
    query.bind(rows.iter().map(of).collect::<Vec<V>>())
}
