//! Instants between the domain's type and `timestamptz`.

use koinon_domain::Timestamp;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef, Postgres};
use sqlx::{Decode, Encode, Type};

/// 2000-01-01T00:00:00Z, from which Postgres counts, in microseconds since 1970.
const ORIGIN: i64 = 946_684_800_000_000;

/// An instant as Postgres sends and receives it: microseconds since 2000, without loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instant(pub(crate) Timestamp);

impl Type<Postgres> for Instant {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("timestamptz")
    }
}

impl PgHasArrayType for Instant {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("_timestamptz")
    }
}

impl Encode<'_, Postgres> for Instant {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let micros = self.0.as_micros().saturating_sub(ORIGIN);
        <i64 as Encode<'_, Postgres>>::encode_by_ref(&micros, buffer)
    }
}

impl<'r> Decode<'r, Postgres> for Instant {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let micros = <i64 as Decode<'r, Postgres>>::decode(value)?;
        Ok(Self(Timestamp::from_micros(micros.saturating_add(ORIGIN))))
    }
}
