//! From PGN text to tokens: total, without recursion, and linear in the length of the text.

/// A piece of PGN text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, unescaped. `mended`: the value held quotes that were not escaped.
    Tag { name: &'a str, value: String, mended: bool },
    /// A line that begins like a tag pair and is none.
    BadTag,
    /// `{…}` or `;…`. `open`: the closing brace is missing.
    Comment { text: &'a str, open: bool },
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$n`
    Nag(Option<u8>),
    /// Anything else without blanks: numbers, moves, results.
    Word(&'a str),
    /// A `}` or `]` without its partner.
    Stray(char),
}

/// A token with its surroundings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    pub(super) token: Token<'a>,
    /// The line it begins on, from 1.
    pub(super) line: usize,
    /// Whether it is the first on its line.
    pub(super) begins_line: bool,
    /// Whether an empty line stands before it.
    pub(super) after_gap: bool,
}

/// Cuts a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
    /// No `}` comes any more: spares looking for it again and again.
    no_brace: bool,
}

/// What ends a word. Commas may stand between the moves of a series.
const fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | ',' | '$' | '\u{feff}')
}

const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, at_line_start: true, no_brace: false }
    }

    /// Takes `len` bytes off the text, which end at a character's end.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        self.line += taken.bytes().filter(|&b| b == b'\n').count();
        taken
    }

    /// Takes everything up to the first character that `ends`.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    /// Skips blanks, commas and escaped lines (`%` in the first column); says whether an empty line was among them.
    fn skip_blanks(&mut self) -> bool {
        let mut gap = false;
        loop {
            let blanks = self.take_until(|c| !(c.is_whitespace() || matches!(c, ',' | '\u{feff}')));
            let lines = blanks.bytes().filter(|&b| b == b'\n').count();
            gap |= lines > 1;
            self.at_line_start |= blanks.contains(is_line_end);
            // Only a line end just before makes the column the first.
            let first_column = blanks.ends_with(is_line_end) || blanks.is_empty() && self.at_line_start;
            if first_column && self.rest.starts_with('%') {
                self.take_until(is_line_end);
            } else {
                return gap;
            }
        }
    }

    fn token(&mut self, first: char) -> Token<'a> {
        match first {
            '[' => self.tag(),
            '{' => self.brace_comment(),
            ';' => Token::Comment { text: self.take_until(is_line_end).trim_start_matches(';'), open: false },
            '$' => {
                self.take(1);
                Token::Nag(self.take_until(|c| !c.is_ascii_digit()).parse().ok())
            }
            '(' | ')' | '}' | ']' => {
                self.take(1);
                match first {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    other => Token::Stray(other),
                }
            }
            _ => Token::Word(self.take_until(ends_word)),
        }
    }

    fn brace_comment(&mut self) -> Token<'a> {
        self.take(1);
        let end = if self.no_brace { None } else { self.rest.find('}') };
        if let Some(end) = end {
            let text = self.take(end);
            self.take(1);
            return Token::Comment { text, open: false };
        }
        // Without an end the comment may not swallow the games that follow: it goes to the next tag section.
        self.no_brace = true;
        let end = self.rest.find("\n[").unwrap_or(self.rest.len());
        Token::Comment { text: self.take(end), open: true }
    }

    /// A tag pair, or the rest of a line that is none. The line's end is only looked for where the line is then used up: many
    /// tags may stand on one line.
    fn tag(&mut self) -> Token<'a> {
        let all = self.rest;
        let name_start = after_blanks(&all[1..]);
        let name_len = name_start.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')));
        let (name, after) = name_start.split_at(name_len.unwrap_or(name_start.len()));
        let quoted = after_blanks(after);
        let value_at = all.len() - quoted.len() + 1;
        if name.is_empty() || !quoted.starts_with('"') {
            self.take_until(is_line_end);
            return Token::BadTag;
        }
        if let Some((value, len)) = quoted_value(&quoted[1..]) {
            let closed = after_blanks(&quoted[1 + len..]);
            if closed.starts_with(']') {
                self.take(all.len() - closed.len() + 1);
                return Token::Tag { name, value, mended: false };
            }
        }
        // Quotes inside that are not escaped: the value ends with the line.
        let line = self.take_until(is_line_end).trim_end();
        let body = line.strip_suffix(']').map(str::trim_end).and_then(|body| body.strip_suffix('"'));
        match body.and_then(|body| body.get(value_at..)) {
            Some(body) => Token::Tag { name, value: unescape(body), mended: true },
            None => Token::BadTag,
        }
    }
}

fn after_blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

/// The text up to the closing quote on this line, unescaped, and how many bytes it takes with the quote.
fn quoted_value(text: &str) -> Option<(String, usize)> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' | '\r' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((unescape(&text[..at]), at + 1)),
            _ => {}
        }
    }
    None
}

/// `\"` and `\\` become `"` and `\`; another backslash stays.
fn unescape(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                value.push(next);
                chars.next();
            }
            _ => value.push(c),
        }
    }
    value
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let after_gap = self.skip_blanks();
        let first = self.rest.chars().next()?;
        let (line, begins_line) = (self.line, self.at_line_start);
        self.at_line_start = false;
        Some(Item { token: self.token(first), line, begins_line, after_gap })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Lexer::new(text).map(|item| item.token).collect()
    }

    fn tag(name: &str, value: &str, mended: bool) -> Token<'static> {
        Token::Tag { name: name.to_owned().leak(), value: value.into(), mended }
    }

    #[test]
    fn tags_and_escapes() {
        assert_eq!(tokens(r#"[White "A \"B\" \\ C"]"#), [tag("White", r#"A "B" \ C"#, false)]);
        assert_eq!(tokens(r#"[ White  "A" ] [Black"B"]"#), [tag("White", "A", false), tag("Black", "B", false)]);
        assert_eq!(tokens(r#"[White "A "B" C"]"#), [tag("White", r#"A "B" C"#, true)]);
        assert_eq!(tokens(r#"[White "A]"]"#), [tag("White", "A]", false)]);
        for bad in ["[", "[]", "[White]", "[White \"A", "[White \"]", "[\"A\"]", "[White A]", "[White \"A\\\"]"] {
            let found = tokens(bad);
            assert!(matches!(found[0], Token::BadTag | Token::Tag { mended: true, .. }), "{bad}: {found:?}");
        }
    }

    #[test]
    fn comments_words_and_the_rest() {
        let found = tokens("1.e4 {a; (b} ; c } d\n2. e5,Nf6 $13(x)");
        let comment = |text| Token::Comment { text, open: false };
        let expected = [
            Token::Word("1.e4"),
            comment("a; (b"),
            comment(" c } d"),
            Token::Word("2."),
            Token::Word("e5"),
            Token::Word("Nf6"),
            Token::Nag(Some(13)),
            Token::Open,
            Token::Word("x"),
            Token::Close,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_open_comment_stops_at_the_next_game() {
        let found = tokens("e4 { oops\nd4\n[Event \"x\"]");
        assert_eq!(found[1], Token::Comment { text: " oops\nd4", open: true });
        assert_eq!(found[2], tag("Event", "x", false));
    }

    #[test]
    fn lines_gaps_and_escaped_lines() {
        let items: Vec<Item> = Lexer::new("\u{feff}a\r\n% { not here\r\n\r\n b").collect();
        assert_eq!(items.len(), 2);
        assert_eq!((items[0].line, items[0].begins_line), (1, true));
        assert_eq!((items[1].line, items[1].begins_line, items[1].after_gap), (4, true, true));
    }
}
