// Makes a photograph as small as the board can still be read from, so that little has to be sent. Some browsers keep a
// picture's pixels from pages, or spoil them: then the file goes as it is, since the scoresheet can read it. So does a
// JPEG that wasn't just taken: a copy may be damaged, which the scoresheet finds in the file's own blocks alone.

import { timeWritten } from "./taken.js";
import { within } from "./waiting.js";

const SIDE = 2048;
const QUALITY = 0.9;
const PATIENCE_MS = 3000;
const JUST_TAKEN_MS = 5 * 60_000;
const KNOWN = Uint8ClampedArray.of(200, 40, 90, 255, 30, 160, 220, 255);
const SAMPLE = 16; // the side of what two pictures are compared by, px
// Two pictures are the same up to this mean difference of their colours (0 to 255). Of 44 photographs of 4,000 px with
// added noise the smaller copies differ by 5 at most, by 12 where a browser picks single pixels; random pixels differ by
// 48 and more, a black picture by 57 (Chromium).
const SAME = 16;

// Returns the photograph upright, its long side at most SIDE; the file itself where it is no larger, where it is a JPEG
// of which no camera says that it was just taken, and where the browser cannot open it (a HEIC), fails at it, takes too
// long, or gives another picture.
export async function shrinkPicture(file) {
  if (file.type === "image/jpeg" && !(await isJustTaken(file))) return file;
  return within(PATIENCE_MS, smaller(file)).catch(() => file);
}

// Returns whether the browser gives back what is drawn on a canvas. The faint noise that some add does no harm.
export function isTrue(canvas) {
  try {
    const known = newCanvas(2, 1);
    known.getContext("2d").putImageData(new ImageData(KNOWN, 2, 1), 0, 0);
    const context = canvas.getContext("2d");
    context.drawImage(known, 0, 0);
    return difference(context.getImageData(0, 0, 2, 1).data, KNOWN) < SAME;
  } catch {
    return false;
  }
}

// Returns the pixels of a photograph, upright; fails where the browser can't open it in time.
export async function openPicture(file) {
  return within(PATIENCE_MS, createImageBitmap(file, { imageOrientation: "from-image" }));
}

// Returns a canvas as a JPEG; fails where the browser gives none in time.
export function jpeg(canvas, quality) {
  return within(PATIENCE_MS, new Promise((done, failed) => canvas.toBlob((data) => (data ? done(data) : failed()), "image/jpeg", quality)));
}

async function isJustTaken(file) {
  const now = Date.now();
  return now - ((await timeWritten(file, now)) ?? 0) < JUST_TAKEN_MS;
}

async function smaller(file) {
  const picture = await openPicture(file);
  const scale = SIDE / Math.max(picture.width, picture.height);
  if (scale >= 1) return file;
  const canvas = newCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  if (!isTrue(canvas)) return file;
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const wanted = sampled(picture);
  picture.close();
  const data = await jpeg(canvas, QUALITY);
  canvas.width = canvas.height = 0; // a phone has little room for canvases, and frees them late
  const made = sampled(await createImageBitmap(data));
  return difference(wanted, made) < SAME ? new File([data], "photograph.jpg", { type: "image/jpeg" }) : file;
}

function newCanvas(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height });
}

// Returns a picture's colours, few of them; fails where nothing is drawn, which leaves a canvas clear.
function sampled(picture) {
  const context = newCanvas(SAMPLE, SAMPLE).getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, SAMPLE, SAMPLE);
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE);
  if (!data[3]) throw new Error("Nothing was drawn.");
  return data;
}

function difference(colours, others) {
  return colours.reduce((sum, value, at) => sum + Math.abs(value - others[at]), 0) / colours.length;
}
