// Kept by the browser for when the scoresheet cannot be reached. It holds the files named here and never anything else: no
// game, no photograph.

const NAME = {{ name|tojson }};
const FILES = {{ files|tojson }};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});

async function begin() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("activate", (event) => event.waitUntil(begin()));

// A page comes from the scoresheet, and where that cannot be reached the one that says so.
async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return caches.match(FILES[0]);
  }
}

const file = (request) => fetch(request).catch(() => caches.match(request, { ignoreSearch: true }));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (FILES.includes(new URL(request.url).pathname)) event.respondWith(file(request));
});
