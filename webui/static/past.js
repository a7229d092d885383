// The board after an earlier turn, in the place of the board of now: by a tap on the scoresheet, or the arrow keys.

import { focusOn } from "./forms.js";
import { fetched } from "./live.js";
import { t } from "./texts.js";

const root = document.getElementById("game");
const [board, sheet] = ["board", "sheet"].map((name) => root.querySelector(`[data-part="${name}"]`));
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
let shown = null; // the line of the scoresheet whose board is shown; null: that of now

const lineOf = (turn) => Number(turn.dataset.keep.slice("turn-".length));
const newest = () => Math.max(0, ...[...sheet.querySelectorAll("details[data-keep]")].map(lineOf));
const past = () => board.querySelector(".past");
const say = (text) => (document.getElementById("told").textContent = text);

async function show(line) {
  if (line >= newest()) return backToNow();
  shown = line;
  const page = await fetched(root.dataset.past.replace(/0$/, line));
  if (shown !== line) return;
  const fresh = page?.querySelector(".past");
  if (!fresh) return backToNow();
  const before = past();
  const focused = before?.contains(document.activeElement);
  before?.remove();
  board.append(fresh);
  if (focused) past().querySelector("button").focus({ preventScroll: true });
  say(past().querySelector("strong").textContent);
}

// Shows the board of now again. The focus goes on to the turn whose board was shown.
export function backToNow() {
  if (shown === null) return;
  const turn = sheet.querySelector(`[data-keep="turn-${shown}"] summary`);
  const focused = past()?.contains(document.activeElement);
  shown = null;
  past()?.remove();
  if (focused) focusOn(turn);
  say(t("The board now"));
}

// What a tap does comes before the turn opens or closes.
sheet.addEventListener("click", ({ target }) => {
  const turn = target.closest("summary")?.closest("details[data-keep]");
  if (!turn) return;
  if (!turn.open) show(lineOf(turn));
  else if (lineOf(turn) === shown) backToNow();
});

board.addEventListener("click", ({ target }) => target.closest(".past button") && backToNow());

// Escape closes an open menu first.
document.addEventListener("keydown", (event) => {
  const elsewhere = event.target.closest("input, select, textarea") || document.querySelector("dialog[open], details[data-menu][open]");
  if (elsewhere || root.inert || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.key === "Escape") return backToNow();
  const line = (shown ?? newest()) + (STEPS[event.key] ?? NaN);
  if (line >= 0) show(line);
}, { capture: true });
