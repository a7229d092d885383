// This device's camera: as the game's, whose pictures are sent one after the other, as fast as they are taken in; or held
// over the board, where it takes a photograph by itself.

import { ask } from "./forms.js";
import { gridPath, place } from "./grid.js";
import { forget, keep, kept } from "./kept.js";
import { isTrue, jpeg } from "./shrink.js";
import { t } from "./texts.js";

const dialog = document.getElementById("phone");
const video = dialog.querySelector("video");
const told = document.getElementById("phone-told");
const which = document.getElementById("phone-which");
const torch = dialog.querySelector('[data-do="torch"]');
const known = document.getElementById("known");
const PACE_MS = 150;
const ANSWER_MS = 8000;
const REFUSED_MS = 2000; // where a picture was refused, as when the game is over
const RETRY_MS = 3000; // where the table's camera was not to be had, as while another program holds it
const SIDE = 1280;
const LOOK_SIDE = 640; // of the small pictures by which a camera in the hand is aimed
const SHOT_SIDE = 2048;
const SENDER = `upscore-sender ${dialog.dataset.frames}`; // the name under which this device is the table's camera
const QUALITY = 0.85;
const SHOT_QUALITY = 0.92;
const LETTER_SHARE = 0.3; // of a square's diagonal is the height of a letter drawn over the picture [by eye]
const SENT = t("Camera on. Keep this page open and the device still, then press Hands free here or on another device.");
const AIM = t("Hold it over the board and take your hands away. The photo takes itself.");
const NO_PIXELS = t("This browser doesn't let the page see the camera's pictures. Allow “canvas data” for this address, or use the Photograph button.");
const WHY = {
  NotAllowedError: t("The camera is blocked for this page. Allow it in the browser's settings for this address, or use the Photograph button."),
  NotFoundError: t("The browser finds no camera on this device. Use the Photograph button on another one."),
  NotReadableError: t("Another program is using the camera. Close it, then start the camera again."),
};

const canvas = document.createElement("canvas");
const shot = document.createElement("canvas");
let stream;
let lock;
let starting = false;
let work = send; // what is done with the camera's pictures

document.addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-phone]");
  if (!opener) return;
  target.closest("details[data-menu]")?.removeAttribute("open");
  if (!dialog.open) dialog.showModal();
  if (!stream) told.textContent = reason() ?? t("Prop it on a glass or a stand, with the whole board in view. Or hold it: an automatic photo takes itself.");
  running(Boolean(stream));
  if (!reason()) DOES[opener.dataset.phone]?.();
});

// Browsers lend a camera only to pages that came over https, or from the device itself.
function reason() {
  if (window.isSecureContext && navigator.mediaDevices?.getUserMedia) return isTrue(document.createElement("canvas")) ? null : NO_PIXELS;
  return window.isSecureContext
    ? t("This browser can't share its camera. Use the Photograph button.")
    : t("Browsers share their camera only over https. Start 'upscore serve' with --https and open that address, or use the Photograph button.");
}

async function start(deviceId) {
  if (starting) return;
  starting = true;
  try {
    await begin(deviceId);
  } finally {
    starting = false;
  }
}

async function begin(deviceId) {
  stop();
  const asked = work;
  const side = { width: { ideal: 1920 }, height: { ideal: 1080 } };
  const camera = deviceId ? { deviceId: { ideal: deviceId } } : { facingMode: { ideal: "environment" } };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { ...side, ...camera }, audio: false });
  } catch (error) {
    told.textContent = WHY[error.name] ?? t("The camera doesn't work (%(error)s). Use the Photograph button.", { error: error.name });
    if (error.name !== "NotAllowedError") setTimeout(wake, RETRY_MS);
    return;
  }
  const current = stream;
  current.getVideoTracks()[0].addEventListener("ended", wake);
  video.srcObject = current;
  running(true);
  await video.play().catch(() => null); // refused while the page is hidden: it plays when the page is back
  if (stream !== current || work !== asked) { // stopped meanwhile, or the dialog was closed
    stop();
    setTimeout(wake);
    return;
  }
  video.hidden = false;
  told.textContent = work === aim ? AIM : SENT;
  choices(current);
  stayAwake();
  work(current);
}

// A device that sleeps lets its camera go, or holds it still. It is the table's camera until somebody stops it or chooses
// another, so it goes on by itself when the page is seen again, also where the browser has loaded it anew. Its stream is
// there before its name is: the scoresheet gives that.
async function wake() {
  const wanted = stream || work === aim || kept("sessionStorage", SENDER) !== null;
  if (document.visibilityState !== "visible" || !wanted) return;
  const [track] = stream?.getVideoTracks() ?? [];
  if (!track || track.readyState === "ended" || track.muted) return start(which.value);
  if (video.paused) await video.play().catch(() => null);
  stayAwake();
}

// The browser lets the screen go whenever the page is hidden: it is asked again when the page is back.
async function stayAwake() {
  const current = stream;
  if (!current || document.visibilityState !== "visible") return;
  const asked = await navigator.wakeLock?.request("screen").catch(() => null);
  if (stream !== current) return asked?.release();
  lock?.release();
  lock = asked;
}

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  lock?.release();
  stream = lock = undefined;
  video.srcObject = null; // ends a play() that still waits for a first picture
  video.hidden = true;
  outline({});
  torch.hidden = true;
  torch.setAttribute("aria-pressed", false);
  running(false);
}

function off() {
  forget("sessionStorage", SENDER);
  stop();
}

