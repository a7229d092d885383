// All tables, brought up to date every few seconds.

import { renew } from "./live.js";

const EVERY_MS = 3000;
const banner = document.getElementById("offline");

async function again() {
  banner.hidden = (await renew("tables")) !== null;
  setTimeout(again, EVERY_MS);
}

setTimeout(again, EVERY_MS);
