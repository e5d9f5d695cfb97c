//! Crescendo.
