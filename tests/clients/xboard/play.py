#!/usr/bin/env python3
"""Plays whole games in a real xboard by real clicks, one with either color, and looks at the board on the screen.

Usage: play.py ENGINE [FOLDER]

White plays with xboard's option Test Legality on, Black with it off. Each game has an en passant capture, a castling and a promotion by the person and ends in mate. Which seed of the engine's weak
level gives such a game is found first, with the engine alone behind pipes; then the game is played in xboard on a virtual screen.
What xboard shows at the end is read from its pixels and compared with the engine's own board. FOLDER gets the screenshots.

Needs the Debian packages xboard, xvfb, xdotool and imagemagick.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from screen import Board, Screen  # noqa: E402

LEVEL = "Novice"
WANTED = {"en passant", "castling", "promotion"}
LONGEST = 11  # turns
SEEDS = 400
PATIENCE = 30.0  # seconds for anything that should happen at once


class Pipe:
    """A process that is asked line by line."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the engine has gone")
        return line.rstrip("\n")

    def until(self, start):
        while not (line := self.line()).startswith(start):
            pass
        return line

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=PATIENCE)


class Referee(Pipe):
    """The rules, asked through the engine's own protocol."""

    def __init__(self, engine):
        super().__init__([engine])
        self.moves = []

    def set(self, moves):
        self.moves = list(moves)
        self.send("position startpos moves " + " ".join(self.moves))

    def query(self, topic):
        self.send("query " + topic)
        return self.until("response " + topic).split(" ", 2)[2]

    def mate(self):
        """A series that mates now, if there is one."""
        self.send("go mate 1 movetime 1000")
        mates, line = False, ""
        while not line.startswith("bestmove"):
            line = self.line()
            mates = mates or " score mate 1 " in line
        return line.split()[1].split(",") if mates else []


def men(fen):
    """The man on each square, by name."""
    found = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found["abcdefgh"[file] + rank] = letter
                file += 1
    return found


def kind(board, move):
    """The rare kind of a move, if it is one."""
    man = board[move[:2]].lower()
    if man == "k" and move[:2] in ("e1", "e8") and move[2] in "cg" and move[1] == move[3]:
        return "castling"
    if len(move) == 5:
        return "promotion" if move[4] == "q" else "underpromotion"
    if man == "p" and move[0] != move[2] and move[2:4] not in board:
        return "en passant"
    return None


# The way to castle soon.
OPENING = {"white": ["e2e4", "g1f3", "f1e2", "e1g1"], "black": ["g8f6", "g7g6", "f8g7", "e8g8"]}


def appeal(board, move, done, color, rng):
    """How much the person likes a move: rare kinds first, then what prepares them."""
    what, man = kind(board, move), board[move[:2]].lower()
    before, after = (int(rank) if color == "white" else 9 - int(rank) for rank in (move[1], move[3]))
    likes = {"en passant": 900, "castling": 800, "promotion": 700, "underpromotion": -900}.get(what, 0)
    likes = min(likes, 0) if what in done else likes
    if "castling" not in done and move in OPENING[color]:
        likes += 500 - OPENING[color].index(move)
    if man == "k":
        likes -= 200
    if man == "p" and "en passant" in done:
        likes += 20 * after
    elif man == "p":
        # Pawns on the fifth rank wait there for a neighbor's double step.
        likes += 30 * after if after <= 5 else 0
        likes -= 300 * (before == 5)
    return likes + rng.random() * 30


class Person:
    """Chooses moves from what the referee allows."""

    def __init__(self, referee, color, seed):
        self.referee, self.color, self.rng = referee, color, random.Random(seed)
        self.done, self.plan = set(), []

    def choose(self, moves):
        self.referee.set(moves)
        if not self.plan and self.done >= WANTED:
            self.plan = self.referee.mate()
        if self.plan:
            return self.plan.pop(0)
        board = men(self.referee.query("fen"))
        legal = self.referee.query("legal").split()
        move = max(legal, key=lambda mv: appeal(board, mv, self.done, self.color, self.rng))
        self.done.add(kind(board, move))
        return move


def greet(pipe, seed):
    for line in ("xboard", "protover 2"):
        pipe.send(line)
    pipe.until("feature done=1")
    for line in (f"option Level={LEVEL}", f"option Seed={seed}", "new", "variant progressive", "level 0 60 0"):
        pipe.send(line)
    pipe.until("setup ")


def rehearse(engine, color, seed):
    """Plays a game against the engine behind pipes. Returns all moves with who played them, if it has all that is wanted."""
    referee, pipe = Referee(engine), Pipe([engine])
    person, game = Person(referee, color, seed), []
    try:
        greet(pipe, seed)
        if color == "black":
            pipe.send("go")
        while True:
            referee.set([move for move, _ in game])
            result = referee.query("result")
            turn = int(referee.query("turn"))
            if result != "*" or turn > LONGEST:
                is_good = person.done >= WANTED and result.endswith("mate") and game[-1][1] == "person"
                return (game, result) if is_good else None
            if (turn % 2 == 1) == (color == "white"):
                move = person.choose([move for move, _ in game])
                game.append((move, "person"))
                pipe.send("usermove " + move)
            else:
                game.append((next_move(pipe), "engine"))
    finally:
        referee.close()
        pipe.close()


