// Photographs that the scoresheet has not answered for yet, kept on this device: a page that is closed loses none.

const NAME = "upscore";
const STORE = "photographs";
const held = new Map();
const known = new Set(); // the keys of those that the store is known to have
const LOST = ["InvalidStateError", "UnknownError"];
const PATIENCE_MS = 3000;

let opening;

// A connection may end at any time: iOS closes those of pages that are out of sight. The next use opens it anew.
const ended = () => (opening = undefined);

function open() {
  opening ??= connected().catch((error) => {
    ended();
    throw error;
  });
  return opening;
}

function connected() {
  return new Promise((done, failed) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => {
      request.result.onclose = ended;
      request.result.onversionchange = () => {
        request.result.close();
        ended();
      };
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  });
}

async function tried(mode, act) {
  const store = (await open()).transaction(STORE, mode);
  return new Promise((done, failed) => {
    const request = act(store.objectStore(STORE));
    store.oncomplete = () => done(request.result);
    store.onerror = store.onabort = () => failed(store.error);
  });
}

async function inStore(mode, act) {
  try {
    return await tried(mode, act);
  } catch (error) {
    if (!LOST.includes(error?.name)) throw error;
    ended();
    return tried(mode, act);
  }
}

// Answers as a promise does; fails where it takes longer than that.
export function within(milliseconds, promise) {
  const late = new Promise((_, failed) => setTimeout(() => failed(new Error("No answer in time.")), milliseconds));
  return Promise.race([promise, late]);
}

// Some browsers never answer when their store is opened: the next use opens it anew.
async function soonInStore(mode, act) {
  try {
    return await within(PATIENCE_MS, inStore(mode, act));
  } catch (error) {
    ended();
    throw error;
  }
}

// It is among those that wait at once, and kept a little later. Where the browser keeps nothing, as some do in a private
// window, the page itself holds it.
export async function keep(photo) {
  held.set(photo.key, photo);
  try {
    await inStore("readwrite", (store) => store.put(photo));
  } catch {
    return;
  }
  known.add(photo.key);
  if (!held.delete(photo.key)) await forget(photo.key);
}

export async function forget(key) {
  held.delete(key);
  known.delete(key);
  await soonInStore("readwrite", (store) => store.delete(key)).catch(() => {});
}

// In the order in which they were taken; fails where some are known to be kept that the browser does not give.
export async function waiting() {
  let kept = [];
  try {
    kept = await soonInStore("readonly", (store) => store.getAll());
    known.clear();
    for (const { key } of kept) known.add(key);
  } catch (error) {
    if (known.size) throw error;
  }
  const all = new Map([...kept, ...held.values()].map((photo) => [photo.key, photo]));
  return [...all.values()].sort((one, other) => one.taken - other.taken);
}
