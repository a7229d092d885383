// The form for a new game: with one player, it tells which solo total there is to beat.

import { ask } from "./forms.js";

const form = document.getElementById("setup");
const box = document.getElementById("solo-record");
let asked = 0;
let pause;

async function tell() {
  const number = ++asked;
  const fields = [...new FormData(form)];
  const players = fields.filter(([name, value]) => name.startsWith("player") && value.trim());
  if (players.length !== 1) return void (box.hidden = true);
  const terms = fields.filter(([name]) => name === "edition" || name.startsWith("rule"));
  const answer = await ask(`${box.dataset.record}?${new URLSearchParams(terms)}`);
  if (number !== asked) return;
  box.textContent = answer.text ?? "";
  box.hidden = !answer.text;
}

form.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(tell, 200);
});
tell();
