// A part of a page that is fetched anew and put in place of itself, and the stream that says when.

export const FETCH_MS = 8000;

// Gives up a fetch after so many milliseconds, and as soon as the connection is found to be lost: one that died in
// silence never answers.
export function patience(milliseconds) {
  const end = new AbortController();
  setTimeout(() => end.abort(), milliseconds);
  document.addEventListener("lost", () => end.abort(), { once: true, signal: end.signal });
  return end.signal;
}

// The element of that id as the page at an address has it now, put in place of the one shown; null where it failed.
export async function renew(id, url = location.href) {
  const page = await fetched(url);
  return page && put(id, page);
}

// The page at an address as it is now; null where it failed.
export async function fetched(url = location.href) {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" }, signal: patience(FETCH_MS) });
    if (response.status === 401) location.reload(); // this device was sent out
    if (response.status === 404) document.dispatchEvent(new Event("gone"));
    if (!response.ok) return null;
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return null;
  }
}

// A part as another page has it, in place of the one shown; what a person has opened in it stays open.
export function put(id, page) {
  const fresh = page.getElementById(id);
  const shown = document.getElementById(id);
  const folds = shown.querySelectorAll("details");
  fresh?.querySelectorAll("details").forEach((fold, at) => fold.toggleAttribute("open", folds[at]?.open ?? fold.open));
  if (fresh && shown.innerHTML !== fresh.innerHTML) shown.innerHTML = fresh.innerHTML;
  return fresh;
}

const SILENT_MS = 7000; // a stream gives a sign of life every three seconds
const TRY_MS = 3000;
const REFUSED_MS = 3000;
const CHECK_MS = 1000;

// Calls `update` for every event, and again while it answers with nothing: then the page could not be brought up to
// date. A connection may die in silence, so a stream without a sign of life is opened anew, and the page says that it
// is lost. Where too many look on, the stream ends after each event and is opened again: that is no loss. Returns what
// brings the page up to date at once.
export function follow(url, update) {
  const banner = document.getElementById("offline");
  let stream;
  let due;
  let tries = 0;
  let refused = false;
  let busy = false;
  let again = false;
  let behind = false;
  let over = false;

  async function refresh() {
    again = true;
    if (busy || over) return;
    busy = true;
    try {
      while (again && !over) {
        again = false;
        behind = !(await update());
      }
    } finally {
      busy = false;
    }
  }

  function lives() {
    due = Date.now() + SILENT_MS;
    tries = 0;
    refused = false;
    banner.hidden = true;
  }

  function open() {
    stream?.close();
    if (over) return;
    due = Date.now() + TRY_MS;
    stream = new EventSource(url);
    stream.addEventListener("alive", lives);
    stream.addEventListener("change", refresh);
    stream.addEventListener("open", () => {
      lives();
      document.dispatchEvent(new Event("reachable"));
    });
    stream.addEventListener("error", () => {
      refused = true;
      due = Math.min(due, Date.now() + REFUSED_MS);
      if (stream.readyState === EventSource.CLOSED) refresh(); // the page learns why, as where the game was deleted
    });
  }

  // A first silence may be a sleep that is over: it is told once the next try hears nothing either.
  function check() {
    if (over) return;
    if (Date.now() < due) return behind && refresh();
    tries += 1;
    banner.hidden = !refused && tries < 2;
    if (tries === 1) document.dispatchEvent(new Event("lost"));
    open();
  }

  setInterval(check, CHECK_MS);
  document.addEventListener("gone", () => {
    over = true;
    stream.close();
    banner.hidden = true;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    check();
    refresh();
  });
  window.addEventListener("pagehide", () => stream.close());
  window.addEventListener("pageshow", (event) => event.persisted && open());
  open();
  return refresh;
}
