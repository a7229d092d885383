// The rules that have all the words that are typed in one sentence, or in their heading and one sentence.

import { plural, t } from "./texts.js";

const field = document.getElementById("search");
const text = (element) => element.textContent.toLowerCase();
const rules = [...document.querySelectorAll(".rule")].map((card) => {
  const heading = text(card.querySelector("h2"));
  return { card, lines: [...card.querySelectorAll("p, li")].map((line) => `${heading} ${text(line)}`) };
});

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rules.filter(({ lines }) => lines.some((line) => words.every((word) => line.includes(word))));
  for (const rule of rules) rule.card.hidden = !found.includes(rule);
  const count = found.length ? plural("%(number)s rule matches.", "%(number)s rules match.", found.length) : t("No rule matches.");
  document.getElementById("matches").textContent = words.length ? count : "";
}

field.closest(".search").dataset.works = "";
field.addEventListener("input", search);
search(); // a browser may keep what was typed
