// The tiles that a player has left, from a photograph of them: counted and read, and confirmed by a tap.

import { toast } from "./forms.js";
import { plural, t } from "./texts.js";
import { element, item, readTiles } from "./tiles.js";

const form = document.getElementById("finish");
const MOST = Number(form.dataset.rackSize);

async function photographed(input) {
  const [file] = input.files;
  if (!file) return;
  const box = document.getElementById(`found${input.dataset.rack}`);
  box.hidden = false;
  box.replaceChildren(element("p", t("Reading …")));
  const found = await readTiles(file, input.dataset.read);
  input.value = "";
  if (found) show(box, found);
  else box.hidden = true;
}

function show(box, { tiles, image }) {
  const list = element("ul", "", { className: "rack-tiles" });
  const said = element("p");
  const yes = element("button", "", { type: "button", className: "primary" });
  const no = element("button", t("Count by hand"), { type: "button", className: "quiet" });
  const row = element("div", "", { className: "row" });
  row.append(yes, no);
  const letters = () => [...list.children].map((each) => each.dataset.face);

  function tell() {
    const count = list.children.length;
    const doubtful = letters().filter((face) => !face).length;
    if (count > MOST) said.textContent = t("%(number)s tiles found, but a rack holds %(most)s. Remove what isn't a tile.", { number: count, most: MOST });
    else {
      const all = plural("%(number)s tile found. Is that all that is left?", "%(number)s tiles found. Is that all that is left?", count);
      said.textContent = doubtful ? `${all} ${t("Tap each letter that is in doubt.")}` : all;
    }
    yes.textContent = plural("Yes, %(number)s tile", "Yes, %(number)s tiles", count);
    yes.setAttribute("aria-disabled", count > MOST || letters().includes(undefined));
  }

  for (const tile of tiles) list.append(item(tile, image, tell));
  yes.addEventListener("click", () => {
    if (letters().includes(undefined)) return toast(t("A letter is still in doubt. Tap the right one."));
    if (letters().length > MOST) return toast(t("A rack holds %(most)s tiles. Remove what isn't a tile.", { most: MOST }));
    const radio = box.closest("fieldset").querySelector(`input[type="radio"][value="${letters().length}"]`);
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    box.replaceChildren(element("p", letters().length ? t("Photographed: %(letters)s.", { letters: letters().join(", ") }) : t("No tile is left.")));
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
form.addEventListener("change", ({ target }) => target.dataset.rack !== undefined && photographed(target));
