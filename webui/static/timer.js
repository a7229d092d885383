// The turn's timer, the same on every screen: the scoresheet says how much is left, the page counts on from there.

import { t } from "./texts.js";

const seen = new WeakMap(); // since when each timer that was sent is counted on
let announced = "";

export function tick() {
  const box = document.querySelector("[data-timer]");
  if (!box) return;
  if (!seen.has(box)) seen.set(box, Date.now());
  const left = Math.ceil((Number(box.dataset.left) - (Date.now() - seen.get(box))) / 1000);
  const over = left < 0;
  const shown = Math.abs(left);
  const time = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
  box.textContent = over ? t("over by %(time)s", { time }) : time;
  box.classList.toggle("over", over);
  const said = document.getElementById("said");
  if (said && over && announced !== box.dataset.timer) {
    announced = box.dataset.timer;
    said.textContent = t("The time for this turn is up.");
  }
}

setInterval(tick, 250);
tick();
