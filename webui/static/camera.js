// The camera's part of a game's page: what it sees, what is told of it, aloud where that is wished for.

import { keep, kept } from "./kept.js";
import { t } from "./texts.js";

const root = document.getElementById("game");
const PICTURE_MS = 5000;
const SWITCHES = { beep: true, speech: false, chime: false };

function isOn(name) {
  const set = kept("localStorage", `upscore-${name}`);
  return set === null ? SWITCHES[name] : set === "on";
}

// As by a button of the form's own; browsers that cannot do that (iOS 15) are told what it comes to.
function submitted(form) {
  if (form.requestSubmit) return form.requestSubmit();
  if (form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }))) form.submit();
}

document.addEventListener("change", ({ target }) => {
  if (target.dataset.switch) {
    keep("localStorage", `upscore-${target.dataset.switch}`, target.checked ? "on" : "off");
    if (target.checked && target.dataset.switch === "beep") beep();
    if (target.checked && target.dataset.switch === "chime") chime();
    if (target.checked && target.dataset.switch === "speech") speakText(t("Turns are read out."));
  }
  if (target.dataset.submits !== undefined) submitted(target.form);
});

// A browser lets a page sound only once somebody has touched it, and may silence it while the device sleeps.
let audio;
function sound() {
  const Audio = window.AudioContext ?? window.webkitAudioContext;
  audio ??= Audio && new Audio();
  if (audio && audio.state !== "running") audio.resume().catch(() => null);
}
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, sound, { once: true });

const beep = () => play([[0, 660], [0.16, 880]], 0.25, 0.15);
const chime = () => play([[0, 523], [0.1, 659], [0.2, 784]], 0.08, 0.5); // softer, and it fades slowly

// Plays tones one after the other, each with the second at which it begins and its pitch.
function play(tones, loudness, seconds) {
  sound();
  if (!audio) return;
  const now = audio.currentTime;
  for (const [at, pitch] of tones) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, now + at);
    volume.gain.linearRampToValueAtTime(loudness, now + at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, now + at + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + at);
    tone.stop(now + at + seconds + 0.01);
  }
}

function speakText(text, lang = document.documentElement.lang) {
  if (!window.speechSynthesis) return;
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text.trim()), { lang }));
}

// Reads out what an element shows, each part in its own language: the words of the game, and the page's.
function speak(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const parts = [];
  while (walker.nextNode()) {
    const { lang } = walker.currentNode.parentElement.closest("[lang]");
    const last = parts[parts.length - 1];
    if (last?.lang === lang) last.text += walker.currentNode.data;
    else parts.push({ lang, text: walker.currentNode.data });
  }
  for (const { lang, text } of parts.filter((part) => /[\p{L}\d]/u.test(part.text))) {
    speakText(text, lang);
  }
}

// Each thing is told once: what the page showed when it was opened is known already.
let before;
function tell() {
  const spoken = document.getElementById("spoken");
  if (!spoken) return;
  const announced = root.querySelector("[data-state]")?.dataset.announced ?? "";
  const asked = root.querySelector("[data-question]");
  const now = { announced, turn: Number(spoken.dataset.turn), question: asked?.dataset.question ?? "", said: spoken.textContent };
  if (before && now.question && now.question !== before.question) {
    if (isOn("beep")) beep();
    if (isOn("speech")) speak(document.getElementById("question"));
  }
  const anew = before && (now.turn > before.turn || (now.turn && now.turn === before.turn && now.said !== before.said));
  if (anew && isOn("speech")) speak(spoken);
  if (anew && isOn("chime") && spoken.dataset.points > 0) chime();
  if (announced !== before?.announced) document.getElementById("told").textContent = announced;
  before = now;
}

function showPicture() {
  const image = root.querySelector("[data-camera]");
  if (!image || image.dataset.started) return;
  image.dataset.started = "1";
  let due;
  const wait = (milliseconds) => {
    clearTimeout(due);
    due = setTimeout(next, milliseconds);
  };
  const next = () => {
    if (!image.isConnected) return;
    const seen = image.closest("details").open && document.visibilityState === "visible";
    if (seen) image.src = `${image.dataset.camera}?${Date.now()}`;
    wait(seen ? PICTURE_MS : 500); // a connection that died in silence neither loads nor fails
  };
  image.addEventListener("load", () => {
    image.hidden = false;
    wait(700);
  });
  image.addEventListener("error", () => {
    image.hidden = true;
    wait(2000);
  });
  next();
}

export function renewed() {
  for (const box of root.querySelectorAll("[data-switch]")) box.checked = isOn(box.dataset.switch);
  showPicture();
  tell();
}

// Where turns are not taken by themselves, the space bar or a tap on the picture takes one.
const taking = () => root.querySelector("[data-take].primary");

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-take-by-picture]")) taking()?.click();
});

document.addEventListener("keydown", (event) => {
  const busy = event.target.closest("button, a, input, select, textarea, summary, dialog");
  if (event.key !== " " || busy || event.repeat || !taking()) return;
  event.preventDefault();
  taking().click();
});
