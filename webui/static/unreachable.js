// Shown when nothing answers: it asks again now and then, goes on where the page was, and shows what waits to be sent.

import { waiting, within } from "./waiting.js";
import { plural, t } from "./texts.js";

const EVERY_MS = 4000;
const THUMB = 160;
const PATIENCE_MS = 3000;

async function tryAgain() {
  try {
    await fetch(location.href, { cache: "no-store" });
  } catch {
    return;
  }
  location.reload();
}

async function thumbnail({ picture, taken }) {
  const item = document.createElement("li");
  const when = new Date(taken).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  const canvas = document.createElement("canvas");
  try {
    const image = await within(PATIENCE_MS, createImageBitmap(picture, { imageOrientation: "from-image" }));
    const scale = THUMB / Math.max(image.width, image.height);
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", t("The photo"));
    item.append(canvas);
  } catch {
    // one that this browser cannot open is told of all the same
  }
  item.append(t("taken at %(time)s", { time: when }));
  return item;
}

async function show() {
  const photos = await waiting();
  document.getElementById("waiting-title").textContent = plural("%(number)s photo waits", "%(number)s photos wait", photos.length);
  document.querySelector(".waiting").replaceChildren(...(await Promise.all(photos.map(thumbnail))));
  document.getElementById("waiting").hidden = !photos.length;
}

document.getElementById("again").addEventListener("click", tryAgain);
window.addEventListener("online", tryAgain);
setInterval(() => document.visibilityState === "visible" && tryAgain(), EVERY_MS);
show();
