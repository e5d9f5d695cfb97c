# SPDX-License-Identifier: GPL-3.0-or-later
# This is a test client. It is built on python-chess and therefore under that
# library's license (GPL-3). It is never part of the product: nothing links to
# it and nothing ships it.
"""Progressive chess for python-chess: boards whose move is a whole series.

`chess.engine` takes these boards as they are: it sends `UCI_Variant`, the root's FEN and the series played,
and reads `bestmove` and `pv` with `parse_uci` and `push_uci`. How men move and what attacks what is
python-chess's own knowledge; added are turns, the check rules and several en passant targets at once.
"""

import re

import chess
import chess.engine

LEG = r"[a-h][1-8][a-h][1-8][qrbn]?"
# The library's pattern covers the first leg and lets any tail through. This one is a series and nothing else.
chess.engine.UCI_REGEX = re.compile(rf"{LEG}(?:,{LEG})*\Z")


class Series(tuple):
    """The legs of one turn, or the rest of a turn: in python-chess's words, a move."""

    def uci(self):
        return ",".join(leg.uci() for leg in self)


class ProgressiveBoard(chess.Board):
    """The Italian rules. `fullmove_number` is the turn's number and its quota, `halfmove_clock` counts quiet turns."""

    aliases = ["Progressive", "Italian Progressive"]
    uci_variant = xboard_variant = "progressive"
    check_ends_series = False

    played = 0  # legs of the running series
    targets = frozenset()  # squares crossed by double steps: the opponent's, after the first leg the mover's own

    def _pseudo_legal_legs(self):
        scratch = self.copy(stack=False)
        yield from chess.Board.generate_pseudo_legal_moves(scratch)
        for scratch.ep_square in () if self.played else self.targets:
            yield from scratch.generate_pseudo_legal_ep()

    def _after(self, leg):
        """The position after a leg, which is not judged."""
        after, mover, number = self.copy(stack=False), self.turn, self.fullmove_number
        own = self.targets - {leg.from_square - 8, leg.from_square + 8} if self.played else frozenset()
        if self.piece_type_at(leg.from_square) == chess.PAWN and abs(leg.from_square - leg.to_square) == 16:
            own |= {(leg.from_square + leg.to_square) // 2}
        if not self.played and leg.to_square in self.targets:
            after.ep_square = leg.to_square
        quiet, zeroing = self.halfmove_clock + (not self.played), after.is_zeroing(leg)
        chess.Board.push(after, leg)
        after.halfmove_clock = 0 if zeroing and quiet <= 10 else quiet  # a turn begun at ten has to mate
        after.turn, after.fullmove_number, after.played = mover, number, self.played + 1
        after.ep_square, after.targets, after.move_stack, after._stack = None, own, [], []
        if after.played == number or (self.check_ends_series and after.attacked(not mover)):
            after.turn, after.fullmove_number, after.played = not mover, number + 1, 0
        return after

    def attacked(self, color):
        return self.is_attacked_by(not color, self.king(color))

    def fault(self, leg):
        """Why a leg is illegal, or None."""
        if leg not in self._pseudo_legal_legs():
            return "is not possible"
        after = self._after(leg)
        if after.attacked(self.turn):
            return "leaves the king attacked"
        if after.played and after.attacked(not self.turn):
            return "gives check before the last move"  # under the Scottish rules the series has ended
        return None

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        """The legal next legs: what python-chess's `is_checkmate` and `is_stalemate` ask for."""
        for leg in self._pseudo_legal_legs():
            if chess.BB_SQUARES[leg.from_square] & from_mask and chess.BB_SQUARES[leg.to_square] & to_mask:
                if not self.fault(leg):
                    yield leg

    def outcome(self, *, claim_draw=False):
        if self.is_checkmate():
            return chess.Outcome(chess.Termination.CHECKMATE, not self.turn)
        if self.is_stalemate():
            return chess.Outcome(chess.Termination.STALEMATE, None)
        men = self.occupied & ~self.kings
        if not men & ~(self.knights | self.bishops) and chess.popcount(men) <= 1:
            return chess.Outcome(chess.Termination.INSUFFICIENT_MATERIAL, None)
        if not self.played and (self.halfmove_clock > 10 or self.fullmove_number > 255):
            return chess.Outcome(chess.Termination.VARIANT_DRAW, None)
        return None

    def parse_uci(self, uci):
        """A whole series or, as a line's last item may be, the beginning of one."""
        board, legs = self, []
        for leg in map(chess.Move.from_uci, uci.split(",")):
            over = "is played after the end of the series" if legs and not board.played else None
            over = over or (board.outcome() and "is played after the end of the game")
            if fault := over or board.fault(leg):
                raise chess.IllegalMoveError(f"leg {len(legs) + 1} of {uci!r} {fault} in {board.fen()}")
            legs.append(leg)
            board = board._after(leg)
        return Series(legs)

    def push(self, series):
        board, stacks = self, {"move_stack": [*self.move_stack, series], "_stack": [*self._stack, self.copy(stack=False)]}
        for leg in series:
            board = board._after(leg)
        self.__dict__.update({**board.__dict__, **stacks})

    def pop(self):
        before, series = self._stack[-1], self.move_stack[-1]
        self.__dict__.update({**before.__dict__, "move_stack": self.move_stack[:-1], "_stack": self._stack[:-1]})
        return series

    def root(self):
        return (self._stack[0] if self._stack else self).copy(stack=False)

    def copy(self, *, stack=True):
        board = super().copy(stack=stack)
        board.played, board.targets = self.played, self.targets
        return board

    def reset(self):
        super().reset()
        self.played, self.targets = 0, frozenset()

    def _transposition_key(self):
        return super()._transposition_key(), self.played, self.targets

    def set_fen(self, fen):
        fields = fen.split()
        super().set_fen(" ".join([*fields[:3], "-", *fields[4:6]]))
        self.played = self.fullmove_number - int(fields[6]) if len(fields) > 6 else 0
        self.targets = frozenset(map(chess.parse_square, re.findall("[a-h][36]", fields[3])))

    def _is_written(self, target):
        """A FEN names a target only where a pawn could take it now, in mid-series only where one stands beside."""
        takers = chess.BB_PAWN_ATTACKS[chess.BLACK if target > chess.H4 else chess.WHITE][target]
        enemy = self.occupied_co[chess.WHITE if target > chess.H4 else chess.BLACK]
        return takers & self.pawns & enemy and (self.played or not self.occupied & chess.BB_SQUARES[target])

    def fen(self, **options):
        fields = super().fen(**options).split()
        written = sorted(filter(self._is_written, self.targets), key=chess.square_file)
        fields[3] = ",".join(map(chess.square_name, written)) or "-"
        return " ".join(fields + ([str(self.fullmove_number - self.played)] if self.played else []))


class ScottishProgressiveBoard(ProgressiveBoard):
    """The Scottish rules: any leg may give check, and a check ends the series."""

    aliases = ["Scottish Progressive"]
    uci_variant = xboard_variant = "scottishprogressive"
    check_ends_series = True
