// Photographs that the scoresheet has not answered for yet, kept on this device: a page that is closed loses none.

const NAME = "upscore";
const STORE = "photographs";
const held = new Map();

let opening;

function open() {
  opening ??= new Promise((done, failed) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opening;
}

async function inStore(mode, act) {
  const store = (await open()).transaction(STORE, mode);
  return new Promise((done, failed) => {
    const request = act(store.objectStore(STORE));
    store.oncomplete = () => done(request.result);
    store.onerror = store.onabort = () => failed(store.error);
  });
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
  if (!held.delete(photo.key)) await forget(photo.key);
}

export async function forget(key) {
  held.delete(key);
  await inStore("readwrite", (store) => store.delete(key)).catch(() => {});
}

// In the order in which they were taken.
export async function waiting() {
  const kept = await inStore("readonly", (store) => store.getAll()).catch(() => []);
  const all = new Map([...kept, ...held.values()].map((photo) => [photo.key, photo]));
  return [...all.values()].sort((one, other) => one.taken - other.taken);
}
