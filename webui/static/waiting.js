// Photographs that the scoresheet has not answered for yet, kept on this device: a page that is closed loses none.

const NAME = "upscore";
const STORE = "photographs";
const unkept = new Map();

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

// Where the browser keeps nothing, as some do in a private window, the page itself holds the photograph.
export async function keep(photo) {
  try {
    await inStore("readwrite", (store) => store.put(photo));
  } catch {
    unkept.set(photo.key, photo);
  }
}

export async function forget(key) {
  unkept.delete(key);
  await inStore("readwrite", (store) => store.delete(key)).catch(() => {});
}

// In the order in which they were taken.
export async function waiting() {
  const kept = await inStore("readonly", (store) => store.getAll()).catch(() => []);
  return [...kept, ...unkept.values()].sort((one, other) => one.taken - other.taken);
}
