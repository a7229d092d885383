// The end of a game: what the tiles told of come to, and what is not accounted for.

import "./forms.js";

const form = document.getElementById("finish");
const box = document.getElementById("accounted");

const tiles = (count) => `${count} tile${count === 1 ? "" : "s"}`;

function said() {
  const { total, board } = form.dataset;
  const chosen = [...form.querySelectorAll('input[type="radio"]:checked')];
  const racks = chosen.reduce((sum, input) => sum + Number(input.value), 0);
  const rest = Number(total) - Number(board) - racks;
  const where = `${board} on the board, ${racks} on the ${chosen.length === 1 ? "rack" : "racks"}`;
  if (rest < 0) return `${where}: ${tiles(-rest)} more than the set has. Count again.`;
  if (!rest) return `${where}: all ${total} tiles are accounted for.`;
  const others = rest === 1 ? "1 is" : `${rest} are`;
  const empty = ["out", "stuck"].includes(form.elements.reason.value);
  return empty
    ? `${where}: ${others} not accounted for, though the draw pile is empty. Count again.`
    : `${where}; ${others} in the draw pile.`;
}

function tell() {
  if (box) box.textContent = said();
}

form.addEventListener("change", tell);
tell();
