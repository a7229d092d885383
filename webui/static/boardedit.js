// Squares that can be chosen and tiles drawn on them: what the editors of plays and of boards share.

import { t } from "./texts.js";

export const board = document.getElementById("editor-board");
const squares = new Map([...board.querySelectorAll("[data-square]")].map((square) => [square.dataset.square, square]));

export const all = () => squares.values();
export const named = (name) => squares.get(name);

// The square a number of columns and rows away, or undefined off the board.
export function beside(square, cols, rows) {
  const name = square.dataset.square;
  const col = String.fromCharCode(name.charCodeAt(0) + cols);
  return squares.get(`${col}${Number(name.slice(1)) + rows}`);
}

const told = new Map(); // what lies on a square, in words, as its label begins

export function draw(square, face, height, marks = {}) {
  square.replaceChildren();
  let text = t("%(square)s: empty", { square: square.dataset.square });
  if (face) {
    const tile = document.createElement("span");
    tile.className = `tile h${height}`;
    tile.classList.toggle("new", Boolean(marks.new));
    const letter = document.createElement("b");
    letter.textContent = face;
    letter.classList.toggle("qu", face.length > 1);
    tile.append(letter);
    if (height > 1) {
      const number = document.createElement("i");
      number.dataset.high = height;
      tile.append(number);
    }
    square.append(tile);
    const high = height > 1 && t("%(number)s high", { number: height });
    text = [`${square.dataset.square}: ${face}`, high, marks.new && t("new")].filter(Boolean).join(", ");
  }
  told.set(square, text);
  square.setAttribute("aria-label", text);
}

for (const square of all()) told.set(square, square.getAttribute("aria-label"));

let cursor = null;

export const chosen = () => cursor;

const WAYS = { across: t("across"), down: t("down") };
const ARROW = { across: "▸", down: "▾" };

// `way` is the one in which letters go on from there, "across" or "down", where they do.
export function choose(square, way = "") {
  for (const other of all()) {
    other.classList.remove("cursor");
    other.setAttribute("aria-label", told.get(other));
    other.querySelector(".heading")?.remove();
    other.tabIndex = -1;
  }
  cursor = square;
  square.classList.add("cursor");
  square.tabIndex = 0;
  square.setAttribute("aria-label", [told.get(square), t("chosen"), WAYS[way]].filter(Boolean).join(", "));
  if (way) {
    const arrow = document.createElement("span");
    arrow.className = "heading";
    arrow.textContent = ARROW[way];
    arrow.setAttribute("aria-hidden", "true");
    square.append(arrow);
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// `put` is called with a face, "" to take one off; `pick` with a square that was tapped or reached by keys.
export function listen(put, pick) {
  board.addEventListener("click", (event) => {
    const square = event.target.closest("[data-square]");
    if (square) pick(square, true);
  });
  // Reached with the tab key, a square is chosen as well; a tap comes as a click and is not counted twice.
  board.addEventListener("focusin", (event) => {
    const square = event.target.closest("[data-square]");
    if (square?.matches(":focus-visible") && square !== cursor) pick(square, false);
  });
  const pad = document.querySelector(".pad");
  const keys = [...pad.querySelectorAll("[data-letter]")];
  const faces = new Set(keys.map((key) => key.dataset.letter));
  // The face of a key: Qu for Q where no tile has a lone Q.
  const typed = (key) => [key.toUpperCase(), key.toUpperCase() === "Q" ? "Qu" : ""].find((face) => face && faces.has(face));
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("[data-letter]");
    if (key) put(key.dataset.letter);
  });
  // The letters are one stop of the tab key; the arrows go on from there.
  const stop = (wanted) => keys.forEach((key) => (key.tabIndex = key === wanted ? 0 : -1));
  stop(keys[0]);
  pad.addEventListener("focusin", (event) => stop(event.target));
  pad.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    keys[(keys.indexOf(event.target) + step + keys.length) % keys.length].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && cursor) {
      const next = beside(cursor, ...arrow);
      if (next) {
        pick(next, false);
        next.focus();
      }
    } else if (typed(event.key)) put(typed(event.key));
    else if (event.key === "Backspace" || event.key === "Delete") put("");
    else return;
    event.preventDefault();
  });
}
