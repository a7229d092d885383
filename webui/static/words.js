// The box that looks a word up answers in place.

import { ask } from "./forms.js";

function line(text, className = "") {
  const element = document.createElement("p");
  element.textContent = text;
  element.className = className;
  return element;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.words) return;
  event.preventDefault();
  const box = form.querySelector(".answer");
  const answer = await ask(`${form.dataset.words}?${new URLSearchParams(new FormData(form))}`);
  if (answer.error) return box.replaceChildren(line(answer.error, "flag"));
  const verdict = line("", answer.playable ? "" : "flag");
  const word = document.createElement("strong");
  word.textContent = answer.word;
  verdict.append(word, answer.playable ? ": ✓ playable" : ": ✗ not playable");
  const lines = [verdict];
  if (answer.meaning) lines.push(line(answer.meaning));
  if (answer.reason) lines.push(line(answer.reason, "soft"));
  box.replaceChildren(...lines);
});
