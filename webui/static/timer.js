// A timer for a turn, for tables that want one: chosen on this screen, it starts anew when the turn does.

const form = document.getElementById("timing");
const key = "upscore-timer";
const began = `${key}-${form?.dataset.game}`;
let announced = "";

// What was kept may be gone, or never allowed: then the timer only forgets.
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
}

function seconds(box) {
  let turn = kept(began);
  if (turn?.turn !== box.dataset.timer) {
    turn = { turn: box.dataset.timer, at: Date.now() };
    keep(began, turn);
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
  form.elements.minutes.value = kept(key) ?? "0";
  if (!form.elements.minutes.value) form.elements.minutes.value = "0";
  form.addEventListener("change", () => {
    keep(key, form.elements.minutes.value);
    keep(began, null);
    tick();
  });
  setInterval(tick, 500);
  tick();
}
