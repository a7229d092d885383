// What players could have done better: looked for one turn after another, when the game is over.
// A search that was broken off begins anew when it is asked for again; one that goes on, or is done, is left alone.

import { ask } from "./forms.js";
import { t } from "./texts.js";

export async function lookBack(part) {
  const said = part.querySelector("[data-missed-said]");
  const rows = [...part.querySelectorAll("[data-missed]")];
  if (!said || said.dataset.begun) return;
  said.dataset.begun = "1";
  let found = 0;
  for (const [at, row] of rows.entries()) {
    said.textContent = t("Looking at turn %(number)s of %(total)s …", { number: at + 1, total: rows.length });
    const answer = await ask(row.dataset.missed);
    if (!row.isConnected) return;
    if (answer.error) {
      said.textContent = answer.error;
      delete said.dataset.begun;
      return;
    }
    if (!answer.missed) continue;
    const link = row.querySelector("a");
    link.textContent = answer.missed.play;
    link.href = answer.missed.to;
    row.querySelector("[data-told]").textContent = answer.missed.told;
    row.hidden = false;
    found += 1;
  }
  said.textContent = found ? "" : t("Nothing better was found.");
  said.hidden = found > 0;
}

const part = document.querySelector("[data-look-back]");
if (part) lookBack(part);
