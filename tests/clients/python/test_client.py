# SPDX-License-Identifier: GPL-3.0-or-later
# This is a test client. It is built on python-chess and therefore under that
# library's license (GPL-3). It is never part of the product: nothing links to
# it and nothing ships it.
"""The engine, driven by a library that knows nothing of it and refereed by that library's own move rules.

Run from a virtual environment with `requirements.txt` installed. The engine is `CRESCENDO_ENGINE`, or else the
repository's release build, or else its debug build.
"""

import faulthandler
import json
import logging
import os
import pathlib
import unittest

import chess
import chess.engine
from chess.engine import EngineError, Limit

from progressive import ProgressiveBoard, ScottishProgressiveBoard, Series

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOARDS = {"italian": ProgressiveBoard, "scottish": ScottishProgressiveBoard}
HANG = 600  # seconds after which a test gives up; its engine then meets the end of its input
DRAWS = {
    chess.Termination.STALEMATE: {"stalemate"},
    chess.Termination.INSUFFICIENT_MATERIAL: {"material"},
    chess.Termination.VARIANT_DRAW: {"ten-turns", "turn-limit"},
}


def find_engine():
    """The engine's path. One that was named must exist; without one the tests are skipped."""
    if named := os.environ.get("CRESCENDO_ENGINE"):
        return str(pathlib.Path(named).resolve(strict=True))
    for build in ("release", "debug"):
        path = ROOT / "target" / build / "crescendo"
        if path.is_file():
            return str(path)
    raise unittest.SkipTest(f"no engine binary below {ROOT / 'target'}; set CRESCENDO_ENGINE")


def board_after(line, kind=ProgressiveBoard):
    board = kind()
    for series in line.split():
        board.push_uci(series)
    return board


class Ask(chess.engine.BaseCommand):
    """Sends lines, a board's position first if there is one, and collects the answers up to `readyok`."""

    def __init__(self, protocol, lines, board=None):
        super().__init__(protocol)
        self.protocol, self.lines, self.board, self.answers = protocol, lines, board, []

    def start(self):
        if self.board is not None:
            self.protocol._position(self.board)
        for line in [*self.lines, "isready"]:
            self.protocol.send_line(line)

    def line_received(self, line):
        if line != "readyok":
            self.answers.append(line)
        else:
            self.result.set_result(self.answers)
            self.set_finished()


def ask(engine, *lines, board=None):
    return engine.communicate(lambda protocol: Ask(protocol, lines, board))


class Traffic(logging.Handler):
    """Keeps what `chess.engine` logs: every line in either direction, and its complaints."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines, self.complaints = [], []

    def emit(self, record):
        if record.levelno > logging.DEBUG:
            self.complaints.append(record.getMessage())
        elif record.msg in ("%s: << %s", "%s: >> %s"):
            self.lines.append((id(record.args[0]), record.msg[4:6], record.args[1]))

    def received(self):
        return [line for _, way, line in self.lines if way == ">>"]

    def notes(self):
        """The engine's errors and warnings."""
        return [line for line in self.received() if line.startswith(("info string error", "info string warning"))]


