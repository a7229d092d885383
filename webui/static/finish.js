// The end of a game: what the tiles told of come to, and what is not accounted for.

import "./forms.js";
import { plural, t } from "./texts.js";

const form = document.getElementById("finish");
const box = document.getElementById("accounted");

function said() {
  const { total, board } = form.dataset;
  const chosen = [...form.querySelectorAll('input[type="radio"]:checked')];
  const racks = chosen.reduce((sum, input) => sum + Number(input.value), 0);
  const rest = Number(total) - Number(board) - racks;
  const values = { board, racks, total };
  const where = plural("%(board)s on the board, %(racks)s on the rack", "%(board)s on the board, %(racks)s on the racks", chosen.length, values);
  const told = { where, total };
  if (rest < 0) return plural("%(where)s: %(number)s tile more than the set has. Count again.", "%(where)s: %(number)s tiles more than the set has. Count again.", -rest, told);
  if (!rest) return t("%(where)s: all %(total)s tiles are accounted for.", told);
  return ["out", "stuck"].includes(form.elements.reason.value)
    ? plural("%(where)s: %(number)s is not accounted for, though the draw pile is empty. Count again.", "%(where)s: %(number)s are not accounted for, though the draw pile is empty. Count again.", rest, told)
    : plural("%(where)s; %(number)s is in the draw pile.", "%(where)s; %(number)s are in the draw pile.", rest, told);
}

function tell() {
  if (box) box.textContent = said();
}

form.addEventListener("change", tell);
tell();
