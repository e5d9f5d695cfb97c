"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const root = document.documentElement;
  find("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  const games = JSON.parse(find("data").textContent);
  const viewer = find("viewer");
  if (!viewer) return;
  const board = find("board"), moves = find("moves"), rows = [...document.querySelectorAll("#list tbody tr")];
  const MEN = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  let game, steps, at = 0, flipped = false, timer = 0;

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const index = (square) => (8 - Number(square[1])) * 8 + square.charCodeAt(0) - 97;
  const name = (square) => String.fromCharCode(97 + (square % 8)) + (8 - Math.floor(square / 8));

  // The positions of a game: the first as in a FEN, each other from the squares that its move changes.
  const unfold = (game) => {
    const first = [];
    for (const letter of game.start.replaceAll("/", "")) {
      if (letter >= "1" && letter <= "8") first.push(..."-".repeat(Number(letter)));
      else first.push(letter);
    }
    const steps = [{ men: first, changed: [] }];
    game.series.forEach((series, s) => series.m.forEach((text, m) => {
      const men = [...steps[steps.length - 1].men], changed = [];
      for (const change of series.d[m].match(/.../g) || []) {
        men[index(change)] = change[2];
        changed.push(index(change));
      }
      steps.push({ men, changed, s, m, text });
    }));
    return steps;
  };

  const time = (ms) => (ms < 1000 ? ms + " ms" : (ms / 1000).toFixed(1) + " s");
  const told = (r) => {
    if (!r) return "";
    const parts = [];
    if (r.mate !== undefined) parts.push("#" + r.mate);
    else if (r.cp !== undefined) parts.push((r.cp > 0 ? "+" : "") + (r.cp / 100).toFixed(2));
    if (r.depth !== undefined) parts.push("d" + r.depth);
    parts.push(time(r.ms) + (r.limit === undefined ? "" : " of " + time(r.limit)));
    return parts.join(" ");
  };
  const color = (turn) => (turn % 2 ? "White" : "Black");

  const draw = () => {
    const step = steps[at];
    board.replaceChildren();
    for (let place = 0; place < 64; place++) {
      const square = flipped ? 63 - place : place;
      const cell = element("div");
      if ((square % 8 + Math.floor(square / 8)) % 2) cell.className = "dark";
      if (step.changed.includes(square)) cell.classList.add("changed");
      const man = step.men[square], role = man.toLowerCase();
      // Only letters of men get here as markup.
      if (MEN[role]) cell.innerHTML = `<svg class="${man === role ? "b" : "w"}"><use href="#man-${role}"/></svg>`;
      if (place % 8 === 0) cell.append(element("small", name(square)[1], "rank"));
      if (place >= 56) cell.append(element("small", name(square)[0], "file"));
      board.append(cell);
    }
    const men = step.men.map((man, square) => (man === "-" ? "" :
      (man < "a" ? "white " : "black ") + MEN[man.toLowerCase()] + " " + name(square))).filter(Boolean);
    board.setAttribute("aria-label", "Board: " + men.join(", "));
    let said = "Start of the game.";
    if (at > 0) {
      const series = game.series[step.s];
      said = `Turn ${series.t}, ${color(series.t)}, move ${step.m + 1} of ${series.m.length}: ${step.text}`;
      if (at === steps.length - 1) said += `. ${game.result}, ${game.reason}`;
    }
    find("said").textContent = said;
    for (const button of moves.querySelectorAll("button")) {
      if (Number(button.dataset.step) === at) {
        button.setAttribute("aria-current", "true");
        const line = button.closest("li");
        // Not scrollIntoView, which would move the page.
        if (line.offsetTop < moves.scrollTop + moves.offsetTop) moves.scrollTop = line.offsetTop - moves.offsetTop;
        const low = line.offsetTop + line.offsetHeight - moves.offsetTop - moves.clientHeight;
        if (low > moves.scrollTop) moves.scrollTop = low;
      } else button.removeAttribute("aria-current");
    }
    if (at === 0) moves.scrollTop = 0;
  };

  const list = () => {
    moves.replaceChildren();
    let count = 0;
    game.series.forEach((series, s) => {
      const line = element("li", undefined, s < game.book ? "book" : "");
      const number = element("span", series.t + (series.t % 2 ? "." : "…"), "turn");
      number.title = `turn ${series.t}, ${color(series.t)}` + (s < game.book ? ", opening" : "");
      const legs = element("span");
      for (const text of series.m) {
        const button = element("button", text);
        button.type = "button";
        button.dataset.step = ++count;
        legs.append(button);
      }
      line.append(number, legs, element("span", told(series.r), "told"));
      moves.append(line);
    });
  };

  const go = (where) => {
    const last = steps.length - 1, here = steps[at].s ?? -1;
    const end = (s) => { let n = last; while (n > 0 && steps[n].s > s) n--; return n; };
    if (where === "first") at = 0;
    else if (where === "last") at = last;
    else if (where === "back") at = Math.max(0, at - 1);
    else if (where === "next") at = Math.min(last, at + 1);
    else if (where === "turn-back") at = end(here - 1);
    else if (where === "turn-next") at = end(at === end(here) ? here + 1 : here);
    else if (where === "flip") flipped = !flipped;
    else if (where === "play") { play(!timer); return; }
    draw();
  };
  const play = (on) => {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (at === steps.length - 1) at = 0;
      timer = setInterval(() => { if (at === steps.length - 1) play(false); else go("next"); }, 800);
      go("next");
    }
    document.querySelector("[data-go=play]").setAttribute("aria-pressed", String(on));
  };

  const open = (number, step) => {
    play(false);
    game = games[number];
    steps = unfold(game);
    at = Math.min(step ?? 0, steps.length - 1);
    rows.forEach((row, n) => row.classList.toggle("chosen", n === number));
    find("names").replaceChildren(element("span", "♙ " + game.white), element("span", game.result), element("span", game.black + " ♟"));
    const about = [`game ${game.id}`, game.reason, game.control === "-" ? "" : game.control, game.date];
    find("about").textContent = about.filter(Boolean).join(" · ");
    if (game.note) find("about").append(element("br"), element("b", game.note));
    list();
    draw();
  };

  moves.addEventListener("click", (event) => {
    const step = event.target.dataset.step;
    if (step) { play(false); at = Number(step); draw(); }
  });
  viewer.addEventListener("click", (event) => {
    const where = event.target.dataset.go;
    if (where) { if (where !== "play" && where !== "flip") play(false); go(where); }
  });
  board.addEventListener("click", () => go("next"));
  const KEYS = { ArrowLeft: "back", ArrowRight: "next", f: "flip" };
  const BOARD_KEYS = { ...KEYS, ArrowUp: "turn-back", ArrowDown: "turn-next", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input, summary")) return;
    // Up, down and blank scroll the page and press buttons elsewhere.
    const on = event.target === board || moves.contains(event.target) && event.key !== " ";
    const where = (on ? BOARD_KEYS : KEYS)[event.key];
    if (!where || (!on && event.target.closest(".wide"))) return;
    event.preventDefault();
    if (where !== "play") play(false);
    go(where);
  });

  const choose = (number) => {
    open(number);
    viewer.scrollIntoView({ block: "nearest" });
    board.focus({ preventScroll: true });
  };
  find("list").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-at]");
    if (row) choose(Number(row.dataset.at));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-number]");
    if (!link) return;
    const number = games.findIndex((game) => game.id === Number(link.dataset.number));
    if (number >= 0) { event.preventDefault(); choose(number); }
  });
  const filters = ["by-player", "by-reason", "by-result"].map(find);
  const filter = () => {
    const [player, reason, result] = filters.map((select) => select.value);
    let shown = 0;
    rows.forEach((row, n) => {
      const g = games[n];
      row.hidden = Boolean(player && g.white !== player && g.black !== player || reason && g.reason !== reason || result && g.result !== result);
      shown += row.hidden ? 0 : 1;
    });
    find("shown").textContent = `${shown} of ${rows.length} games`;
  };
  filters.forEach((select) => select.addEventListener("change", filter));

  viewer.hidden = false;
  filter();
  // report.html#game=3&move=10 opens there.
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = games.findIndex((game) => game.id === Number(asked.get("game")));
  open(Math.max(0, number), Number(asked.get("move")) || 0);
})();
