import { forget, keep, kept } from "./kept.js";
import { patience } from "./live.js";
import { shrinkPicture } from "./shrink.js";
import { t } from "./texts.js";

// Forms marked data-live are sent without leaving the page; the answer says where to go, or what is wrong.

export const MAX_BYTES = 64 * 1024 * 1024;
export const TOO_LARGE = t("The photo is larger than 64 MB. Send a smaller one.");

const ANSWER_MS = 90_000;
const SHOWN_MS = 6000;
const SHOWN_A_LETTER_MS = 70;

// A message goes by itself once there was time to read it, unless somebody is at it.
function expire(box, after) {
  setTimeout(() => {
    if (box.matches(":hover, :focus-within")) expire(box, 2000);
    else box.remove();
  }, after);
}

// Where messages stand, one above the other.
export function messages() {
  const there = document.querySelector(".messages");
  if (there) return there;
  const box = document.createElement("div");
  box.className = "messages";
  document.body.append(box);
  return box;
}

// The focus goes on to an element, or to the page's heading where that is gone: never nowhere.
export function focusOn(element) {
  if (element?.isConnected && element !== document.body) return element.focus({ preventScroll: true });
  const heading = document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

// `undo` has the address and the version of the game by which what is told of is undone; `report` is the address of the
// report on the photograph that was misread.
export function toast(text, { undo, report } = {}) {
  document.querySelector(".toast")?.remove();
  const box = document.createElement("div");
  box.className = "note look toast";
  box.setAttribute("role", "alert");
  const line = document.createElement("p");
  line.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet";
  close.textContent = t("Close");
  const before = document.activeElement;
  close.addEventListener("click", () => {
    box.remove();
    focusOn(before);
  });
  box.append(line, ...(report ? [reporting(report)] : []), ...(undo ? [undoing(undo, box)] : []), close);
  messages().append(box);
  expire(box, SHOWN_MS + SHOWN_A_LETTER_MS * text.length);
}

function reporting(href) {
  const link = { className: "button", href, download: "", textContent: t("Save a report") };
  return Object.assign(document.createElement("a"), link);
}

function undoing({ url, version }, box) {
  const form = Object.assign(document.createElement("form"), { method: "post", action: url });
  form.dataset.live = "";
  const sent = Object.assign(document.createElement("input"), { type: "hidden", name: "version", value: version });
  form.append(sent, Object.assign(document.createElement("button"), { textContent: t("Undo") }));
  form.addEventListener("submit", () => setTimeout(() => box.remove()));
  return form;
}

// What an address answers; `gone` says that what it was about is there no longer, `outdated` that others decided since.
export async function ask(url, { milliseconds = ANSWER_MS, ...options } = {}) {
  const headers = { Accept: "application/json", ...options.headers };
  let response;
  try {
    response = await fetch(url, { ...options, headers, signal: patience(milliseconds) });
  } catch {
    return { error: t("Can't reach the computer. Check the connection, then try again.") };
  }
  if (response.status === 401) location.reload(); // this device was sent out: the page says how to get in again
  try {
    const answer = await response.json();
    const told = { 404: "gone", 409: "outdated" }[response.status];
    return told ? { ...answer, [told]: true } : answer;
  } catch {
    return { error: t("Something went wrong (%(status)s). Try again.", { status: response.status }) };
  }
}

// What is wrong where a file is larger than its input takes: a photograph's bounds hold unless the input has its own.
function tooLarge(form) {
  for (const input of form.querySelectorAll('input[type="file"]')) {
    const most = Number(input.dataset.most ?? MAX_BYTES);
    for (const file of input.files) if (file.size > most) return input.dataset.tooLarge ?? TOO_LARGE;
  }
  return null;
}

// A button that is busy keeps the focus, which one that is disabled would lose.
function setBusy(form, busy, submitter) {
  const button = submitter ?? form.querySelector("button:not([type=button])");
  button?.classList.toggle("busy", busy);
  button?.setAttribute("aria-disabled", busy);
  const said = document.getElementById("said");
  if (busy && said && form.dataset.busy) said.textContent = form.dataset.busy;
}

// Whether an address is another page than this one, or this one asked for something else.
function elsewhere({ pathname, search }) {
  return pathname !== location.pathname || (search !== "" && search !== location.search);
}

// A second tap on the same words so soon after the answer was meant for what stood there before.
const TWICE_MS = 700;
let done = { what: "", at: 0 };
const sending = new WeakSet();

async function send(form, submitter) {
  const what = `${form.action} ${submitter?.value} ${submitter?.textContent.trim()}`;
  if (sending.has(form) || (what === done.what && Date.now() - done.at < TWICE_MS)) return;
  sending.add(form);
  const body = new FormData(form);
  if (submitter?.name) body.set(submitter.name, submitter.value);
  setBusy(form, true, submitter);
  const answer = await ask(submitter?.getAttribute("formaction") ?? form.action, { method: "POST", body });
  setBusy(form, false, submitter);
  sending.delete(form);
  done = { what, at: Date.now() };
  const text = answer.error ?? answer.message;
  if (answer.to && elsewhere(new URL(answer.to, location.href))) {
    if (text) keep("sessionStorage", "said", JSON.stringify({ text, undo: answer.undo, report: answer.report }));
    return location.assign(answer.to);
  }
  if (text) toast(text, answer);
  if (form.dataset.busy) document.dispatchEvent(new Event("photographed"));
  document.dispatchEvent(new Event("changed"));
}

// What the page before had to say is said on the page it led to.
const carried = kept("sessionStorage", "said");
forget("sessionStorage", "said");
if (carried) {
  const said = JSON.parse(carried);
  toast(said.text, said);
}

// The button that was pressed last: some browsers (iOS before 15.4) do not say by which a form is sent.
let pressed = null;
document.addEventListener("click", ({ target }) => (pressed = target.closest("button")), true);

document.addEventListener("submit", (event) => {
  const form = event.target;
  const wrong = tooLarge(form);
  if (wrong) {
    event.preventDefault();
    return toast(wrong);
  }
  if (form.dataset.live === undefined) return;
  event.preventDefault();
  form.closest("details[data-menu]")?.removeAttribute("open");
  send(form, event.submitter ?? (pressed?.form === form ? pressed : null));
});

// One that is sent as soon as it is chosen goes its own way (sending.js); any other goes with its form, as small as it can.
async function chosen(input) {
  const [file, ...more] = input.files;
  if (!file || input.dataset.read !== undefined) return;
  if (input.form.dataset.photograph !== undefined) {
    input.form.closest("details[data-menu]")?.removeAttribute("open");
    document.dispatchEvent(new CustomEvent("photograph", { detail: { url: input.form.action, files: [file, ...more] } }));
    return input.form.reset();
  }
  input.closest(".file").querySelector("[data-chosen]").textContent = file.name;
  if (input.name !== "photo") return;
  const smaller = new DataTransfer();
  smaller.items.add(await shrinkPicture(file));
  if (input.files[0] === file) input.files = smaller.files;
}

document.addEventListener("change", (event) => {
  if (event.target.type === "file") chosen(event.target);
});

// While a phone takes the photograph the page may renew itself, and the input leave it: its change is then heard by
// nobody but itself.
const wired = new WeakSet();

document.addEventListener("click", (event) => {
  const input = event.target;
  if (input.type !== "file" || wired.has(input)) return;
  wired.add(input);
  input.addEventListener("change", () => {
    if (!input.isConnected) chosen(input);
  });
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.removeAttribute("open");
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.removeAttribute("open");
  }
});
