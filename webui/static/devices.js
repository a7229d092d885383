// Codes and the list of devices keep themselves up to date, and the focus stays with what would be pressed.

import "./forms.js";
import { fetched, follow, put } from "./live.js";

const SEEN_MS = 30_000; // where the list tells when each device was seen
const HOUR_MS = 3_600_000; // codes are others after a day or two
const codes = document.getElementById("codes");
const list = document.getElementById("devices");

// The device and the button that a key would press, or nothing.
function focused(box) {
  const at = document.activeElement;
  return at && box.contains(at) ? { device: at.closest("[data-device]")?.dataset.device, text: at.textContent } : null;
}

function refocus(box, { device, text }) {
  if (box.contains(document.activeElement)) return;
  const controls = [...box.querySelectorAll(device ? `[data-device="${device}"] button` : "button, summary")];
  const same = controls.find((each) => each.textContent === text) ?? controls[0];
  (same ?? document.getElementById("devices-title")).focus({ preventScroll: true });
}

async function update() {
  const page = await fetched();
  for (const box of page ? [codes, list].filter(Boolean) : []) {
    const from = focused(box);
    put(box.id, page);
    if (from) refocus(box, from);
  }
  return page;
}

const refresh = follow(codes.dataset.events, update);
document.addEventListener("changed", refresh);
setInterval(refresh, list ? SEEN_MS : HOUR_MS);
