// The tiles that a player has left, from a photograph of them: counted and read, and confirmed by a tap.

import { toast } from "./forms.js";
import { plural, t } from "./texts.js";
import { makeElement, makeItem, readTiles } from "./tiles.js";

const form = document.getElementById("finish");
const MOST = Number(form.dataset.rackSize);

async function readPhoto(input) {
  const [file] = input.files;
  if (!file) return;
  const box = document.getElementById(`found${input.dataset.rack}`);
  box.hidden = false;
  box.replaceChildren(makeElement("p", t("Reading …")));
  const found = await readTiles(file, input.dataset.read);
  input.value = "";
  if (!found.error) return show(box, found);
  box.hidden = true;
  toast(found.error);
}

function show(box, { tiles, image }) {
  const list = makeElement("ul", "", { className: "rack-tiles" });
  const said = makeElement("p");
  const yes = makeElement("button", "", { type: "button", className: "primary" });
  const no = makeElement("button", t("Count by hand"), { type: "button", className: "quiet" });
  const row = makeElement("div", "", { className: "row" });
  row.append(yes, no);
  const listLetters = () => [...list.children].map((each) => each.dataset.face);

  function tell() {
    const count = list.children.length;
    const doubtful = listLetters().filter((face) => !face).length;
    if (count > MOST) said.textContent = t("%(number)s tiles found, but a rack holds %(most)s. Remove what isn't a tile.", { number: count, most: MOST });
    else {
      const all = plural("%(number)s tile found. Is that all that is left?", "%(number)s tiles found. Is that all that is left?", count);
      said.textContent = doubtful ? `${all} ${t("Tap each letter that is in doubt.")}` : all;
    }
    yes.textContent = plural("Yes, %(number)s tile", "Yes, %(number)s tiles", count);
    yes.setAttribute("aria-disabled", count > MOST || listLetters().includes(undefined));
  }

  for (const tile of tiles) list.append(makeItem(tile, image, tell));
  image?.close();
  yes.addEventListener("click", () => {
    if (listLetters().includes(undefined)) return toast(t("A letter is still in doubt. Tap the right one."));
    if (listLetters().length > MOST) return toast(t("A rack holds %(most)s tiles. Remove what isn't a tile.", { most: MOST }));
    const radio = box.closest("fieldset").querySelector(`input[type="radio"][value="${listLetters().length}"]`);
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    box.replaceChildren(makeElement("p", listLetters().length ? t("Photographed: %(letters)s.", { letters: listLetters().join(", ") }) : t("No tile is left.")));
    radio.focus();
  });
  no.addEventListener("click", () => {
    box.hidden = true;
    box.closest("fieldset").querySelector('input[type="radio"]').focus();
  });
  box.replaceChildren(said, list, row);
  tell();
}

for (const box of form.querySelectorAll(".rack-photo")) box.hidden = false;
form.addEventListener("change", ({ target }) => target.dataset.rack !== undefined && readPhoto(target));
