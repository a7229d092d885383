// The form for a new game: players of earlier games are tapped; with one player it tells which total there is to beat.

import { ask } from "./forms.js";
import { t } from "./texts.js";

const form = document.getElementById("setup");
const box = document.getElementById("solo-record");
const known = document.getElementById("known");
const fields = [...form.querySelectorAll('input[name^="player"]')];
let asked = 0;
let pause;

async function tell() {
  const number = ++asked;
  const sent = [...new FormData(form)];
  const players = sent.filter(([name, value]) => name.startsWith("player") && value.trim());
  const other = sent.some(([name, value]) => name === "edition" && value === "other");
  if (players.length !== 1 || other) return void (box.hidden = true);
  const terms = sent.filter(([name]) => name === "edition" || name.startsWith("rule"));
  const answer = await ask(`${box.dataset.record}?${new URLSearchParams(terms)}`);
  if (number !== asked) return;
  box.textContent = answer.text ?? "";
  box.hidden = !answer.text;
}

// A name that plays already is marked with its place in the order of play.
function mark() {
  const names = fields.map((field) => field.value.trim());
  for (const button of known?.children ?? []) {
    const at = names.indexOf(button.dataset.player);
    button.setAttribute("aria-pressed", at >= 0);
    button.dataset.place = at + 1;
  }
}

// The names close ranks, so that the order of play has no hole.
function fill(names) {
  for (const [at, field] of fields.entries()) field.value = names[at] ?? "";
}

// Who begins: a name moves up by a tap, is dragged to another's place, or all are shuffled.
const order = document.getElementById("order");
const begins = document.getElementById("begins");
const typed = () => fields.map((field) => field.value.trim()).filter(Boolean);
let dragged = null; // the place of the name under the finger
let dropped = false; // a drag ends with a click, which moves nothing more

function move(from, to) {
  const names = fields.map((field) => field.value);
  names.splice(to, 0, ...names.splice(from, 1));
  fill(names);
  changed();
  if (fields[0].value.trim()) begins.textContent = t("%(player)s begins.", { player: fields[0].value.trim() });
}

function moved(event) {
  const handle = event.target.closest("[data-earlier]");
  if (!handle || dropped) return;
  const at = Number(handle.dataset.earlier);
  move(at, at ? at - 1 : fields.reduce((last, field, place) => (field.value.trim() ? place : last), 0));
}

form.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest("[data-earlier]");
  if (handle) dragged = Number(handle.dataset.earlier);
  handle?.setPointerCapture(event.pointerId);
});
form.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (dragged === null) return;
  const over = document.elementFromPoint(clientX, clientY)?.closest(".player")?.querySelector("input");
  const to = fields.indexOf(over);
  if (to < 0 || to === dragged || !over.value.trim()) return;
  move(dragged, to);
  dragged = to;
  dropped = true;
});
for (const end of ["pointerup", "pointercancel"]) {
  form.addEventListener(end, () => {
    dragged = null;
    setTimeout(() => (dropped = false));
  });
}

// Another set: its letters begin as those of the board that is nearest in size, until one is typed.
const own = document.querySelector(".own-set");
const nearest = JSON.parse(own.dataset.nearest);
const counts = [...own.querySelectorAll(".letters-of input")];
let letters = false;

function count() {
  const others = own.querySelector('[name="set-others"]').value.match(/\d+/g) ?? [];
  const sum = [...counts.map(({ value }) => value), ...others].reduce((total, value) => total + Number(value), 0);
  document.getElementById("set-total").textContent = t("%(number)s tiles", { number: sum });
}

function begun(event) {
  letters ||= counts.includes(event.target);
  const size = Number(event.target.value);
  if (event.target.id === "set-size" && size && !letters) {
    const near = (one, other) => (Math.abs(other - size) < Math.abs(one - size) ? other : one);
    const given = nearest[Object.keys(nearest).reduce(near)];
    for (const field of counts) field.value = given[field.name.slice(4)];
  }
  count();
}

own.addEventListener("input", begun);
count();

function shuffle() {
  const names = typed();
  for (let at = names.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [names[at], names[other]] = [names[other], names[at]];
  }
  fill(names);
  changed();
  begins.textContent = names.length > 1 ? t("%(player)s begins.", { player: names[0] }) : "";
}

function tapped(event) {
  const name = event.target.closest("[data-player]")?.dataset.player;
  if (!name) return;
  const names = typed();
  const at = names.indexOf(name);
  if (at >= 0) names.splice(at, 1);
  else if (names.length < fields.length) names.push(name);
  fill(names);
  changed();
}

// One photograph shows the turns of a few players only.
const round = form.querySelector("[data-most]");

function offerRound() {
  round.hidden = typed().length > Number(round.dataset.most);
  if (round.hidden && round.control.checked) form.querySelector('[name="photographed"][value="turn"]').checked = true;
}

function changed() {
  mark();
  offerRound();
  begins.textContent = "";
  order.hidden = typed().length < 2;
  for (const button of form.querySelectorAll("[data-earlier]")) {
    button.hidden = order.hidden || !fields[button.dataset.earlier].value.trim();
  }
  clearTimeout(pause);
  pause = setTimeout(tell, 200);
}

if (known) {
  known.hidden = false;
  known.addEventListener("click", tapped);
}
form.addEventListener("input", changed);
form.addEventListener("click", moved);
document.getElementById("shuffle").addEventListener("click", shuffle);
changed();
