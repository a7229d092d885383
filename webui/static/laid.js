// Another set's tiles, laid out and photographed: what was found is shown, and fills in the form's numbers at a tap.

import { plural, t } from "./texts.js";
import { makeElement, makeItem, readTiles } from "./tiles.js";

const WIDTH = 720; // of a photograph on the page, px
const own = document.querySelector(".own-set");
const input = own.querySelector("#laid-photo input");
const box = document.getElementById("laid");
const others = own.querySelector('[name="set-others"]');
const photos = []; // each with its picture on the page and the list of its tiles in doubt
let failures = []; // a line for each of the newest photographs that could not be read
let filled = null; // the numbers that were filled in last

async function readPhotos() {
  const files = [...input.files];
  input.value = "";
  box.hidden = false;
  failures = [];
  for (const [at, file] of files.entries()) {
    box.replaceChildren(makeElement("p", files.length > 1 ? t("Reading photo %(number)s of %(count)s …", { number: at + 1, count: files.length }) : t("Reading …")));
    const known = [others.value, ...countFaces().keys()].join(" "); // what one photograph shows plainly helps with the next
    const found = await readTiles(file, input.dataset.read, { "set-others": known });
    if (!found.error) photos.push(showPhoto(found));
    else failures.push(files.length > 1 ? t("Photo %(number)s could not be read: %(reason)s", { number: at + 1, reason: found.error }) : found.error);
  }
  show();
}

// The photograph with the letter of each tile beside it, so that one that was missed stands out; and what is in doubt.
function showPhoto({ tiles, image }) {
  const doubts = makeElement("ul", "", { className: "rack-tiles" });
  for (const tile of tiles) if (tile.faces.length > 1) doubts.append(makeItem(tile, image, tell));
  const picture = markTiles(tiles, image) ?? makeElement("p", t("This browser can't show the photo. Check the numbers yourself."));
  image?.close(); // a phone has little room for pictures
  return { faces: tiles.filter(({ faces }) => faces.length === 1).map(({ faces }) => faces[0]), doubts, picture };
}

// Returns the photograph with its marks, nothing where the browser can't open or draw it.
function markTiles(tiles, image) {
  const canvas = makeElement("canvas", "", { className: "laid-photo" });
  canvas.setAttribute("aria-hidden", "true");
  const context = image && canvas.getContext("2d");
  if (!context) return;
  const margin = 2 * image.width * Math.max(...tiles.map(({ side }) => side)); // there may be more beside those found
  const [left, right] = findSpan(tiles.map(({ x }) => x * image.width), margin, image.width);
  const [top, bottom] = findSpan(tiles.map(({ y }) => y * image.height), margin, image.height);
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

// Returns the part of a picture's side, px, that places lie in, with a margin.
function findSpan(places, margin, side) {
  return [Math.max(0, Math.min(...places) - margin), Math.min(side, Math.max(...places) + margin)];
}

const said = makeElement("p", "", { tabIndex: -1 });
const fill = makeElement("button", t("Fill in these numbers"), { type: "button", className: "primary" });

// Returns how many tiles have each letter, by all photographs and what was tapped.
function countFaces() {
  const tapped = photos.flatMap(({ doubts }) => [...doubts.children].map((each) => each.dataset.face).filter(Boolean));
  const counts = new Map();
  for (const face of [...photos.flatMap(({ faces }) => faces), ...tapped].sort((one, other) => one.localeCompare(other))) {
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  return counts;
}

// Writes what was typed as a face: the scoresheet's `as_face`.
function writeFace(text) {
  const [first, ...rest] = text.normalize("NFC").replaceAll("ß", "ẞ");
  return first.toUpperCase() + rest.join("").toLowerCase();
}

const sumCounts = (counts) => [...counts.values()].reduce((sum, number) => sum + number, 0);

function tell() {
  const counts = countFaces();
  const letters = [...counts].map(([face, number]) => `${face} ${number}`).join(", ");
  const sum = plural("%(number)s tile found: %(letters)s.", "%(number)s tiles found: %(letters)s.", sumCounts(counts), { letters });
  said.textContent = [sum, ...askDoubts()].join(" ");
}

// Returns the sentence on the tiles in doubt, none if there are none.
function askDoubts() {
  const open = photos.flatMap(({ doubts }) => [...doubts.children].filter((each) => !each.dataset.face)).length;
  const asked = plural("%(number)s more is in doubt. Tap its letter: otherwise it isn't counted.", "%(number)s more are in doubt. Tap their letters: otherwise they aren't counted.", open);
  return open ? [asked] : [];
}

function show() {
  box.hidden = !photos.length && !failures.length;
  const shown = photos.flatMap((photo, at) => {
    const off = makeElement("button", t("Remove this photo"), { type: "button", className: "quiet" });
    off.setAttribute("aria-label", t("Remove photo %(number)s", { number: at + 1 }));
    off.addEventListener("click", () => {
      photos.splice(at, 1);
      show();
      input.focus();
    });
    return [photo.picture, photo.doubts, off];
  });
  const told = failures.map((failure) => makeElement("p", failure));
  box.replaceChildren(...told, ...(photos.length ? [said, ...shown, fill] : []));
  tell();
}

// The numbers found take the place of those in the form. Later only what was found since is added or taken off, so that
// what was put right by hand stays. So do other tiles that were typed and not found.
fill.addEventListener("click", () => {
  const counts = countFaces();
  const renew = (face, before) => Math.max(0, (counts.get(face) ?? 0) + (filled ? before - (filled.get(face) ?? 0) : 0));
  const fields = [...own.querySelectorAll(".letters-of input")];
  for (const field of fields) field.value = renew(field.name.slice(4), Number(field.value));
  const typed = others.value.split(/[\s,=]+/).filter(Boolean);
  const numbers = new Map([...counts.keys()].map((face) => [face, 0]));
  for (let at = 0; at < typed.length; at += 2) numbers.set(writeFace(typed[at]), typed[at + 1] ?? "");
  for (const [face, before] of numbers) if (counts.has(face) || filled?.has(face)) numbers.set(face, renew(face, Number(before)));
  for (const field of fields) if (counts.has(field.name.slice(4))) numbers.delete(field.name.slice(4)); // has a field of its own
  others.value = [...numbers].filter(([, number]) => number !== 0).map(([face, number]) => `${face} ${number}`).join(", ");
  filled = counts;
  fields[0].dispatchEvent(new Event("input", { bubbles: true }));
  const done = plural("Filled in: %(number)s tile.", "Filled in: %(number)s tiles.", sumCounts(counts));
  said.textContent = [done, ...askDoubts(), t("Add by hand what has no mark in the photo.")].join(" ");
  said.focus();
});

own.querySelector("#laid-photo").hidden = false;
input.addEventListener("change", readPhotos);
