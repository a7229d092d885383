// Waits for a game to begin, and goes to it.

import { fetched, follow } from "./live.js";

follow(document.getElementById("waits").dataset.events, async () => {
  const page = await fetched();
  if (page && !page.getElementById("waits")) location.reload();
  return page;
});
