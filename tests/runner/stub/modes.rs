//! What the stub is told to do wrong.

/// One field a mode. Where a mode has a number it is written `mode=N`; `mode@N` says in which `go` or game it strikes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modes {
    pub(crate) seed: u64,
    pub(crate) crlf: bool,
    pub(crate) lead_blank: bool,
    pub(crate) tab: bool,
    pub(crate) upper: bool,
    pub(crate) split_bytes: bool,
    pub(crate) blank_lines: bool,
    pub(crate) banner: u64,
    pub(crate) binary: bool,
    pub(crate) long_line: u64,
    pub(crate) no_newline_eof: bool,
    pub(crate) stderr: u64,
    pub(crate) stderr_fake_uci: bool,
    pub(crate) flood_info: bool,
    pub(crate) burst: u64,
    pub(crate) never_move: bool,
    pub(crate) late: u64,
    pub(crate) late_once: u64,
    pub(crate) no_uciok: bool,
    pub(crate) no_readyok: bool,
    pub(crate) no_readyok_at: Option<u64>,
    pub(crate) no_readyok_if: Option<String>,
    pub(crate) slow_start: u64,
    pub(crate) move_then_exit: bool,
    pub(crate) die_on_go: bool,
    pub(crate) die_on_go_at: Option<u64>,
    pub(crate) exit_code: u8,
    pub(crate) abort: bool,
    pub(crate) exit_at_once: bool,
    pub(crate) ignore_quit: bool,
    pub(crate) ignore_eof: bool,
    pub(crate) ignore_stop: bool,
    pub(crate) double_bestmove: bool,
    pub(crate) bestmove_before_go: bool,
    pub(crate) null_move: bool,
    pub(crate) no_move: bool,
    pub(crate) garbage: bool,
    pub(crate) illegal_at: Option<u64>,
    pub(crate) too_short_series: bool,
    pub(crate) too_long_series: bool,
    pub(crate) check_too_early: bool,
    pub(crate) mate: bool,
    pub(crate) spawn_grandchild: bool,
    pub(crate) no_options: bool,
    pub(crate) score: Option<i64>,
    pub(crate) time: Option<u64>,
    pub(crate) use_time: Option<i64>,
    pub(crate) alloc: usize,
    pub(crate) script: Option<String>,
    pub(crate) affinity_file: Option<String>,
    pub(crate) die_once: Option<String>,
    pub(crate) flat: bool,
    pub(crate) fairy: bool,
    pub(crate) pid_file: Option<String>,
    pub(crate) transcript: Option<String>,
}

impl Modes {
    /// Reads the arguments; an unknown one is an error.
    pub(crate) fn read(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut modes = Self::default();
        for arg in args {
            let (name, value) = arg.split_once(['=', '@']).unwrap_or((&arg, ""));
            let number = || value.parse::<u64>().map_err(|_| arg.clone());
            match name {
                "ok" => {}
                "seed" => modes.seed = number()?,
                "crlf" => modes.crlf = true,
                "lead-blank" => modes.lead_blank = true,
                "tab" => modes.tab = true,
                "upper" => modes.upper = true,
                "split-bytes" => modes.split_bytes = true,
                "blank-lines" => modes.blank_lines = true,
                "banner" => modes.banner = number()?,
                "binary" => modes.binary = true,
                "long-line" => modes.long_line = number()?,
                "no-newline-eof" => modes.no_newline_eof = true,
                "stderr" => modes.stderr = number()?,
                "stderr-fake-uci" => modes.stderr_fake_uci = true,
                "flood-info" => modes.flood_info = true,
                "burst" => modes.burst = number()?,
                "never-move" => modes.never_move = true,
                "late" => modes.late = number()?,
                "late-once" => modes.late_once = number()?,
                "no-uciok" => modes.no_uciok = true,
                "no-readyok" if value.is_empty() => modes.no_readyok = true,
                "no-readyok" => modes.no_readyok_at = Some(number()?),
                "slow-start" => modes.slow_start = number()?,
                "move-then-exit" => modes.move_then_exit = true,
                "die-on-go" if value.is_empty() => modes.die_on_go = true,
                "die-on-go" => modes.die_on_go_at = Some(number()?),
                "exit-code" => modes.exit_code = value.parse().map_err(|_| arg.clone())?,
                "abort" => modes.abort = true,
                "exit-at-once" => modes.exit_at_once = true,
                "ignore-quit" => modes.ignore_quit = true,
                "ignore-eof" => modes.ignore_eof = true,
                "ignore-stop" => modes.ignore_stop = true,
                "double-bestmove" => modes.double_bestmove = true,
                "bestmove-before-go" => modes.bestmove_before_go = true,
                "null-move" => modes.null_move = true,
                "no-move" => modes.no_move = true,
                "garbage" => modes.garbage = true,
                "illegal" => modes.illegal_at = Some(number()?),
                "too-short-series" => modes.too_short_series = true,
                "too-long-series" => modes.too_long_series = true,
                "check-too-early" => modes.check_too_early = true,
                "mate" => modes.mate = true,
                "spawn-grandchild" => modes.spawn_grandchild = true,
                "no-options" => modes.no_options = true,
                "score" | "time" | "use-time" | "alloc" => modes.account(name, value).ok_or_else(|| arg.clone())?,
                "flat" => modes.flat = true,
                "fairy" => modes.fairy = true,
                _ => match modes.path(name) {
                    Some(path) => *path = Some(value.to_owned()),
                    None => return Err(arg),
                },
            }
        }
        Ok(modes)
    }

    /// The modes about what it says and takes; `None` if the value is no number.
    fn account(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "score" => self.score = Some(value.parse().ok()?),
            "time" => self.time = Some(value.parse().ok()?),
            // So many milliseconds more than its clock allows; less, if negative.
            "use-time" => self.use_time = Some(value.parse().ok()?),
            _ => self.alloc = value.parse().ok()?,
        }
        Some(())
    }

    /// The mode of this name whose value is a path.
    fn path(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "script" => &mut self.script,
            "no-readyok-if" => &mut self.no_readyok_if,
            "affinity-file" => &mut self.affinity_file,
            "die-once" => &mut self.die_once,
            "pid-file" => &mut self.pid_file,
            "transcript" => &mut self.transcript,
            _ => return None,
        })
    }
}
