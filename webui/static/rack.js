// The tiles that a player has left, from a photograph of them: counted and read, and confirmed by a tap.

import { ask, toast } from "./forms.js";
import { openPicture, shrinkPicture } from "./shrink.js";
import { plural, t } from "./texts.js";

const MOST = 7;
const THUMB = 56;
const form = document.getElementById("finish");

const element = (tag, text = "", properties = {}) => Object.assign(document.createElement(tag), { textContent: text, ...properties });

async function photographed(input) {
  const [file] = input.files;
  if (!file) return;
  const box = document.getElementById(`found${input.dataset.rack}`);
  box.hidden = false;
  box.replaceChildren(element("p", t("Reading …")));
  const picture = await shrinkPicture(file);
  input.value = "";
  const body = new FormData();
  body.set("photo", picture, picture.name);
  const answer = await ask(input.dataset.read, { method: "POST", body });
  if (answer.error) {
    box.hidden = true;
    return toast(answer.error);
  }
  show(box, answer.tiles, await openPicture(picture).catch(() => null));
}

// Returns the tile itself, upright; nothing is drawn where the browser has no canvas to draw on.
function portrait(tile, image) {
  const canvas = element("canvas", "", { width: THUMB, height: THUMB });
  canvas.setAttribute("aria-hidden", "true");
  const scale = THUMB / (tile.side * image.width);
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.translate(THUMB / 2, THUMB / 2);
  context.rotate(-tile.turn);
  context.scale(scale, scale);
  context.drawImage(image, -tile.x * image.width, -tile.y * image.height);
  return canvas;
}

function show(box, found, image) {
  const list = element("ul", "", { className: "rack-tiles" });
  const said = element("p");
  const yes = element("button", "", { type: "button", className: "primary" });
  const no = element("button", t("Count by hand"), { type: "button", className: "quiet" });
  const row = element("div", "", { className: "row" });
  row.append(yes, no);
  const letters = () => [...list.children].map((item) => item.dataset.face);

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

  for (const tile of found) list.append(item(tile, image, tell));
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

// One tile: its picture and letter; in doubt, the letters that it may be, to tap; and a way to say that it is none.
function item(tile, image, changed) {
  const box = element("li");
  if (image) box.append(portrait(tile, image));
  if (tile.faces.length === 1) {
    box.dataset.face = tile.faces[0];
    box.append(element("b", tile.faces[0]));
  } else {
    const choice = element("span", "", { className: "which" });
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", t("Which letter is it?"));
    for (const face of tile.faces) {
      const button = element("button", face, { type: "button" });
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        for (const other of choice.children) other.setAttribute("aria-pressed", other === button);
        box.dataset.face = face;
        changed();
      });
      choice.append(button);
    }
    box.append(choice);
  }
  const off = element("button", "×", { type: "button", className: "quiet" });
  const faces = tile.faces.join(` ${t("or")} `);
  off.setAttribute("aria-label", t("Not a tile: %(faces)s", { faces }));
  off.addEventListener("click", () => {
    const next = (box.nextElementSibling ?? box.previousElementSibling)?.querySelector("button:last-child");
    box.remove();
    next?.focus();
    changed();
  });
  box.append(off);
  return box;
}

for (const box of form.querySelectorAll(".rack-photo")) box.hidden = false;
form.addEventListener("change", ({ target }) => target.dataset.rack !== undefined && photographed(target));
