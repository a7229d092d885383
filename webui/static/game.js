// The page of a game keeps itself up to date: an event says that something changed, and the parts are fetched.

import { renewed } from "./camera.js";
import { ask, focusOn, messages, toast } from "./forms.js";
import { lookBack } from "./analysis.js";
import { keep as keepFor } from "./kept.js";
import { FETCH_MS, follow } from "./live.js";
import { backToNow } from "./past.js";
import "./share.js";
import { tick } from "./timer.js";
import "./words.js";
import { t } from "./texts.js";

const root = document.getElementById("game");
const GLIDE_MS = 300; // [by eye]
const parts = new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));

// Whether the page shows the game as it is now.
async function update() {
  const answer = await ask(root.dataset.parts, { milliseconds: FETCH_MS });
  if (answer.gone) over();
  if (!answer.parts) return false;
  if (answer.scores !== root.dataset.scores || answer.mine !== root.dataset.mine) {
    const watches = answer.mine ? t("You are %(player)s now.", { player: answer.mine }) : t("This device only watches now.");
    const text = answer.scores === "yes" ? t("This device keeps the score now.") : watches;
    keepFor("sessionStorage", "said", JSON.stringify({ text }));
    location.reload();
  }
  const from = focused();
  const had = Boolean(document.getElementById("question"));
  const board = parts.get("board"), look = parts.get("look");
  const { top } = board.getBoundingClientRect(), { top: questionTop } = look.getBoundingClientRect();
  const glide = glideFromHere();
  const renewedParts = Object.entries(answer.parts).filter(([name, part]) => put(name, part));
  if (renewedParts.some(([name]) => ["board", "look", "sheet"].includes(name))) backToNow();
  const has = Boolean(document.getElementById("question"));
  // A question comes and goes above the board. The board stays where it is, as far as the page can be scrolled.
  if (has !== had) scrollBy(0, board.getBoundingClientRect().top - top);
  // A notice comes and goes above a question. The answers stay where they are, or go on gliding into sight.
  const moved = look.getBoundingClientRect().top - questionTop;
  if (has && had && moved) scrollBy(0, moved);
  glide();
  named(answer.title);
  forgetUndo(answer.version);
  if (from) refocus(from);
  say();
  tick();
  renewed();
  lookBack(parts.get("after"));
  watchQuestion();
  if (photographed || (has && !had && top >= 0)) showQuestion();
  photographed = false;
  return true;
}

// A game may be renamed while it is shown.
function named(title) {
  document.getElementById("page-title").textContent = title;
  const mine = parts.get("actions").querySelector("[data-mine]") ? `${t("Your turn")} · ` : "";
  document.title = `${mine}${title} · Upscore`;
}

// An Undo that a message offers goes as soon as something else has happened: it would be refused.
function forgetUndo(version) {
  const sent = document.querySelector('.toast [name="version"]');
  if (!sent || Number(sent.value) === version) return;
  const focused = sent.form.contains(document.activeElement);
  sent.form.remove();
  if (focused) focusOn(null);
}

