// Sets the chosen theme before the first paint, and colors the browser's own frame alike.
(() => {
  const root = document.documentElement;

  function tint() {
    const { theme } = root.dataset;
    if (!theme) return;
    for (const edge of document.querySelectorAll("meta[name=theme-color]")) {
      edge.setAttribute("media", edge.getAttribute("data-theme") === theme ? "all" : "not all");
    }
  }

  new MutationObserver(tint).observe(root, { attributeFilter: ["data-theme"] });
  try {
    const theme = localStorage.getItem("fogline-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme is used.
  }
})();
