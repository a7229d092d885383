// Another set's tiles, laid out and photographed: what was found is shown, and fills in the form's numbers at a tap.

import { plural, t } from "./texts.js";
import { element, item, readTiles } from "./tiles.js";

const WIDTH = 720; // of a photograph on the page, px
const own = document.querySelector(".own-set");
const input = own.querySelector("#laid-photo input");
const box = document.getElementById("laid");
const others = own.querySelector('[name="set-others"]');
const photos = []; // each with its picture on the page and the list of its tiles in doubt

async function photographed() {
  const files = [...input.files];
  input.value = "";
  box.hidden = false;
  for (const [at, file] of files.entries()) {
    box.replaceChildren(element("p", files.length > 1 ? t("Reading photo %(number)s of %(count)s …", { number: at + 1, count: files.length }) : t("Reading …")));
    const known = [others.value, ...counted().keys()].join(" "); // what one photograph shows plainly helps with the next
    const found = await readTiles(file, input.dataset.read, { "set-others": known });
    if (found) photos.push(shownPhoto(found));
  }
  show();
}

// The photograph with the letter of each tile beside it, so that one that was missed stands out; and what is in doubt.
function shownPhoto({ tiles, image }) {
  const doubts = element("ul", "", { className: "rack-tiles" });
  for (const tile of tiles) if (tile.faces.length > 1) doubts.append(item(tile, image, tell));
  return { faces: tiles.filter(({ faces }) => faces.length === 1).map(({ faces }) => faces[0]), doubts, canvas: marked(tiles, image) };
}

function marked(tiles, image) {
  const canvas = element("canvas", "", { className: "laid-photo" });
  canvas.setAttribute("aria-hidden", "true");
  const context = image && canvas.getContext("2d");
  if (!context) return "";
  const margin = 2 * image.width * Math.max(...tiles.map(({ side }) => side)); // there may be more beside those found
  const [left, right] = span(tiles.map(({ x }) => x * image.width), margin, image.width);
  const [top, bottom] = span(tiles.map(({ y }) => y * image.height), margin, image.height);
  const scale = Math.min(1, WIDTH / (right - left));
  [canvas.width, canvas.height] = [(right - left) * scale, (bottom - top) * scale];
  context.scale(scale, scale);
  context.translate(-left, -top);
  context.drawImage(image, 0, 0);
  [context.textAlign, context.textBaseline] = ["center", "middle"];
  for (const tile of tiles) {
    const [sign, size] = [tile.faces.length > 1 ? "?" : tile.faces[0], tile.side * image.width];
    const [x, y, height] = [tile.x * image.width + size / 3, tile.y * image.height - size / 3, Math.max(14 / scale, size / 4)];
    context.font = `700 ${height}px sans-serif`;
    const half = Math.max(context.measureText(sign).width, height) / 2 + 1;
    context.fillStyle = sign === "?" ? "#ffd23f" : "#17324d";
    context.fillRect(x - half, y - half, 2 * half, 2 * half);
    context.fillStyle = sign === "?" ? "#000" : "#fff";
    context.fillText(sign, x, y);
  }
  return canvas;
}

// The part of a picture's side, px, that places lie in, with a margin.
function span(places, margin, side) {
  return [Math.max(0, Math.min(...places) - margin), Math.min(side, Math.max(...places) + margin)];
}

const said = element("p");
const fill = element("button", t("Fill in these numbers"), { type: "button", className: "primary" });

// Returns how many tiles have each letter, by all photographs and what was tapped.
function counted() {
  const tapped = photos.flatMap(({ doubts }) => [...doubts.children].map((each) => each.dataset.face).filter(Boolean));
  const counts = new Map();
  for (const face of [...photos.flatMap(({ faces }) => faces), ...tapped].sort((one, other) => one.localeCompare(other))) {
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  return counts;
}

const asFace = (text) => text[0].toUpperCase() + text.slice(1).toLowerCase();
const total = (counts) => [...counts.values()].reduce((sum, number) => sum + number, 0);

function tell() {
  const counts = counted();
  const letters = [...counts].map(([face, number]) => `${face} ${number}`).join(", ");
  const sum = plural("%(number)s tile found: %(letters)s.", "%(number)s tiles found: %(letters)s.", total(counts), { letters });
  const open = photos.flatMap(({ doubts }) => [...doubts.children].filter((each) => !each.dataset.face)).length;
  const asked = plural("%(number)s more is in doubt. Tap its letter: otherwise it isn't counted.", "%(number)s more are in doubt. Tap their letters: otherwise they aren't counted.", open);
  said.textContent = [sum, ...(open ? [asked] : []), t("Add by hand what has no mark in the photo.")].join(" ");
}

function show() {
  box.hidden = !photos.length;
  const shown = photos.flatMap((photo, at) => {
    const off = element("button", t("Remove this photo"), { type: "button", className: "quiet" });
    off.setAttribute("aria-label", t("Remove photo %(number)s", { number: at + 1 }));
    off.addEventListener("click", () => {
      photos.splice(at, 1);
      show();
      input.focus();
    });
    return [photo.canvas, photo.doubts, off];
  });
  box.replaceChildren(said, ...shown, fill);
  tell();
}

// The numbers found take the place of those in the form. Other tiles that were typed and not found stay as they are.
fill.addEventListener("click", () => {
  const counts = counted();
  const fields = [...own.querySelectorAll(".letters-of input")];
  for (const field of fields) field.value = counts.get(field.name.slice(4)) ?? 0;
  const found = [...counts].filter(([face]) => !fields.some((field) => field.name === `set-${face}`));
  const typed = others.value.split(/[\s,=]+/).filter(Boolean);
  const kept = typed.flatMap((face, at) => (at % 2 || counts.has(asFace(face)) ? [] : [[face, typed[at + 1] ?? ""]]));
  others.value = [...found, ...kept].map(([face, number]) => `${face} ${number}`).join(", ");
  fields[0].dispatchEvent(new Event("input", { bubbles: true }));
  box.replaceChildren(element("p", plural("Filled in: %(number)s tile. Check the numbers.", "Filled in: %(number)s tiles. Check the numbers.", total(counts))));
  fields[0].focus();
});

own.querySelector("#laid-photo").hidden = false;
input.addEventListener("change", photographed);
