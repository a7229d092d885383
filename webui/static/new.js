// The form for a new game: players of earlier games are tapped; with one player it tells which total there is to beat.

import { ask } from "./forms.js";

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
  if (players.length !== 1) return void (box.hidden = true);
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

// Who begins: a name moves up by a tap, or all are shuffled.
const order = document.getElementById("order");
const begins = document.getElementById("begins");

function moved(event) {
  const at = Number(event.target.closest("[data-earlier]")?.dataset.earlier);
  if (!at) return;
  [fields[at - 1].value, fields[at].value] = [fields[at].value, fields[at - 1].value];
  changed();
  if (fields[0].value.trim()) begins.textContent = `${fields[0].value.trim()} begins.`;
}

function shuffle() {
  const names = fields.map((field) => field.value.trim()).filter(Boolean);
  for (let at = names.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [names[at], names[other]] = [names[other], names[at]];
  }
  fill(names);
  changed();
  begins.textContent = names.length > 1 ? `${names[0]} begins.` : "";
}

function tapped(event) {
  const name = event.target.closest("[data-player]")?.dataset.player;
  if (!name) return;
  const names = fields.map((field) => field.value.trim()).filter(Boolean);
  const at = names.indexOf(name);
  if (at >= 0) names.splice(at, 1);
  else if (names.length < fields.length) names.push(name);
  fill(names);
  changed();
}

function changed() {
  mark();
  begins.textContent = "";
  order.hidden = fields.filter((field) => field.value.trim()).length < 2;
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
