// What a browser keeps for when the scoresheet cannot be reached; browsers allow it over https and on the computer itself.

if (window.isSecureContext) navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
