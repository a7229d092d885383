// Files for others are shared the device's own way. A device without one downloads them.

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || !navigator.canShare) return;
  event.preventDefault();
  const data = await fetch(link.href).then((response) => (response.ok ? response.blob() : null)).catch(() => null);
  const files = data ? [new File([data], data.type.replace("image/", "upscore."), { type: data.type })] : [];
  try {
    if (navigator.canShare({ files })) return await navigator.share({ files });
  } catch (error) {
    if (error.name === "AbortError") return; // somebody thought better of it
  }
  location.assign(link.href);
});
