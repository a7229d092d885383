// The verdict across the screen: renewed when somebody rules, when tiles are seen lifted, or when the game moves on.

import "./forms.js";
import { FETCH_MS, follow, patience } from "./live.js";

const page = () => document.getElementById("court");
const { events, game } = page().dataset;

async function update() {
  try {
    const response = await fetch(location.href, { signal: patience(FETCH_MS) });
    if (!response.ok) return location.assign(game);
    const html = new DOMParser().parseFromString(await response.text(), "text/html");
    const newest = html.getElementById("court");
    if (newest && !newest.isEqualNode(page())) page().replaceWith(newest);
    return true;
  } catch {
    return false;
  }
}

// Enter on a name would press the form's first button: it chooses nobody and rules nothing.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches('[type="radio"]')) event.preventDefault();
  if (event.key === "Escape") location.assign(game);
});

const refresh = follow(events, update);
document.addEventListener("changed", () => {
  if (location.search) return location.assign(location.pathname);
  refresh();
});
