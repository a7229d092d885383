// What this browser keeps for the page, by name, in its "localStorage" or "sessionStorage". A browser that is told to
// keep nothing of a site refuses both as soon as they are named: then the page itself holds it, until it is left.

const held = new Map();

// The text under that name, null where there is none.
export function kept(storage, name) {
  try {
    return window[storage].getItem(name);
  } catch {
    return held.get(name) ?? null;
  }
}

export function keep(storage, name, text) {
  try {
    window[storage].setItem(name, text);
  } catch {
    held.set(name, text);
  }
}

export function forget(storage, name) {
  try {
    window[storage].removeItem(name);
  } catch {
    held.delete(name);
  }
}
