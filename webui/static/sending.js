// Photographs on their way to the scoresheet: each is kept until it is answered for, and sent again until then. Each has
// a key of its own, by which the scoresheet knows one that it has taken already.

import { ask, focusOn, MAX_BYTES, messages, toast, TOO_LARGE } from "./forms.js";
import { shrinkPicture } from "./shrink.js";
import { inOrder } from "./taken.js";
import { forget, keep, waiting } from "./waiting.js";
import { t } from "./texts.js";

const WAITS_S = [2, 4, 8, 15, 30, 60];
const LOST_STALLS_MS = 6000; // while the page hears nothing of the scoresheet
const SENDING_STALLS_MS = 20_000;
const ARRIVAL_STALLS_MS = 10_000; // once the browser has handed all of it over, for each try a little longer
const ARRIVAL_ASKED_MS = 500;
const READING_STALLS_MS = 90_000;
const REFUSED = [400, 404, 409, 413];
const NOT_ALLOWED = [401, 403];

const box = document.createElement("section");
box.className = "card sending";
box.hidden = true;
box.setAttribute("aria-label", t("The photo on its way"));
box.innerHTML = '<p></p><progress max="1" hidden></progress><div class="row"><button type="button" data-now hidden></button><button type="button" data-stop></button></div>';
const line = box.querySelector("p");
const bar = box.querySelector("progress");
const now = box.querySelector("[data-now]");
const stop = box.querySelector("[data-stop]");
now.textContent = t("Send now");
stop.textContent = t("Cancel");
messages().prepend(box);

let current;
let request;
let tries = 0;
let again;
let unreachable = false;
let lost = false;

const said = document.getElementById("said");

// What is said of it, how far it is (a share; null: not known), and whether it rests.
function show(text, share = null, { rests = false, aloud = text } = {}) {
  line.textContent = text;
  bar.hidden = rests;
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
  now.hidden = !rests;
  stop.textContent = rests ? t("Delete photo") : t("Cancel");
  box.hidden = false;
  if (said && aloud && said.textContent !== aloud) said.textContent = aloud;
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// One photograph after the other is made smaller, so that they go in the order in which they were taken.
let prepared = Promise.resolve();
let preparing;

document.addEventListener("photograph", ({ detail: { url, files } }) => {
  const ordered = inOrder(files);
  for (const at of files.keys()) {
    prepared = prepared.then(async () => prepare(url, (await ordered)[at])).catch(() => {
      preparing = undefined;
      hide();
      toast(t("Something went wrong with the photo. Take it again."));
    });
  }
});

async function prepare(url, { file, taken }) {
  const photo = { key: newKey(), url: new URL(url, location.href).pathname, taken };
  preparing = photo;
  document.querySelector(".toast")?.remove();
  hide();
  const picture = await shrinkPicture(file);
  preparing = undefined;
  if (photo.cancelled) return;
  if (picture.size > MAX_BYTES) {
    hide();
    return toast(TOO_LARGE);
  }
  keep({ ...photo, name: picture.name, picture });
  soon();
}

// Hides the box, unless there is something to tell still.
function hide() {
  if (current) return;
  if (preparing) return show(t("Preparing the photo …"));
  const focused = box.contains(document.activeElement);
  box.hidden = true;
  if (focused) focusOn(null);
}

// The next one that waits is sent at once, whatever was being waited for.
function soon() {
  clearTimeout(again);
  again = undefined;
  next();
}

async function next() {
  if (current) return;
  const photos = await waiting().catch(() => null);
  if (current || again) return;
  if (!photos) return unread();
  if (!photos.length) return hide();
  current = photos[0];
  const answer = await send(current, photos.length - 1);
  const sent = current;
  current = undefined;
  request = undefined;
  if (sent.cancelled) return cancelled(sent);
  await answered(sent, answer);
}

function send(photo, others) {
  const more = others ? ` ${t("(%(number)s more to send)", { number: others })}` : "";
  return new Promise((done) => {
    let stirred = Date.now();
    let patience = SENDING_STALLS_MS;
    let asking;
    photo.arrived = false;
    request = new XMLHttpRequest();
    request.open("POST", photo.url);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Idempotency-Key", photo.key);
    request.setRequestHeader("Photo-Age", (Math.max(0, Date.now() - photo.taken) / 1000).toFixed(3));
    const sending = (share) => show(`${t("Sending %(percent)s% …", { percent: Math.round(100 * share) })}${more}`, share, { aloud: t("Sending the photo") });
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      stirred = Date.now();
      if (loaded < total) sending(loaded / total);
    });
    // A browser says that it has sent what may still lie in its buffers: only the scoresheet knows whether it is there.
    request.upload.addEventListener("load", () => {
      stirred = Date.now();
      patience = ARRIVAL_STALLS_MS * (tries + 1);
      show(`${t("Sending …")}${more}`, null, { aloud: "" });
      asking = setInterval(async () => {
        const { arrived } = await ask(photo.url, { headers: { "Idempotency-Key": photo.key } });
        if (!arrived || photo.arrived || current !== photo) return;
        photo.arrived = true;
        clearInterval(asking);
        stirred = Date.now();
        patience = READING_STALLS_MS;
        show(`${t("Reading …")}${more}`, null, { aloud: t("Reading the photo") });
      }, ARRIVAL_ASKED_MS);
    });
    const stalled = setInterval(() => Date.now() - stirred > (lost ? LOST_STALLS_MS : patience) && request.abort(), 1000);
    request.addEventListener("loadend", () => {
      clearInterval(stalled);
      clearInterval(asking);
      done({ status: request.status, ...told(request.responseText) });
    });
    const body = new FormData();
    body.set("photo", photo.picture, photo.name);
    sending(0);
    request.send(body);
  });
}

