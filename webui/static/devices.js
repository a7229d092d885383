// The list of devices keeps itself up to date, and the focus stays with the device whose button was pressed.

import "./forms.js";
import { follow, renew } from "./live.js";

const SEEN_MS = 30000;
const list = document.getElementById("devices");

// The device and the button that a key would press, or nothing.
function focused() {
  const at = document.activeElement;
  return at && list.contains(at) ? { device: at.closest("[data-device]")?.dataset.device, text: at.textContent } : null;
}

function refocus({ device, text }) {
  if (list.contains(document.activeElement)) return;
  const buttons = [...list.querySelectorAll(`[data-device="${device}"] button`)];
  const same = buttons.find((each) => each.textContent === text) ?? buttons[0];
  (same ?? document.getElementById("devices-title")).focus({ preventScroll: true });
}

async function refresh() {
  const from = focused();
  await renew("devices");
  if (from) refocus(from);
}

if (list) {
  follow(list.dataset.events, refresh, document.getElementById("offline"));
  setInterval(refresh, SEEN_MS); // when each was seen
  document.addEventListener("changed", () => renew("codes"));
}
