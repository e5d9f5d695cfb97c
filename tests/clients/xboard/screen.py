"""A virtual screen, clicks on it, and a chess board that is read from its pixels."""

import os
import subprocess
import time

LIGHT, DARK = (0xF0, 0xD9, 0xB5), (0xB5, 0x88, 0x63)
START = {
    **{f + "1": man for f, man in zip("abcdefgh", "RNBQKBNR")},
    **{f + "2": "P" for f in "abcdefgh"},
    **{f + "7": "p" for f in "abcdefgh"},
    **{f + "8": man for f, man in zip("abcdefgh", "rnbqkbnr")},
}


class Screen:
    """Xvfb on the first free display."""

    def __enter__(self):
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x560x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.display = ":" + number.readline().strip()
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def run(self, *command):
        environment = {**os.environ, "DISPLAY": self.display}
        return subprocess.run(command, env=environment, capture_output=True, check=True, timeout=30).stdout

    def xdotool(self, *words):
        self.run("xdotool", *words)

    def click(self, x, y):
        self.xdotool("mousemove", str(x), str(y))
        time.sleep(0.05)
        self.xdotool("click", "1")

    def save(self, path):
        self.run("import", "-window", "root", "-trim", "-strip", "-colors", "64", f"png8:{path}")

    def pixels(self):
        """Width and the pixels, row by row."""
        data = self.run("import", "-window", "root", "-depth", "8", "ppm:-")
        magic, size, depth, body = data.split(b"\n", 3)
        assert magic == b"P6" and depth == b"255", (magic, depth)
        width, height = map(int, size.split())
        return width, height, body


class Board:
    """The board on a screen that shows the start position: learns where it is and what each man looks like."""

    def __init__(self, screen):
        self.screen, self.flipped = screen, False
        deadline = time.monotonic() + 20
        while True:
            time.sleep(0.5)
            picture = screen.pixels()
            width, height, body = picture
            # Only squares have the dark color: a1 and h8 are the corners.
            at = [i for i in range(width * height) if tuple(body[3 * i : 3 * i + 3]) == DARK]
            if len(at) > 20_000 or time.monotonic() > deadline:
                break
        columns, rows = [i % width for i in at], [i // width for i in at]
        self.left, self.top = min(columns), min(rows)
        self.pitch = round((max(columns) - self.left + 2) / 8)
        self.known = {}
        for square, man in START.items():
            self.known.setdefault(man, []).append(self.look(picture, square))
        self.known["."] = [self.look(picture, square) for square in ("a4", "b4")]

    def corner(self, square):
        file, rank = "abcdefgh".index(square[0]), 8 - int(square[1])
        if self.flipped:
            file, rank = 7 - file, 7 - rank
        return self.left + self.pitch * file, self.top + self.pitch * rank

    def middle(self, square):
        x, y = self.corner(square)
        return x + self.pitch // 2, y + self.pitch // 2

    def look(self, picture, square):
        """Each pixel of a square as ground, bright or dark; the color of the square does not matter."""
        width, _, body = picture
        left, top = self.corner(square)
        kinds = []
        for y in range(top + 3, top + self.pitch - 4):
            for x in range(left + 3, left + self.pitch - 4):
                pixel = tuple(body[3 * (y * width + x) : 3 * (y * width + x) + 3])
                kinds.append("." if pixel in (LIGHT, DARK) else "w" if sum(pixel) > 384 else "b")
        return "".join(kinds)

    def read(self):
        """The men on the screen by square. A square that looks like nothing known is `?`."""
        picture = self.screen.pixels()
        found = {}
        for square in (f + r for f in "abcdefgh" for r in "12345678"):
            look = self.look(picture, square)
            distances = {man: min(differ(look, known) for known in looks) for man, looks in self.known.items()}
            best = min(distances, key=distances.get)
            # A queen on the color of square that she was not learned on differs by a twentieth, another man by a third.
            if distances[best] > len(look) // 12:
                best = "?"
            if best != ".":
                found[square] = best
        return found


def differ(a, b):
    return sum(x != y for x, y in zip(a, b))
