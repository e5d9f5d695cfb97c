//! Puzzles: mined, proved again without the solver, rated, judged, and their files in any state.

#[path = "puzzles/brute.rs"]
mod brute;
#[path = "puzzles/files.rs"]
mod files;
#[path = "puzzles/judging.rs"]
mod judging;
#[path = "puzzles/levels.rs"]
mod levels;
#[path = "puzzles/mining.rs"]
mod mining;
#[path = "puzzles/planted.rs"]
mod planted;
#[path = "puzzles/shipped.rs"]
mod shipped;
