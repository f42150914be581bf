//! The programs that measure still work. What they measure is judged by `cargo xtask bench` alone.

mod engine;
