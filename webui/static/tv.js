// The view for a television keeps itself up to date, and the screen awake where the browser lets it.

import { follow, renew } from "./live.js";
import { tick } from "./timer.js";

const root = document.getElementById("tv");
follow(root.dataset.events, async () => {
  const fresh = await renew("tv");
  tick();
  return fresh;
});
document.addEventListener("gone", () => (document.getElementById("gone").hidden = false));

async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  await navigator.wakeLock?.request("screen").catch(() => null);
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();
