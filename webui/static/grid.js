// The grid as it was found in the camera's picture, four corners to drag where it is wrong, and a check by eye.

import { ask, toast } from "./forms.js";
import { t } from "./texts.js";

const dialog = document.getElementById("grid");
const stage = document.getElementById("grid-stage");
const picture = stage.querySelector("img");
const flat = document.getElementById("grid-flat");
const told = document.getElementById("grid-told");
const handles = [...stage.querySelectorAll(".corner")];
const STEP = 0.002;
const LEAP = 0.02;
const HOW = t("Drag each mark to the outer corner of the squares. TL is the top left as you read the letters. Arrow keys move the selected mark; with Shift, further.");
const ASIDE = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];

let url;
let flatUrl;
let size = 8;
let corners = [];

function show(name) {
  for (const row of ["first", "moving", "checking"]) document.getElementById(`grid-${row}`).hidden = row !== name;
  stage.classList.toggle("moving", name === "moving");
  stage.hidden = name === "checking";
  flat.hidden = name !== "checking";
  for (const handle of handles) handle.hidden = name !== "moving";
}

document.addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-grid]");
  if (!opener) return;
  url = opener.dataset.grid;
  flatUrl = opener.dataset.flat;
  picture.src = `${document.querySelector("[data-camera]").dataset.camera}?${Date.now()}`;
  dialog.showModal();
  find();
});

async function find() {
  show("first");
  corners = [];
  draw();
  told.textContent = t("Looking for the grid …");
  const answer = await ask(url);
  const found = Boolean(answer.corners);
  size = answer.size ?? size;
  corners = found ? answer.corners : ASIDE.map((corner) => [...corner]);
  if (!found) move(answer.error);
  else told.textContent = `${answer.given ? t("These corners were given.") : t("This grid was found.")} ${t("Every line should run between two squares.")}`;
  dialog.querySelector('[data-do="forget"]').hidden = !answer.given;
  draw();
}

// The corners can be dragged; what made that needful is said first.
function move(reason) {
  show("moving");
  told.textContent = reason ? `${reason} ${HOW}` : HOW;
  handles[0].focus();
}

// Where a point of the unit square lies between corners, seen in perspective.
export function place([[x0, y0], [x1, y1], [x2, y2], [x3, y3]], u, v) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const h = (dx1 * dy3 - dx3 * dy1) / whole;
  const w = g * u + h * v + 1;
  return [((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / w, ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / w];
}

// The lines of a grid of so many rows between four corners, as an SVG path over a picture of 100 by 100; no corners: none.
export function gridPath(between, rows) {
  const point = (u, v) => place(between, u, v).map((share) => (100 * share).toFixed(2)).join(" ");
  const lines = [];
  for (let at = 0; between.length && at <= rows; at += 1) {
    const share = at / rows;
    lines.push(`M${point(share, 0)}L${point(share, 1)}M${point(0, share)}L${point(1, share)}`);
  }
  return lines.join("");
}

function draw() {
  stage.querySelector("path").setAttribute("d", gridPath(corners, size));
  corners.forEach(([x, y], at) => {
    handles[at].style.left = `${100 * x}%`;
    handles[at].style.top = `${100 * y}%`;
  });
}

function put(at, x, y) {
  corners[at] = [Math.min(1.1, Math.max(-0.1, x)), Math.min(1.1, Math.max(-0.1, y))];
  draw();
}

handles.forEach((handle, at) => {
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.focus();
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = stage.getBoundingClientRect();
    put(at, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  handle.addEventListener("keydown", (event) => {
    const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (!right && !down) return;
    const step = event.shiftKey ? LEAP : STEP;
    put(at, corners[at][0] + right * step, corners[at][1] + down * step);
    event.preventDefault();
  });
});

const text = () => corners.map(([x, y]) => `${x.toFixed(5)},${y.toFixed(5)}`).join(" ");

// Why the corners were not taken; null where they were.
async function send(body) {
  const answer = await ask(url, { method: "POST", body });
  if (answer.error) return answer.error;
  dialog.close();
  if (answer.message) toast(answer.message);
  return null;
}

function given(value) {
  const body = new FormData();
  body.set("corners", value);
  return body;
}

const DOES = {
  fits: () => dialog.close(),
  close: () => dialog.close(),
  move: () => move(),
  back: () => move(),
  forget: async () => {
    const refused = await send(given(""));
    if (refused) told.textContent = refused;
    else document.dispatchEvent(new Event("changed"));
  },
  turn: () => {
    corners.unshift(corners.pop());
    draw();
  },
  check: async () => {
    const shown = `${flatUrl}?corners=${encodeURIComponent(text())}`;
    const answer = await fetch(shown, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) {
      told.textContent = (await answer?.json().catch(() => null))?.error ?? t("Can't reach the computer. Try again.");
      return;
    }
    flat.src = shown;
    show("checking");
    told.textContent = t("This is the board from straight above. Is each letter upright and in one square?");
    dialog.querySelector('[data-do="keep"]').focus();
  },
  keep: async () => {
    const refused = await send(given(text()));
    if (refused) move(refused);
  },
};

dialog.addEventListener("click", ({ target }) => DOES[target.closest("[data-do]")?.dataset.do]?.());