function running(on) {
  const shown = { start: !on && !reason(), aim: !on && !reason(), shoot: on && work === aim, stop: on && work === send };
  for (const [name, is] of Object.entries(shown)) dialog.querySelector(`[data-do="${name}"]`).hidden = !is;
}

async function choices(current) {
  const [track] = current.getVideoTracks();
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  if (stream !== current) return;
  which.replaceChildren(...cameras.map(({ deviceId, label }, at) => new Option(label || t("Camera %(number)s", { number: at + 1 }), deviceId)));
  which.value = track.getSettings().deviceId ?? "";
  which.hidden = cameras.length < 2;
  torch.hidden = !track.getCapabilities?.().torch;
}

// Draws what the camera sees now, its longer side so many pixels at most.
function draw(on, side) {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  on.width = Math.round(video.videoWidth * scale);
  on.height = Math.round(video.videoHeight * scale);
  on.getContext("2d").drawImage(video, 0, 0, on.width, on.height);
}

async function posted(url, side) {
  draw(canvas, side);
  const body = await jpeg(canvas, QUALITY).catch(() => null); // null where the browser does not give it
  return body ? ask(url, { method: "POST", body, milliseconds: ANSWER_MS }) : { error: NO_PIXELS };
}

const isSeen = () => video.videoWidth > 0 && document.visibilityState === "visible";
const rest = (began, pace) => new Promise((later) => setTimeout(later, Math.max(0, pace - (performance.now() - began))));

// The phone is made the table's camera once; after that the table may choose another, or another phone, and this one stops.
async function send(current) {
  while (stream === current) {
    const began = performance.now();
    let pace = PACE_MS;
    const sender = kept("sessionStorage", SENDER);
    if (isSeen()) {
      const answer = sender ? await posted(`${dialog.dataset.frames}?sender=${sender}`, SIDE) : await ask(dialog.dataset.begins, { method: "POST", milliseconds: ANSWER_MS });
      if (stream !== current) return;
      if (answer.sender) keep("sessionStorage", SENDER, answer.sender);
      if (answer.outdated) off();
      if (answer.error) pace = REFUSED_MS;
      told.textContent = answer.error ?? SENT;
    }
    await rest(began, pace);
  }
}

// The scoresheet says of one small picture after the other what is wrong with it. One that is good is the photograph,
// as large as the camera gave it.
async function aim(current) {
  let before = [];
  while (stream === current) {
    const began = performance.now();
    let pace = PACE_MS;
    if (isSeen()) {
      draw(shot, SHOT_SIDE);
      const answer = await posted(`${dialog.dataset.aims}?before=${before.join(" ")}`, LOOK_SIDE);
      if (stream !== current) return;
      outline(answer);
      before = answer.corners ?? [];
      if (answer.hint === null) return photographed();
      if (answer.error) pace = REFUSED_MS;
      const said = answer.error ?? answer.hint;
      if (told.textContent !== said) told.textContent = said;
    }
    await rest(began, pace);
  }
}

function outline({ corners, size }) {
  dialog.querySelector("path").setAttribute("d", gridPath(corners ?? [], size));
  known.replaceChildren(...(corners ? letters(corners, size) : []));
}

// The letters that the game knows, each small at the upper left of its square: the tile itself stays to be seen.
function letters(corners, size) {
  const [[x0, y0], , [x1, y1]] = corners;
  const diagonal = Math.hypot((x1 - x0) * video.clientWidth, (y1 - y0) * video.clientHeight);
  known.style.fontSize = `${Math.max(9, LETTER_SHARE * diagonal / size)}px`;
  return [...document.querySelectorAll("#game .board [data-square]")].flatMap((square, at) => {
    const face = square.querySelector(".tile:not(.asked) b");
    if (!face) return [];
    const [x, y] = place(corners, (at % size + 0.25) / size, (Math.floor(at / size) + 0.25) / size);
    const letter = document.createElement("span");
    letter.textContent = face.textContent;
    letter.style.left = `${100 * x}%`;
    letter.style.top = `${100 * y}%`;
    return [letter];
  });
}

// What was drawn last goes the way of every photograph.
async function photographed() {
  stop();
  const taken = await jpeg(shot, SHOT_QUALITY).catch(() => null);
  if (!taken) return (told.textContent = NO_PIXELS);
  navigator.vibrate?.(60);
  dialog.close();
  const files = [new File([taken], "photograph.jpg", { type: taken.type })];
  document.dispatchEvent(new CustomEvent("photograph", { detail: { url: dialog.dataset.photo, files } }));
}

const DOES = {
  start: () => {
    off();
    start();
  },
  aim: () => {
    stop();
    work = aim;
    start();
  },
  shoot: () => {
    if (!isSeen()) return;
    draw(shot, SHOT_SIDE);
    photographed();
  },
  stop: () => {
    off();
    told.textContent = t("The camera is off.");
  },
  close: () => dialog.close(),
  torch: async () => {
    const on = torch.getAttribute("aria-pressed") !== "true";
    await stream?.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] });
    torch.setAttribute("aria-pressed", on);
  },
};

dialog.addEventListener("click", ({ target }) => DOES[target.closest("[data-do]")?.dataset.do]?.());
// In a pocket nothing takes itself. A device that was the table's camera is that again.
dialog.addEventListener("close", () => {
  if (work !== aim) return;
  stop();
  work = send;
  wake();
});
which.addEventListener("change", () => start(which.value));
document.addEventListener("visibilitychange", wake);
window.addEventListener("pageshow", wake);
window.addEventListener("pagehide", stop);
