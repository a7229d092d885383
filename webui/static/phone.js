// This device's camera as the game's: its pictures are sent one after the other, as fast as they are taken in.

import { ask } from "./forms.js";
import { forget, keep, kept } from "./kept.js";
import { isTrue, jpeg } from "./shrink.js";

const dialog = document.getElementById("phone");
const video = dialog.querySelector("video");
const told = document.getElementById("phone-told");
const which = document.getElementById("phone-which");
const torch = dialog.querySelector('[data-do="torch"]');
const PACE_MS = 150;
const ANSWER_MS = 8000;
const REFUSED_MS = 2000; // where a picture was refused, as when the game is over
const SIDE = 1280;
const SENDER = `upscore-sender ${dialog.dataset.frames}`; // the name under which this device is the table's camera
const QUALITY = 0.85;
const SENT = "Camera on. Keep this page open and the device still, then press Hands free here or on another device.";
const NO_PIXELS = "This browser keeps the camera's pictures from pages: allow it to read canvas data for this address, or use the photograph button.";
const WHY = {
  NotAllowedError: "The camera is blocked for this page: allow it in the browser's settings for this address, or use the photograph button.",
  NotFoundError: "This device has no camera that the browser can use: use the photograph button on another.",
  NotReadableError: "Another program uses the camera: close that program, then start it again.",
};

let stream;
let canvas;
let lock;
let starting = false;

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-phone]")) return;
  target.closest("details[data-menu]")?.removeAttribute("open");
  if (!dialog.open) dialog.showModal();
  if (!stream) told.textContent = reason() ?? "Prop it on a glass or a stand, with the whole board in view.";
  dialog.querySelector('[data-do="start"]').hidden = Boolean(stream) || Boolean(reason());
});

// Browsers lend a camera only to pages that came over https, or from the device itself.
function reason() {
  if (window.isSecureContext && navigator.mediaDevices?.getUserMedia) return isTrue(document.createElement("canvas")) ? null : NO_PIXELS;
  return window.isSecureContext
    ? "This browser can't share its camera. Use the photograph button."
    : "The browser lends its camera only over https: start 'upscore serve' with --https and open that address, or use the photograph button.";
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
  const side = { width: { ideal: 1920 }, height: { ideal: 1080 } };
  const camera = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: "environment" } };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { ...side, ...camera }, audio: false });
  } catch (error) {
    told.textContent = WHY[error.name] ?? `The camera cannot be used (${error.name}): use the photograph button.`;
    return;
  }
  stream.getVideoTracks()[0].addEventListener("ended", wake);
  video.srcObject = stream;
  await video.play().catch(() => null); // refused while the page is hidden: it plays when the page is back
  video.hidden = false;
  told.textContent = SENT;
  running(true);
  await choices();
  stayAwake();
  send(stream);
}

// A device that sleeps lets its camera go, or holds it still. It is the table's camera until somebody stops it or chooses
// another, so it goes on by itself when the page is seen again, also where the browser has loaded it anew.
async function wake() {
  if (document.visibilityState !== "visible" || kept("sessionStorage", SENDER) === null) return;
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
  if (stream === current) lock = asked;
  else asked?.release();
}

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  lock?.release();
  stream = lock = undefined;
  video.hidden = true;
  torch.hidden = true;
  torch.setAttribute("aria-pressed", false);
  running(false);
}

function off() {
  forget("sessionStorage", SENDER);
  stop();
}

function running(on) {
  dialog.querySelector('[data-do="start"]').hidden = on;
  dialog.querySelector('[data-do="stop"]').hidden = !on;
}

async function choices() {
  const [track] = stream.getVideoTracks();
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  which.replaceChildren(...cameras.map(({ deviceId, label }, at) => new Option(label || `Camera ${at + 1}`, deviceId)));
  which.value = track.getSettings().deviceId ?? "";
  which.hidden = cameras.length < 2;
  torch.hidden = !track.getCapabilities?.().torch;
}

// Returns what the camera sees now, null where the browser does not give it.
function picture() {
  canvas ??= document.createElement("canvas");
  const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return jpeg(canvas, QUALITY).catch(() => null);
}

async function posted(sender) {
  const body = await picture();
  return body ? ask(`${dialog.dataset.frames}?sender=${sender}`, { method: "POST", body, milliseconds: ANSWER_MS }) : { error: NO_PIXELS };
}

// The phone is made the table's camera once; after that the table may choose another, or another phone, and this one stops.
async function send(current) {
  while (stream === current) {
    const began = performance.now();
    let pace = PACE_MS;
    const sender = kept("sessionStorage", SENDER);
    if (video.videoWidth > 0 && document.visibilityState === "visible") {
      const answer = sender ? await posted(sender) : await ask(dialog.dataset.begins, { method: "POST", milliseconds: ANSWER_MS });
      if (stream !== current) return;
      if (answer.sender) keep("sessionStorage", SENDER, answer.sender);
      if (answer.outdated) off();
      if (answer.error) pace = REFUSED_MS;
      told.textContent = answer.error ?? SENT;
    }
    await new Promise((later) => setTimeout(later, Math.max(0, pace - (performance.now() - began))));
  }
}

const DOES = {
  start: () => {
    off();
    start();
  },
  stop: () => {
    off();
    told.textContent = "The camera is off.";
  },
  close: () => dialog.close(),
  torch: async () => {
    const on = torch.getAttribute("aria-pressed") !== "true";
    await stream?.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] });
    torch.setAttribute("aria-pressed", on);
  },
};

dialog.addEventListener("click", ({ target }) => DOES[target.closest("[data-do]")?.dataset.do]?.());
which.addEventListener("change", () => start(which.value));
document.addEventListener("visibilitychange", wake);
window.addEventListener("pageshow", wake);
window.addEventListener("pagehide", stop);
