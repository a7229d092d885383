// A photograph as large as the board can be read from, made on this device, so that little has to be sent.

const SIDE = 2048;
const QUALITY = 0.9;

// Upright, its long side at most SIDE; the file itself where it is no larger, or where this browser cannot open it, as
// some cannot a HEIC: the scoresheet can.
export async function shrunk(file) {
  let picture;
  try {
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return file;
  }
  const scale = SIDE / Math.max(picture.width, picture.height);
  if (scale >= 1) return file;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const data = await new Promise((made) => canvas.toBlob(made, "image/jpeg", QUALITY));
  return data ? new File([data], "photograph.jpg", { type: "image/jpeg" }) : file;
}
