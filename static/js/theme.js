// Runs before the first paint, so that the remembered theme doesn't flash in.
(() => {
  try {
    const theme = localStorage.getItem("fogline-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden: the system's setting holds.
  }
})();
