// A part of a page that is fetched anew and put in place of itself, and the stream that says when.

// The element of that id as the page at an address has it now, put in place of the one shown; null where it failed.
export async function renew(id, url = location.href) {
  const page = await fetched(url);
  return page && put(id, page);
}

// The page at an address as it is now; null where it failed.
export async function fetched(url = location.href) {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
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

// Calls `changed` for every event, until what is shown is gone; `lost` is shown while there is no connection.
export function follow(url, changed, lost) {
  let stream;
  let over = false;
  const open = () => {
    if (over) return;
    stream = new EventSource(url);
    stream.addEventListener("change", changed);
    stream.addEventListener("open", () => (lost.hidden = true));
    stream.addEventListener("error", () => {
      lost.hidden = false;
      if (stream.readyState !== EventSource.CLOSED) return;
      setTimeout(open, 3000);
      changed();
    });
  };
  open();
  document.addEventListener("gone", () => {
    over = true;
    stream.close();
    lost.hidden = true;
  });
  window.addEventListener("pagehide", () => stream.close());
  window.addEventListener("pageshow", (event) => event.persisted && open());
}
