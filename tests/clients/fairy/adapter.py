#!/usr/bin/env python3
"""Lets an engine for ordinary chess play progressive chess through the runner's `fairy` dialect.

    adapter.py ENGINE [ARGUMENT ...]

The runner asks for one move at a time and writes the opponent's passes as 0000. Engines for ordinary chess read no passes, so each
position goes to them as a FEN. They know nothing of series: they play each move as if it were the opponent's turn next. Where a check
ends the series (Scottish rules) all they play is legal.
"""

import subprocess
import sys
import threading

import chess

VARIANT = "option name UCI_Variant type combo default scottishprogressive var scottishprogressive"


def position(line):
    """The position line of the dialect without moves."""
    place, _, moves = line.partition(" moves")
    fields = place.split()
    board = chess.Board() if fields[1:2] == ["startpos"] else chess.Board(" ".join(fields[2:]))
    for move in moves.split():
        board.push(chess.Move.from_uci(move))
    return "position fen " + board.fen(en_passant="fen")


def main():
    engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def forward():
        for line in engine.stdout:
            # The runner plays a rule set only with whoever offers it.
            sys.stdout.write(VARIANT + "\n" + line if line.startswith("uciok") else line)
            sys.stdout.flush()

    threading.Thread(target=forward, daemon=True).start()
    for line in sys.stdin:
        line = line.strip()
        if line.startswith("setoption name UCI_Variant"):
            continue
        engine.stdin.write((position(line) if line.startswith("position") else line) + "\n")
        if line == "quit":
            break
    engine.stdin.close()
    engine.wait()


if __name__ == "__main__":
    main()
