//! Changes to an input, from a single bit to a mebibyte of the same word.

use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// Inputs are cut to this, but for the rare giants.
const LENGTH: usize = 16_384;
const GIANT: usize = 1 << 20;

/// Bytes that mean something in one of the languages, or in none.
const BYTES: &[u8] = b" \t\r\n,.-+#!?=*/\\\"{}()[];:$%<>@_0123456789abcdefghKQRBNPkqrbnpxXoOwm\0\x7f\x80\xc3\xff";

/// Some changes to `parent`; `pool` gives parts to mix in, `words` what the language is made of.
pub(crate) fn mutate(parent: &[u8], pool: &[Vec<u8>], words: &[&str], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut input = parent.to_vec();
    for _ in 0..rng.random_range(1..=5) {
        change(&mut input, pool, words, rng);
    }
    input.truncate(LENGTH);
    if rng.random_ratio(1, 2_000) {
        grow(&mut input, words, rng);
    }
    input
}

fn change(input: &mut Vec<u8>, pool: &[Vec<u8>], words: &[&str], rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..=input.len());
    let part = random_part(input, rng);
    let word = words.choose(rng).copied().unwrap_or_default().as_bytes();
    match rng.random_range(0..12) {
        0 if at < input.len() => input[at] ^= 1 << rng.random_range(0..8),
        1 if at < input.len() => input[at] = *BYTES.choose(rng).unwrap_or(&b' '),
        2 => input.insert(at, *BYTES.choose(rng).unwrap_or(&b' ')),
        3 => drop(input.drain(part)),
        4 => {
            let copy = input[part].to_vec();
            input.splice(at..at, copy);
        }
        5 => drop(input.splice(at..at, word.iter().copied())),
        6 => drop(input.splice(part, word.iter().copied())),
        7 => {
            let other = pool.choose(rng).map_or(&[][..], Vec::as_slice);
            let other = &other[random_part(other, rng)];
            input.splice(at..at, other.iter().copied());
        }
        8 => input.truncate(at),
        9 => replace_word(input, word, rng),
        10 => swap_words(input, rng),
        _ => replace_number(input, rng),
    }
}

fn random_part(input: &[u8], rng: &mut ChaCha8Rng) -> std::ops::Range<usize> {
    let start = rng.random_range(0..=input.len());
    let most = if rng.random_bool(0.8) { 12 } else { input.len() };
    start..rng.random_range(start..=input.len().min(start + most))
}

/// Where the words are: runs without blanks and commas.
fn words_of(input: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, byte) in input.iter().chain(b" ").enumerate() {
        if matches!(byte, b' ' | b'\n' | b',' | b'\t') {
            if at > start {
                found.push(start..at);
            }
            start = at + 1;
        }
    }
    found
}

fn replace_word(input: &mut Vec<u8>, word: &[u8], rng: &mut ChaCha8Rng) {
    if let Some(range) = words_of(input).choose(rng) {
        input.splice(range.clone(), word.iter().copied());
    }
}

fn swap_words(input: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let found = words_of(input);
    let (Some(from), Some(to)) = (found.choose(rng), found.choose(rng)) else { return };
    let word = input[from.clone()].to_vec();
    input.splice(to.clone(), word);
}

/// Puts a number that is likely to be at some limit in place of one in the text.
fn replace_number(input: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    const NUMBERS: [&str; 14] =
        ["0", "1", "2", "9", "10", "11", "100", "101", "127", "255", "256", "65536", "-1", "99999999999999999999"];
    let digits: Vec<usize> = (0..input.len()).filter(|&at| input[at].is_ascii_digit()).collect();
    if let (Some(&at), Some(number)) = (digits.choose(rng), NUMBERS.choose(rng)) {
        input.splice(at..=at, number.bytes());
    }
}

/// Repeats a part or a word up to a mebibyte: whatever is not linear shows now.
fn grow(input: &mut Vec<u8>, words: &[&str], rng: &mut ChaCha8Rng) {
    let part = if rng.random_bool(0.5) {
        input[random_part(input, rng)].to_vec()
    } else {
        words.choose(rng).map_or_else(Vec::new, |word| format!("{word} ").into_bytes())
    };
    if part.is_empty() {
        return;
    }
    let length = rng.random_range(LENGTH..=GIANT);
    let at = rng.random_range(0..=input.len());
    let giant: Vec<u8> = part.iter().copied().cycle().take(length.saturating_sub(input.len())).collect();
    input.splice(at..at, giant);
}
