// The button that prints, where scripts run.

const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => window.print());