// Whether the part has changed.
function put(name, { html, digest }) {
  const part = parts.get(name);
  if (!part || part.dataset.digest === digest) return false;
  const kept = keep(part);
  part.innerHTML = html;
  part.dataset.digest = digest;
  restore(part, kept);
  return true;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const cards = [...root.querySelectorAll("[data-part], .words, .rooms")];

// The upper edge of every card, NaN for an empty one.
const tops = () => cards.map((card) => card.getBoundingClientRect()).map(({ top, height }) => (height ? top : NaN));

// Notes where the cards are now. The function it returns lets each glide from there to where a change has put it. A card
// that was only scrolled does not glide.
function glideFromHere() {
  const before = tops();
  const from = scrollY;
  return () => {
    if (calm.matches) return;
    for (const card of cards) card.getAnimations().forEach((glide) => glide.cancel());
    const after = tops();
    for (const [at, card] of cards.entries()) {
      const moved = Math.round(before[at] - after[at]);
      if (!moved || moved === Math.round(scrollY - from)) continue;
      card.animate({ transform: [`translateY(${moved}px)`, "none"] }, { duration: GLIDE_MS, easing: "ease-out" });
    }
  };
}

// A question out of sight is a tap away on every device. It comes into sight by itself after this device's own photograph,
// and while the board's upper edge is in sight.
const pointer = document.createElement("button");
pointer.type = "button";
pointer.className = "waits";
pointer.textContent = t("Question waiting");
pointer.hidden = true;
messages().append(pointer);
const sight = new IntersectionObserver(([{ isIntersecting }]) => (pointer.hidden = isIntersecting), { rootMargin: "-80px 0px" });
let photographed = false;

function watchQuestion() {
  const question = document.getElementById("question");
  sight.disconnect();
  if (question) sight.observe(question);
  else pointer.hidden = true;
}

// The question's card, if its heading is out of sight.
function showQuestion() {
  const heading = document.getElementById("question");
  const { top = 0, bottom = 0 } = heading?.getBoundingClientRect() ?? {};
  if (heading && (top < 80 || bottom > innerHeight - 80)) heading.closest(".ask").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
}

pointer.addEventListener("click", () => {
  showQuestion();
  document.querySelector(".ask :is(button, a, input:not([type=hidden]))")?.focus({ preventScroll: true });
});
document.addEventListener("photographed", () => (photographed = true));

// What a person has opened or chosen stays as it is when the part around it is renewed, and what a key would press.
function keep(part) {
  const marked = [...part.querySelectorAll("[data-keep]")];
  const state = (element) => ({
    value: element.open ?? element.checked,
    focused: element.contains(document.activeElement),
  });
  return new Map(marked.map((element) => [element.dataset.keep, state(element)]));
}

function restore(part, kept) {
  for (const element of part.querySelectorAll("[data-keep]")) {
    const was = kept.get(element.dataset.keep);
    if (!was) continue;
    if ("open" in element) element.open = was.value;
    else if ("checked" in element) element.checked = was.value;
    if (was.focused) (element.querySelector("summary") ?? element).focus({ preventScroll: true });
  }
}

// What a key would press, told by what it does: the parts around it are renewed, and with them the element itself.
const does = (element) => `${element.closest("form")?.action} ${element.href} ${element.value} ${element.textContent.trim()}`;

function focused() {
  const element = document.activeElement;
  const part = element?.closest("[data-part]");
  return part && { element, part, does: does(element), form: element.closest("form")?.action };
}

// The same control, else the one of the same form (its words have changed), else the page: never nowhere.
function refocus({ element, part, does: did, form }) {
  if (element.isConnected || !document.activeElement?.matches("body")) return;
  const controls = [...part.querySelectorAll("button, a[href], summary, input:not([type=hidden])")];
  const same = controls.find((each) => does(each) === did) ?? controls.find((each) => form && each.closest("form")?.action === form);
  (same ?? document.getElementById("page-title")).focus({ preventScroll: true });
}

// Scores and questions are said once: when they have changed.
const news = () => [document.getElementById("headline"), document.getElementById("question")].map((each) => each?.textContent.trim()).filter(Boolean).join(" ");
let told = news();

function say() {
  if (news() === told) return;
  told = news();
  document.getElementById("said").textContent = told;
}

// A tap on a letter of the newest play opens the pad of letters for it. Keys get there by the scoresheet.
root.addEventListener("click", ({ target }) => {
  const tile = target.closest("[data-correct] .tile.new");
  if (!tile) return;
  const { square } = tile.closest("[data-square]").dataset;
  location.assign(`${tile.closest("[data-correct]").dataset.correct}?square=${square}`);
});

document.addEventListener("change", async ({ target }) => {
  if (target.id !== "minutes") return;
  const { error } = await ask(target.form.action, { method: "POST", body: new FormData(target.form) });
  if (error) toast(error);
});

// Of a game that was deleted the last state stays to be read, and nothing of it can be pressed.
function over() {
  document.dispatchEvent(new Event("gone"));
  const gone = document.getElementById("gone");
  gone.hidden = false;
  const held = root.contains(document.activeElement);
  sight.disconnect();
  pointer.hidden = true;
  root.inert = true;
  if (held) gone.querySelector("a").focus({ preventScroll: true });
}

watchQuestion();
document.addEventListener("changed", follow(root.dataset.events, update));
renewed();
lookBack(parts.get("after"));
