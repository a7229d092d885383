// Entering a play: tap squares and letters, or type the notation; the referee's verdict comes at once.

import { all, beside, choose, chosen, draw, listen, named } from "./boardedit.js";
import { ask } from "./forms.js";
import { t } from "./texts.js";

const form = document.getElementById("play-form");
const field = document.getElementById("tiles");
const box = document.getElementById("verdict");
const hint = box.querySelector("[data-hint]");
const button = document.getElementById("play-it");
const said = document.getElementById("said");
const played = new Map();
let across = true;
let asked = 0;

function redraw() {
  for (const square of all()) {
    const { face, height } = square.dataset;
    const mine = played.get(square.dataset.square);
    if (mine) draw(square, mine, Math.min(5, Number(height) + 1), { new: true });
    else draw(square, face, Number(height));
  }
  if (chosen()) choose(chosen(), way());
}

const way = () => (across ? "across" : "down");

// Where the next letter goes is said when that has changed and the focus has not: then nothing else tells it.
function say() {
  said.textContent = `${chosen().dataset.square}, ${across ? t("across") : t("down")}`;
}

function changed() {
  field.value = [...played].map(([name, face]) => `${face}@${name}`).join(" ");
  redraw();
  judge();
}

function put(face) {
  const square = chosen();
  if (!square) return;
  const name = square.dataset.square;
  if (face) played.set(name, face);
  else if (!played.delete(name)) {
    const back = beside(square, across ? -1 : 0, across ? 0 : -1);
    if (back) choose(back);
    if (back) played.delete(back.dataset.square);
  }
  const next = face && beside(square, across ? 1 : 0, across ? 0 : 1);
  if (next) choose(next);
  changed();
  if (document.activeElement !== chosen()) say();
}

function pick(square, tapped) {
  const turned = tapped && square === chosen();
  if (turned) across = !across;
  choose(square);
  redraw();
  if (turned) say();
}

const RULES = new RegExp(`(${t("Rule")}\\p{L}* \\d+|${t("House rule")})`, "iu");

// A rule that a reason names is a link to it, in a page of its own, so that the tiles stay.
function linked(text) {
  const { rules } = document.getElementById("editor").dataset;
  return text.split(RULES).map((part, at) => {
    if (at % 2 === 0) return part;
    const link = document.createElement("a");
    return Object.assign(link, { textContent: part, href: `${rules}#rule-${part.match(/\d+/) ?? 5}`, target: "_blank" });
  });
}

function show(verdict) {
  const lines = [];
  const line = (text, className = "") => {
    const element = document.createElement("p");
    element.append(...linked(text));
    element.className = className;
    lines.push(element);
  };
  if (verdict.error) line(verdict.error, "note look");
  else {
    line(verdict.told);
    for (const reason of verdict.reasons) line(reason, "note look");
  }
  box.replaceChildren(hint, ...lines);
  hint.hidden = true;
  const broken = !verdict.error && !verdict.legal;
  button.textContent = broken ? button.dataset.broken : button.dataset.legal;
  form.elements.accept.value = verdict.tiles ?? "";
}

async function judge() {
  const number = ++asked;
  if (!field.value.trim()) {
    box.replaceChildren(hint);
    hint.hidden = false;
    button.textContent = button.dataset.legal;
    return;
  }
  const body = new FormData();
  body.set("tiles", field.value);
  const verdict = await ask(document.getElementById("editor").dataset.verdict, { method: "POST", body });
  if (number === asked) show(verdict);
}

// The notation is read by the server alone: its answer says which tiles the text stands for.
async function typed() {
  await judge();
  if (form.elements.accept.value || !field.value.trim()) load(form.elements.accept.value);
}

function load(text) {
  played.clear();
  for (const tile of text.split(" ").filter(Boolean)) {
    const [face, name] = tile.split("@");
    if (named(name)) played.set(name, face);
  }
  redraw();
}

let pause;
field.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(typed, 300);
});
listen(put, pick);
// On a wide screen there is room to type, and for the photograph.
if (matchMedia("(min-width: 60rem)").matches) field.closest("details").open = true;
const photo = document.querySelector(".editor .photo");
if (photo && matchMedia("(min-width: 60rem)").matches) photo.open = true;
const wanted = named(new URLSearchParams(location.search).get("square"));
if (wanted) pick(wanted, false);
if (field.value.trim()) typed();
