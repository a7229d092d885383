// The box that looks a word up answers in place.

import { ask } from "./forms.js";
import { t } from "./texts.js";

function made(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function icon(name) {
  const [svg, use] = ["svg", "use"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

// Returns a paragraph whose words in capitals are marked as those of a language.
function marked(className, text, lang) {
  const box = made("p", className);
  for (const part of text.split(/(\p{L}{2,})/u)) {
    const isWord = lang && /\p{L}{2}/u.test(part) && part === part.toUpperCase();
    box.append(isWord ? Object.assign(made("span", "", part), { lang }) : part);
  }
  return box;
}

function judged({ word, playable, sentence, meaning }, lang) {
  const mark = made("p", "mark");
  mark.append(icon(playable ? "yes" : "no"));
  const told = document.createElement("div");
  const heading = made("h3", "word", word);
  if (lang) heading.lang = lang;
  told.append(heading, marked("says", sentence, lang));
  if (meaning) told.append(Object.assign(made("p", "means", meaning), { lang: "en" }));
  if (meaning && document.documentElement.lang !== "en") told.append(made("p", "soft small", t("Meanings are in English.")));
  const verdict = made("article", `judged ${playable ? "good" : "bad"}`);
  verdict.append(mark, told);
  return verdict;
}

async function lookUp(form) {
  const box = form.querySelector(".answer");
  const { lang } = form.querySelector("option:checked")?.dataset ?? form.dataset; // of the words
  const answer = await ask(`${form.dataset.words}?${new URLSearchParams(new FormData(form))}`);
  box.replaceChildren(answer.error ? made("p", "flag", answer.error) : judged(answer, lang));
  for (const { name, text } of answer.hooks ?? []) {
    const near = marked("near small", ` ${text}`, lang);
    near.prepend(made("strong", "", name));
    box.append(near);
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.dataset.words) return;
  event.preventDefault();
  lookUp(event.target);
});

// Another list, and the word is judged by that one.
document.addEventListener("change", (event) => {
  const { form } = event.target;
  if (form?.dataset.words && event.target.name === "lexicon" && form.elements.word.value.trim()) lookUp(form);
});
