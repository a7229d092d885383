// When photographs were taken: as their files say, else when they were chosen.

const HEAD = 256 * 1024; // where cameras write the time, bytes
const WRITTEN = /(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/g; // as EXIF has it, in the camera's own time

// Returns the files with the times (ms) at which they were taken, the first one first. Those without a time go by name.
export async function inOrder(files) {
  const now = Date.now();
  const named = [...files].sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  const photos = await Promise.all(named.map(async (file, at) => ({ file, taken: (await timeWritten(file, now)) ?? now + at })));
  return photos.sort((one, other) => one.taken - other.taken);
}

// Returns the first time that a file's head has, null without one. A time to come is none: that camera's clock is wrong.
export async function timeWritten(file, now) {
  const head = await file.slice(0, HEAD).arrayBuffer().then((data) => new TextDecoder("latin1").decode(data), () => "");
  const times = [...head.matchAll(WRITTEN)].map(([, year, month, ...more]) => new Date(year, month - 1, ...more).getTime());
  const first = Math.min(...times.filter((time) => time > 0 && time <= now));
  return Number.isFinite(first) ? first : null;
}
