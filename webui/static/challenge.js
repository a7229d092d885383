// The verdict across the screen: renewed when somebody rules, when tiles are seen lifted, or when the game moves on.

import "./forms.js";
import { follow } from "./live.js";

const page = () => document.getElementById("court");
const { events, game } = page().dataset;

async function refresh() {
  const response = await fetch(location.href).catch(() => null);
  if (!response) return;
  if (!response.ok) return location.assign(game);
  const html = new DOMParser().parseFromString(await response.text(), "text/html");
  const newest = html.getElementById("court");
  if (newest && !newest.isEqualNode(page())) page().replaceWith(newest);
}

// Enter on a name would press the form's first button: it chooses nobody and rules nothing.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches('[type="radio"]')) event.preventDefault();
});
document.addEventListener("changed", () => {
  if (location.search) return location.assign(location.pathname);
  refresh();
});
follow(events, refresh, document.getElementById("offline"));
