// A timer for a turn, for tables that want one: chosen on this screen, it starts anew when the turn does.

import { keep, kept } from "./kept.js";

const form = document.getElementById("timing");
const key = "upscore-timer";
const began = `${key}-${form?.dataset.game}`;
let announced = "";

// What another version left under the name may be no JSON: that is as good as nothing.
function remembered(name) {
  try {
    return JSON.parse(kept("localStorage", name));
  } catch {
    return null;
  }
}

const remember = (name, value) => keep("localStorage", name, JSON.stringify(value));

function seconds(box) {
  let turn = remembered(began);
  if (turn?.turn !== box.dataset.timer) {
    turn = { turn: box.dataset.timer, at: Date.now() };
    remember(began, turn);
  }
  return Number(form.elements.minutes.value) * 60 - Math.floor((Date.now() - turn.at) / 1000);
}

export function tick() {
  const box = document.querySelector("[data-timer]");
  if (!box || !form) return;
  const off = form.elements.minutes.value === "0";
  box.hidden = off;
  if (off) return;
  const left = seconds(box);
  const over = left < 0;
  const shown = Math.abs(left);
  box.textContent = `${over ? "over by " : ""}${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
  box.classList.toggle("over", over);
  if (over && announced !== box.dataset.timer) {
    announced = box.dataset.timer;
    document.getElementById("said").textContent = "The time for this turn is up.";
  }
}

if (form) {
  form.hidden = false;
  form.elements.minutes.value = remembered(key) ?? "0";
  if (!form.elements.minutes.value) form.elements.minutes.value = "0";
  form.addEventListener("change", () => {
    remember(key, form.elements.minutes.value);
    remember(began, null);
    tick();
  });
  setInterval(tick, 500);
  tick();
}
