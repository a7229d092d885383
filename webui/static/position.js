// Looking over the board that a game is to start from: the letter on top and the height of each stack.

import { all, choose, chosen, draw, listen } from "./boardedit.js";
import "./forms.js";

const field = document.getElementById("seen");
const assumed = document.getElementById("assumed");
const heights = document.querySelectorAll("[data-high]");
const size = Math.sqrt([...all()].length);

function changed(square) {
  const { face, height } = square.dataset;
  draw(square, face, Number(height));
  pick(square, true);
  const flat = [...all()].map((each) => [each.dataset.face, Number(each.dataset.height)]);
  field.value = JSON.stringify(Array.from({ length: size }, (_, row) => flat.slice(row * size, (row + 1) * size)));
}

function put(face) {
  const square = chosen();
  if (!square) return;
  square.dataset.face = face;
  square.dataset.height = face ? Math.max(1, Number(square.dataset.height)) : 0;
  changed(square);
}

// A square that was tapped has been looked at.
function pick(square, tapped) {
  choose(square);
  if (tapped) delete square.dataset.doubt;
  assumed.value = [...all()].filter((each) => "doubt" in each.dataset).map((each) => each.dataset.square).join(" ");
  for (const button of heights) button.setAttribute("aria-pressed", button.dataset.high === square.dataset.height);
}

for (const button of heights) {
  button.addEventListener("click", () => {
    const square = chosen();
    if (!square || (!square.dataset.face && button.dataset.high !== "0")) return;
    square.dataset.height = button.dataset.high;
    if (button.dataset.high === "0") square.dataset.face = "";
    changed(square);
  });
}
listen(put, pick);
