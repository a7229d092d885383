// A part of a page that is fetched anew and put in place of itself, and the stream that says when.

// The element of that id as the page at an address has it now, put in place of the one shown; null where it failed.
export async function renew(id, url = location.href) {
  let text;
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    if (response.status === 401) location.reload(); // this device was sent out
    if (response.status === 404) document.dispatchEvent(new Event("gone"));
    if (!response.ok) return null;
    text = await response.text();
  } catch {
    return null;
  }
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(id);
  const shown = document.getElementById(id);
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
