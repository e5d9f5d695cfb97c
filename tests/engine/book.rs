//! The opening book: what is known of the first turns, the shipped books, how one is made, and how the engine plays from it.

#[path = "book/facts.rs"]
mod facts;
#[path = "book/making.rs"]
mod making;
#[path = "book/playing.rs"]
mod playing;
