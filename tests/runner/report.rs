//! The pages and the stream of events: complete, well formed, self-contained, and with every name escaped.

// Of what starts runs not everything is needed here.
#[allow(dead_code)]
#[path = "engines/support.rs"]
mod support;

mod report {
    mod events;
    mod html;
    mod puzzles;
}
