//! The solver against brute force, the golden data and itself.

#[path = "solver/asking.rs"]
mod asking;
#[path = "solver/golden.rs"]
mod golden;
#[path = "solver/random.rs"]
mod random;
#[path = "../reference/mod.rs"]
mod reference;
#[path = "solver/support.rs"]
mod support;
