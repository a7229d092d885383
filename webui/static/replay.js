// Stepping through a game: buttons, arrow keys and swipes bring the next turn without loading the page anew. It plays by
// itself only once somebody asks for it, and stops as soon as somebody steps.

import { renew } from "./live.js";
import { t } from "./texts.js";

const FAR_ENOUGH = 50;
const KEYS = { ArrowLeft: "Back", ArrowRight: "On", Home: "The start", End: "The end" };
const root = document.getElementById("replay");
const PACE_MS = 3000; // long enough to read a turn and look at its tiles [by eye]
const button = document.getElementById("play");
let busy = false;
let playing;

const link = (label) => root.querySelector(`[data-step="${label}"][href]`);

async function show(url, focused) {
  if (busy) return;
  busy = true;
  const fresh = await renew("replay", url);
  busy = false;
  if (!fresh) return location.assign(url);
  if (focused) root.querySelector(`[data-step="${focused}"]`)?.focus();
  document.getElementById("said").replaceChildren(...document.getElementById("told").cloneNode(true).childNodes);
  ahead();
}

function go(label, focused) {
  const next = link(label);
  if (!next || busy) return null;
  history.replaceState(null, "", next.href);
  return show(next.href, focused);
}

function stepped(label, focused) {
  pause();
  go(label, focused);
}

// Played to its end, it plays again from the start.
async function play() {
  const current = {};
  playing = current;
  button.textContent = t("Pause");
  if (!link("On")) await go("The start");
  while (playing === current && link("On")) {
    await new Promise((later) => setTimeout(later, PACE_MS));
    if (playing === current && document.visibilityState === "visible") await go("On");
  }
  if (playing === current) pause();
}

function pause() {
  playing = null;
  if (button) button.textContent = t("Play");
}

const turnOver = () => (playing ? pause() : play());

// The next turn's photograph is on its way before it is asked for.
async function ahead() {
  const next = link("On");
  if (!next) return;
  const text = await fetch(next.href).then((response) => response.text()).catch(() => "");
  const image = new DOMParser().parseFromString(text, "text/html").querySelector(".shot img");
  if (image) new Image().src = image.getAttribute("src");
}

root.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-step]");
  if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stepped(pressed.dataset.step, pressed.dataset.step);
});

document.addEventListener("keydown", (event) => {
  if (event.key === " " && button && !event.repeat && !event.target.closest("a, button, input")) {
    event.preventDefault();
    turnOver();
  }
  const label = KEYS[event.key];
  if (!label || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  event.preventDefault();
  stepped(label, event.target.dataset?.step);
});

let from = null;
root.addEventListener("touchstart", (event) => {
  from = event.touches.length === 1 ? event.touches[0] : null;
}, { passive: true });
root.addEventListener("touchend", (event) => {
  if (!from) return;
  const { clientX, clientY } = event.changedTouches[0];
  const [across, down] = [clientX - from.clientX, clientY - from.clientY];
  if (Math.abs(across) > FAR_ENOUGH && Math.abs(across) > 2 * Math.abs(down)) stepped(across < 0 ? "On" : "Back");
  from = null;
});
if (button) {
  button.hidden = false;
  button.addEventListener("click", turnOver);
}
ahead();
