"""Plays a short game in a pseudo-terminal as a person would: each line is typed when its prompt is there.

Usage: play.py ENGINE. Prints all that the terminal showed.
"""

import os
import pty
import select
import sys
import time

LINES = ["e4", "e5", "Nf4", "Nf6", "Bc4", "undo", "hint", "Bc4 Qh5", "Qxf7", "quit"]
PROMPT = b"> "


def main() -> int:
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.argv[1], [sys.argv[1], "play", "--black", "human"])
    shown, seen, lines = b"", 0, list(LINES)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 1)
        if not ready:
            continue
        try:
            data = os.read(terminal, 4096)
        except OSError:  # Linux says so when the child has gone.
            data = b""
        if not data:
            break
        shown += data
        if shown.endswith(PROMPT) and len(shown) > seen and lines:
            seen = len(shown)
            os.write(terminal, lines.pop(0).encode() + b"\n")
    else:
        os.kill(child, 9)
        print("the game does not end", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(shown)
    sys.stdout.flush()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