def next_move(pipe):
    """The next move of the engine's own; passes are skipped, two legs are one move."""
    while True:
        text = pipe.until("move ").split()[1]
        if text == "@@@@":
            continue
        if not text.endswith(","):
            return text
        second = pipe.until("move ").split()[1]
        if text[:2] != second[2:4]:
            return text[:2] + second[2:4]


class XBoard:
    """xboard on a virtual screen."""

    COLORS = ["-lightSquareColor", "#f0d9b5", "-darkSquareColor", "#b58863", "-useBoardTexture", "false"]
    CALM = ["-xhighlight", "-highlightMoveWithArrow", "false", "-xanimate", "-xdrag", "-xpopup", "-xexit", "-tc", "60", "-queen"]

    def __init__(self, engine, color, seed, screen, home, tests_legality=True):
        program = shutil.which("xboard") or "/usr/games/xboard"
        self.log = Path(home) / "xboard.debug"
        command = [program, "-fcp", engine, "-variant", "progressive", "-size", "49", "-debug", "-nameOfDebugFile", str(self.log)]
        # Nobody's settings are read or written: what xboard remembers from one run would change the next.
        command += ["-settingsFile", f"{home}/settings", "-saveSettingsFile", f"{home}/settings", "-saveSettingsOnExit", "false"]
        options = f"Level={LEVEL},Seed={seed},Null Captures={int(not tests_legality)}"
        command += ["-firstOptions", options, "-testLegality", str(tests_legality).lower(), *self.COLORS, *self.CALM]
        environment = {**os.environ, "DISPLAY": screen.display, "HOME": home}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.screen, self.read = screen, 0
        self.wait_for(lambda text: "<first : pong 1" in text)
        self.board = Board(screen)
        if color == "black":
            screen.xdotool("key", "ctrl+w")  # Machine White
            # The person's side is shown at the bottom.
            self.wait_for(lambda text: ">first : go" in text)
            self.board.flipped = True

    def text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def wait_for(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition(self.text()):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("xboard does not answer; the end of its log:\n" + self.text()[-1500:])
            time.sleep(0.05)

    def count(self, start):
        return sum(f"<first : {start}" in line for line in self.text().splitlines())

    def click(self, move):
        for square in (move[:2], move[2:4]):
            self.screen.click(*self.board.middle(square))
            time.sleep(0.15)
        self.wait_for(lambda text: text.count("usermove ") > self.read)
        self.read += 1

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


def perform(engine, color, seed, game, result, screen, folder):
    """Plays the game in xboard. Returns what is wrong, if anything is."""
    with tempfile.TemporaryDirectory() as home:
        # A captured pawn is cleared away in another way where xboard leaves legality to the engine.
        xboard = XBoard(engine, color, seed, screen, home, tests_legality=color == "white")
        try:
            plies = 0
            for move, who in game:
                if who == "person":
                    xboard.click(move)
                else:
                    # The engine's own moves come by themselves; the log must show them all before the next click.
                    plies += 1
                    xboard.wait_for(lambda _: own_moves(xboard.text()) >= plies)
            xboard.wait_for(lambda text: f"<first : {result.split()[0]} {{" in text)
            time.sleep(1.0)
            picture = folder / f"xboard-{color}.png"
            screen.save(picture)
            played = [move for move, _ in game]
            command = [engine, "fen", "startpos", "--moves", " ".join(played)]
            fen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            shown, true = xboard.board.read(), men(fen)
            wrong = [f"{sq}: shown {shown.get(sq)}, true {true.get(sq)}" for sq in sorted({*shown, *true}) if shown.get(sq) != true.get(sq)]
            return wrong
        finally:
            xboard.close()


def own_moves(text):
    """How many moves of its own the engine has sent: passes and their likes do not count."""
    count, first = 0, None
    for line in text.splitlines():
        if "<first : move " not in line:
            continue
        move = line.split("move ", 1)[1].strip()
        if move.endswith(","):
            first = move
        elif move != "@@@@":
            count += first is None or first[:2] != move[2:4]
            first = None
    return count


def main():
    engine = str(Path(sys.argv[1]).resolve())
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in ("Xvfb", "xdotool", "import") if not shutil.which(name)]
    if missing or not (shutil.which("xboard") or Path("/usr/games/xboard").exists()):
        print(f"skipped: xboard or one of these is missing: {missing}")
        return 0
    faults = 0
    for color in ("white", "black"):
        tries = ((seed, rehearse(engine, color, seed)) for seed in range(1, SEEDS))
        seed, found = next(((seed, found) for seed, found in tries if found), (0, None))
        if not found:
            print(f"{color}: no game with {sorted(WANTED)} and mate in {SEEDS} tries")
            return 1
        game, result = found
        print(f"{color}: seed {seed}, {' '.join(move for move, _ in game)}, {result}", flush=True)
        with Screen() as screen:
            wrong = perform(engine, color, seed, game, result, screen, folder)
        print(f"{color}: " + ("the board on the screen is the engine's" if not wrong else "; ".join(wrong)), flush=True)
        faults += bool(wrong)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
