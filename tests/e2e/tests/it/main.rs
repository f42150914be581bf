//! The built program, driven from outside: what it promises to those who run it.

#![cfg(test)]

/// Makes a test on each store of every promise that is named.
macro_rules! on_each_store {
    ($($promise:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::$promise(koinon_e2e::Store::Sqlite).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::$promise(koinon_e2e::Store::Postgres).await;
            })*
        }
    };
}

mod budget;
mod chaos;
mod clock;
mod control;
mod corrupt;
mod crash;
mod cuts;
mod finish;
mod idle;
mod inputs;
mod interrupt;
mod invalid;
mod kill;
mod kit_worker;
mod lost;
mod outage;
mod pooler;
mod price;
mod refusal;
mod retention;
mod running;
mod schedule;
#[cfg(can_mount)]
mod space;
mod text;
mod together;
mod upgrade;
mod worker;