function told(text) {
  try {
    const { to, message, error } = JSON.parse(text);
    return { to, message, error };
  } catch {
    return {};
  }
}

async function answered(photo, { status, to, message, error }) {
  unreachable = status === 0;
  if (to || REFUSED.includes(status)) {
    tries = 0;
    await forget(photo.key);
    if (error ?? message) toast(error ?? message);
    document.dispatchEvent(new Event("photographed"));
    document.dispatchEvent(new Event("changed"));
    return soon();
  }
  if (NOT_ALLOWED.includes(status)) return show(error ?? t("This device can't send photos here."), null, { rests: true });
  restABit(why(photo, status, error));
}

// What waits is there still, though the browser does not give it now.
function unread() {
  restABit(t("The browser lost the photo."));
}

function restABit(reason) {
  rest(WAITS_S[Math.min(tries++, WAITS_S.length - 1)], reason);
}

function why(photo, status, error) {
  if (!navigator.onLine) return t("No connection.");
  if (!status) return lost || photo.arrived ? t("Can't reach the computer.") : t("Not sent yet.");
  return error ?? t("Something went wrong (%(status)s).", { status });
}

function rest(seconds, reason) {
  if (!seconds) return soon();
  if (!preparing) show(`${reason} ${t("The photo is kept here and sent again in %(seconds)s s.", { seconds })}`, null, { rests: true, aloud: `${reason} ${t("The photo is kept here and sent again by itself.")}` });
  again = setTimeout(() => {
    again = undefined;
    rest(seconds - 1, reason);
  }, 1000);
}

now.addEventListener("click", soon);
stop.addEventListener("click", async () => {
  if (current) {
    current.cancelled = true;
    return request.abort();
  }
  if (preparing) {
    preparing.cancelled = true;
    preparing = undefined;
    hide();
    return toast(t("Cancelled. Nothing was scored."));
  }
  clearTimeout(again);
  again = undefined;
  const photos = await waiting().catch(() => null);
  if (!photos) unread();
  else if (photos.length) await cancelled(photos[0]);
  else hide();
});

// What was sent may have arrived: the scoresheet is told to take no turn from it.
async function cancelled(photo) {
  tries = 0;
  await forget(photo.key);
  const headers = { "Idempotency-Key": photo.key };
  const { message, error } = await ask(`${photo.url}/cancel`, { method: "POST", headers });
  const unknown = t("Cancelled here. If the photo had already arrived, its turn is on the scoresheet.");
  toast(error ? unknown : (message ?? t("Cancelled. Nothing was scored.")));
  document.dispatchEvent(new Event("changed"));
  soon();
}

// What was on its way when the connection died gets no answer: it goes again. A connection that is back, a page that is
// looked at again, a scoresheet that answers again: no reason to wait longer.
window.addEventListener("online", soon);
document.addEventListener("lost", () => {
  lost = true;
  request?.abort();
});
document.addEventListener("reachable", () => {
  if (lost) {
    lost = false;
    tries = 0;
    request?.abort();
  }
  if (unreachable && again) soon();
});
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && (again || box.hidden) && soon());
next();
