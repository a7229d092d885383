// The page of a game keeps itself up to date: an event says that something changed, and the parts are fetched.

import { renewed } from "./camera.js";
import { ask } from "./forms.js";
import { lookBack } from "./analysis.js";
import "./grid.js";
import "./phone.js";
import { tick } from "./timer.js";
import "./words.js";

const root = document.getElementById("game");
const parts = new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
let fetching = false;
let again = false;

async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  do {
    again = false;
    const answer = await ask(root.dataset.parts);
    if (!answer.parts) continue;
    for (const [name, part] of Object.entries(answer.parts)) put(name, part);
    renewed();
    lookBack(parts.get("after"));
  } while (again);
  fetching = false;
}

function put(name, { html, digest }) {
  const part = parts.get(name);
  if (!part || part.dataset.digest === digest) return;
  const kept = keep(part);
  part.innerHTML = html;
  part.dataset.digest = digest;
  restore(part, kept);
  if (name === "players") {
    say();
    tick();
  }
}

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

function say() {
  document.getElementById("said").textContent = document.getElementById("headline")?.textContent ?? "";
}

const lost = document.getElementById("offline");
let stream;

// A browser gives up on a stream that was answered with an error; then it is opened anew.
function listen() {
  stream = new EventSource(root.dataset.events);
  stream.addEventListener("change", refresh);
  stream.addEventListener("open", () => (lost.hidden = true));
  stream.addEventListener("error", () => {
    lost.hidden = false;
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  });
}

// A phone that slept may have lost the stream without noticing.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") refresh();
});
document.addEventListener("changed", refresh);
window.addEventListener("pagehide", () => stream.close());
window.addEventListener("pageshow", (event) => event.persisted && listen());

listen();
renewed();
lookBack(parts.get("after"));
