// Sets the chosen theme before the first paint, and retries style sheets and scripts that fail to load. It runs before all other scripts.
// The browser's own frame gets the color of the theme. If retrying doesn't help, the page says so. The script of each page dispatches the
// event `ready` once everything is loaded.
(() => {
  const root = document.documentElement;
  const { words = "", again = "" } = document.currentScript?.dataset ?? {};
  const KEY = "fogline-reloads";
  const MOST = 2;
  const PATIENCE = 30_000;
  let ready = false;
  let told = false;

  new MutationObserver(tint).observe(root, { attributeFilter: ["data-theme"] });
  try {
    const theme = localStorage.getItem("fogline-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme is used.
  }

  addEventListener("ready", () => {
    ready = true;
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Nothing was counted without storage.
    }
  });
  addEventListener("error", ({ target }) => hear(target), true);
  addEventListener("unhandledrejection", complain);
  setTimeout(complain, PATIENCE);

  function tint() {
    const { theme } = root.dataset;
    if (!theme) return;
    for (const edge of document.querySelectorAll("meta[name=theme-color]")) {
      edge.setAttribute("media", edge.getAttribute("data-theme") === theme ? "all" : "not all");
    }
  }

  /** @param {EventTarget | null} lost a style sheet or a script, or the window if a script throws */
  function hear(lost) {
    if (lost instanceof HTMLLinkElement && lost.rel === "stylesheet") refetch(lost);
    else if (lost instanceof HTMLScriptElement) reload();
    else if (lost === window) complain();
  }

  /** @param {HTMLLinkElement} style */
  function refetch(style) {
    const tries = Number(style.dataset.tries ?? 0) + 1;
    if (tries > MOST) {
      tell();
      return;
    }
    const next = document.createElement("link");
    next.rel = "stylesheet";
    next.dataset.tries = String(tries);
    next.href = `${style.href.split("?")[0]}?retry=${tries}`;
    style.replaceWith(next);
  }

  /** A module that another one imports can be requested again only by loading the whole page. */
  function reload() {
    const tries = count();
    if (tries > MOST || !navigator.onLine) tell();
    else setTimeout(() => location.reload(), 250 * tries);
  }

  /** How often the page was reloaded; too often if that can't be counted. */
  function count() {
    try {
      const tries = Number(sessionStorage.getItem(KEY)) + 1;
      sessionStorage.setItem(KEY, String(tries));
      return tries;
    } catch {
      return MOST + 1;
    }
  }

  function complain() {
    if (!ready) tell();
  }

  function tell() {
    if (told) return;
    told = true;
    if (document.body) show();
    else addEventListener("DOMContentLoaded", show);
  }

  function show() {
    const box = document.createElement("p");
    const button = document.createElement("button");
    box.className = "lost";
    box.setAttribute("role", "alert");
    button.type = "button";
    button.className = "action";
    button.textContent = again;
    button.addEventListener("click", () => location.reload());
    box.append(`${words} `, button);
    document.body.prepend(box);
  }
})();
