//! The built program, driven from outside: what it promises to those who run it.

#![cfg(test)]

mod budget;
mod control;
mod crash;
mod finish;
mod inputs;
mod interrupt;
mod invalid;
mod kill;
mod kit_worker;
mod price;
mod refusal;
#[cfg(can_mount)]
mod space;
mod together;
