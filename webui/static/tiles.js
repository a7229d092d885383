// Loose tiles in a photograph: each is shown with its letter, and the letters of those in doubt are asked.

import { ask } from "./forms.js";
import { openPicture, shrinkPicture } from "./shrink.js";
import { t } from "./texts.js";

const THUMB = 56;

export const makeElement = (tag, text = "", properties = {}) => Object.assign(document.createElement(tag), { textContent: text, ...properties });

// Returns the tiles in a photograph and its pixels, null where the browser can't open it; after a failure its `error`.
// `more` are further fields to send.
export async function readTiles(file, url, more = {}) {
  const picture = await shrinkPicture(file);
  const body = new FormData();
  body.set("photo", picture, picture.name);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const answer = await ask(url, { method: "POST", body });
  if (answer.error) return { error: answer.error };
  return { tiles: answer.tiles, image: await openPicture(picture).catch(() => null) };
}

// Returns a canvas with the tile itself, upright; nothing is drawn where the browser has no canvas to draw on.
function drawTile(tile, image) {
  const canvas = makeElement("canvas", "", { width: THUMB, height: THUMB });
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

// Returns a list item for a tile: its picture and letter; in doubt, the letters that it may be, to tap; and a way to say
// that it is none.
export function makeItem(tile, image, changed) {
  const box = makeElement("li");
  if (image) box.append(drawTile(tile, image));
  if (tile.faces.length === 1) {
    box.dataset.face = tile.faces[0];
    box.append(makeElement("b", tile.faces[0]));
  } else {
    const choice = makeElement("span", "", { className: "which" });
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", t("Which letter is it?"));
    for (const face of tile.faces) {
      const button = makeElement("button", face, { type: "button" });
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
  const off = makeElement("button", "×", { type: "button", className: "quiet" });
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