class EngineCase(unittest.TestCase):
    """An engine for each test, and the conduct which every test expects of it."""

    expected_notes = ()

    @classmethod
    def setUpClass(cls):
        cls.path = find_engine()

    def setUp(self):
        faulthandler.dump_traceback_later(HANG, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)
        self.traffic = Traffic()
        logger = logging.getLogger("chess.engine")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self.traffic)
        self.addCleanup(logger.removeHandler, self.traffic)
        self.engines = []
        self.engine = self.start()

    def start(self, **options):
        engine = chess.engine.SimpleEngine.popen_uci(self.path, timeout=60)  # for slow machines
        self.addCleanup(engine.close)
        self.engines.append(engine)
        engine.configure({"OwnBook": False, **options})
        return engine

    def tearDown(self):
        for engine in self.engines:
            engine.quit()
            self.assertEqual(engine.returncode.result(60), 0)
        self.assertEqual(self.traffic.complaints, [])
        notes = self.traffic.notes()
        self.assertEqual(len(notes), len(self.expected_notes), notes)
        for note, expected in zip(notes, self.expected_notes):
            self.assertTrue(note.startswith(f"info string {expected}"), note)
        self.check_answers()

    def check_answers(self):
        """One `bestmove` for each `go`, and before it a line of which it is the beginning."""
        searching, pv = {}, {}
        for protocol, way, line in self.traffic.lines:
            words = line.split()
            if way == "<<" and words[0] == "go":
                self.assertFalse(searching.get(protocol), "the client sent a second go")
                searching[protocol], pv[protocol] = True, None
            elif way == ">>" and words[0] == "info" and "pv" in words and " multipv 1 " in line:
                self.assertTrue(searching.get(protocol), line)
                pv[protocol] = words[words.index("pv") + 1]
            elif way == ">>" and words[0] == "bestmove":
                self.assertTrue(searching.get(protocol), f"{line} without a go")
                searching[protocol] = False
                if words[1] != "(none)":
                    self.assertEqual(words[1], pv[protocol], "the last pv before bestmove")
        self.assertFalse(any(searching.values()), "a go without a bestmove")

    def assert_line(self, board, line):
        """Every series of a line is legal, which the pushes of the parser saw to, and complete but for the last."""
        self.assertTrue(line)
        board = board.copy(stack=False)
        for number, series in enumerate(line, 1):
            board.push_uci(series.uci())
            if number < len(line):
                self.assertEqual(board.played, 0, [series.uci() for series in line])

    def assert_whole(self, board):
        """The series just pushed was played to its end."""
        self.assertTrue(board.played == 0 or board.outcome(), f"{board.peek().uci()} stops in mid-series: {board.fen()}")


class Referee(unittest.TestCase):
    """Before it judges the engine, the adapter is held to the golden data."""

    def cases(self, name):
        with open(ROOT / "tests" / "data" / name, encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                if case["rules"] in BOARDS and "error" not in case.get("expect", {}):
                    yield case, BOARDS[case["rules"]]

    def test_edges(self):
        verdicts = {
            "mate": "CHECKMATE",
            "stalemate": "STALEMATE",
            "material": "INSUFFICIENT_MATERIAL",
            "ten-turns": "VARIANT_DRAW",
        }
        for case, kind in self.cases("edges.jsonl"):
            with self.subTest(case["id"]):
                board = kind(case["fen"])
                for leg in case["play"]:
                    board.push_uci(leg)
                legal, expect = {leg.uci() for leg in board.generate_legal_moves()}, case["expect"]
                self.assertEqual(legal, set(expect.get("legal", legal)))
                self.assertLessEqual(set(expect.get("has", ())), legal)
                self.assertFalse(set(expect.get("lacks", ())) & legal)
                if "fen_after" in expect:
                    self.assertEqual(board.fen(), kind(expect["fen_after"]).fen())
                if "status" in expect:
                    outcome = board.outcome()
                    self.assertEqual(outcome and outcome.termination.name, verdicts.get(expect["status"]))

    def test_walks(self):
        for case, kind in self.cases("walks.jsonl"):
            with self.subTest(case["moves"]):
                board = kind()
                fens = {number: kind(fen).fen() for number, fen in enumerate(case["fens"])}  # of whole turns only
                for number, series in enumerate(case["moves"].split(), 1):
                    board.push_uci(series)
                    self.assertEqual(board.fen(), fens.get(number, board.fen()))
                flat = board_after(case["moves"].replace(",", " "), kind)
                self.assertEqual(flat, board)
                for _ in case["moves"].split():
                    board.pop()
                self.assertEqual((board, flat.root()), (kind(), kind()))

    def test_refusals(self):
        for kind, line, series in [
            (ProgressiveBoard, "e2e4", "e7e5,g8f6,b8c6"),
            (ProgressiveBoard, "e2e4 f7f6,a7a6", "d1h5,a2a3"),
            (ScottishProgressiveBoard, "e2e4 f7f6,a7a6", "d1h5,a2a3"),
            (ProgressiveBoard, "e2e4 e7e5,g8f6 f1c4,d1h5,h5f7", "e8f7"),
            (ProgressiveBoard, "", "e2e4,"),
        ]:
            with self.subTest(series), self.assertRaises(ValueError):
                board_after(line, kind).parse_uci(series)


class Games(EngineCase):
    def play(self, kind):
        players = {chess.WHITE: self.engine, chess.BLACK: self.start(Seed=2)}
        self.engine.configure({"Seed": 1, "OwnBook": True})
        board = kind()
        while not (outcome := board.outcome()):
            self.assert_same_view(board, "*")
            answer = players[board.turn].play(board, Limit(nodes=2000), game=self.id(), info=chess.engine.INFO_ALL)
            self.assertEqual(answer.info["pv"][0], answer.move)
            self.assert_line(board, answer.info["pv"])
            board.push(board.parse_uci(answer.move.uci()))
            self.assert_whole(board)
            if answer.ponder and not board.outcome():
                self.assertIsInstance(board.parse_uci(answer.ponder.uci()), Series)
        self.assertGreater(len(board.move_stack), 2)
        words = {"mate", "italian-mate"} if outcome.winner is not None else DRAWS[outcome.termination]
        self.assert_same_view(board, *(f"{outcome.result()} {word}" for word in sorted(words)))
        for engine in players.values():
            self.assertIsNone(engine.play(board, Limit(nodes=100), game=self.id()).move)

    def assert_same_view(self, board, *results):
        fen, legal, result = ask(self.engine, "query fen", "query legal", "query result", board=board)
        legs = [] if board.outcome() else sorted(leg.uci() for leg in board.generate_legal_moves())
        self.assertEqual(fen, f"response fen {board.fen()}")
        self.assertEqual(sorted(legal.split()[2:]), legs or ["(none)"])
        self.assertIn(result.removeprefix("response result "), results)

    def test_italian_game(self):
        self.play(ProgressiveBoard)

    def test_scottish_game(self):
        self.play(ScottishProgressiveBoard)

    def test_pondering(self):
        board, limit = ProgressiveBoard(), Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
        for hits in range(3):  # the reply is always the one expected
            answer = self.engine.play(board, limit, game=1, ponder=True)
            self.assertEqual([line for _, _, line in self.traffic.lines].count("ponderhit"), hits)
            board.push(answer.move)
            self.assert_whole(board)
            if board.outcome() or not answer.ponder:
                break
            board.push(answer.ponder)
            if board.outcome():
                break
        self.engine.ping()


class Analysis(EngineCase):
    mating = "e2e4 e7e5,g8f6"

    def test_score_and_line(self):
        for kind in BOARDS.values():
            board = board_after("e2e4 e7e5,d7d6", kind)
            info = self.engine.analyse(board, Limit(nodes=20000), game=kind)
            self.assertEqual(info["score"].turn, chess.WHITE)
            self.assertGreater(info["nodes"], 0)
            self.assertGreater(info["depth"], 0)
            self.assert_line(board, info["pv"])

    def test_several_lines(self):
        board = board_after("d2d4")
        infos = self.engine.analyse(board, Limit(nodes=20000), multipv=3)
        self.assertEqual([info["multipv"] for info in infos], [1, 2, 3])
        self.assertEqual(len({info["pv"][0] for info in infos}), 3)
        scores = [info["score"].relative for info in infos]
        self.assertEqual(scores, sorted(scores, reverse=True))
        for info in infos:
            self.assert_line(board, info["pv"])

    def test_endless_until_stopped(self):
        board = board_after("e2e4 e7e5,d7d6")
        with self.engine.analysis(board) as analysis:
            for info in analysis:
                if "pv" in info:
                    break
            analysis.stop()
            best = analysis.wait()
        board.push_uci(best.move.uci())
        self.assert_whole(board)

    def test_root_moves(self):
        board = board_after("e2e4")
        wanted = [board.parse_uci("a7a6"), board.parse_uci("h7h6,g8f6")]
        move = self.engine.play(board, Limit(nodes=2000), root_moves=wanted).move
        self.assertIn(True, [move[: len(start)] == start for start in wanted], move.uci())

    def assert_mate(self, kind, limit):
        board = board_after(self.mating, kind)
        answer = self.engine.play(board, limit, game=object(), info=chess.engine.INFO_ALL)
        self.assertEqual(answer.info["score"].relative, chess.engine.Mate(1))
        board.push(answer.move)
        self.assertTrue(board.is_checkmate(), answer.move.uci())

    def test_mate_is_found(self):
        for kind in BOARDS.values():
            self.assert_mate(kind, Limit(nodes=50000))
            self.assert_mate(kind, Limit(time=1))

    def test_go_mate(self):
        for kind in BOARDS.values():
            self.assert_mate(kind, Limit(mate=1))

    def test_go_mate_without_a_mate(self):
        board = board_after("e2e4")
        answer = self.engine.play(board, Limit(mate=1))
        self.assertTrue(any("no mate in 1" in line for line in self.traffic.received()))
        board.push(answer.move)
        self.assert_whole(board)


class Options(EngineCase):
    def test_hash_and_level(self):
        board = board_after("e2e4")
        self.assertEqual(self.engine.options["Level"].default, "Full")
        for size in (64, 1, 16):
            self.engine.configure({"Hash": size})
            self.engine.play(board, Limit(nodes=500))
        for level in self.engine.options["Level"].var:
            self.engine.configure({"Level": level})
            reply = self.engine.play(board, Limit(nodes=500)).move
            self.assertEqual(len(reply), 2, level)

    def test_refused_by_the_client(self):
        for options in ({"No Such Option": 1}, {"Hash": 0}, {"Hash": "much"}, {"Level": "Champion"}):
            with self.subTest(options), self.assertRaises(EngineError):
                self.engine.configure(options)
        with self.assertRaises(EngineError):
            self.engine.play(chess.Board(), Limit(nodes=100))  # orthodox chess is not offered
        self.engine.ping()


class Faults(EngineCase):
    def assert_plays_on(self):
        board = board_after("e2e4")
        board.push(self.engine.play(board, Limit(nodes=500)).move)
        self.assert_whole(board)

    def test_unknown_option_and_command(self):
        faults = {
            "setoption name Nonsense value 1": "error unknown-option",
            "setoption name Hash value much": "error option-value",
            "setoption name MultiPV value 0": "warning option-range",
            "castle": "error unknown-command",
        }
        self.expected_notes = tuple(faults.values())
        self.assertEqual(len(ask(self.engine, *faults)), len(faults))
        self.assert_plays_on()

    def test_illegal_series(self):
        """Played unjudged by the adapter, refused by the engine, which then does not play on from anywhere."""
        self.expected_notes = ("error move-illegal: turn 2 leg 2", "error no-position")
        board = board_after("e2e4")
        board.push(Series(map(chess.Move.from_uci, ("e7e5", "e5e3"))))
        self.assertIsNone(self.engine.play(board, Limit(nodes=500)).move)
        self.assert_plays_on()

    def test_early_check(self):
        self.expected_notes = ("error move-early-check: turn 3 leg 1 'd1h5'", "error no-position")
        board = board_after("e2e4 f7f6,a7a6")
        board.push(Series(map(chess.Move.from_uci, ("d1h5", "a2a3", "a3a4"))))
        self.assertIsNone(self.engine.analysis(board, Limit(nodes=500)).wait().move)
        self.assert_plays_on()

    def test_illegal_fen(self):
        self.expected_notes = ("error fen-", "error no-position")
        board = ProgressiveBoard("4k3/8/8/8/8/8/8/4R1K1 w - - 0 3")
        self.assertIsNone(self.engine.play(board, Limit(nodes=500)).move)
        self.assert_plays_on()

    def test_rubbish(self):
        lines = ["position", "position fen", "position fen 8/8 w"]
        lines += ["position startpos moves " + items for items in ("e2e4,e7e5", "e9e4", "e2e4 e7e5 0000 e4e5")]
        self.expected_notes = ("error ",) * len(lines)
        self.assertEqual(len(ask(self.engine, *lines)), len(lines))
        self.assert_plays_on()


if __name__ == "__main__":
    unittest.main()
