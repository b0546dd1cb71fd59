// The turn banner, the page's title, and the state of the connection.

import { base } from "./api.js";
import { banner, turning } from "./banner.js";
import { byId, setAttribute, setText, show } from "./dom.js";
import { shows } from "./press.js";
import { say } from "./rich.js";
import { person, phrase, t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function bindHeadline(table) {
  const box = byId("banner", HTMLElement);
  const title = byId("banner-title", HTMLElement);
  const help = byId("banner-help", HTMLElement);
  const last = byId("last-turns", HTMLElement);
  const left = byId("last-left", HTMLElement);
  const by = byId("last-by", HTMLElement);
  const pass = byId("pass", HTMLButtonElement);
  const car = byId("banner-car", SVGElement);
  const news = byId("turn-news", HTMLElement);
  setText(pass, t("do.pass"));
  pass.addEventListener("click", () => table.act({ type: "pass" }, "pass"));

  return () => {
    const { view, room } = table;
    if (!view || !room) return;
    const now = table.turned ? turning(table.turned, table) : banner(view, room);
    setAttribute(box, "data-tone", now.tone);
    setAttribute(box, "data-seat", now.seat);
    setAttribute(/** @type {Element} */ (car.firstElementChild), "href", `#car-${now.seat ?? 0}`);
    say(title, now.title);
    say(help, table.inviter && !table.turned ? phrase("rematch.wants", { name: person(table.inviter) }) : now.help);
    say(left, now.last);
    say(by, now.last && table.finisher !== null ? beganBy(table, table.finisher) : null);
    setText(news, now.tone === "you" ? t(now.title.key, now.title.values) : "");
    setAttribute(last, "hidden", !now.last);
    shows("pass", view.legal.pass);
    setAttribute(box, "data-last", !!now.last);
    show(pass, view.legal.pass, box);
    setAttribute(pass, "aria-busy", table.sending === "pass" ? "true" : null);
  };
}

/**
 * @param {Table} table
 * @param {number} seat
 */
function beganBy({ nameOf }, seat) {
  return phrase("last_turns.by", { name: person(nameOf(seat)) });
}

/** What the title says, by its key. */
let titled = "";

/**
 * The page's title and icon, and the installed app's badge; told at once and not with the next frame, since a hidden page draws none.
 * The badge is another process's, and waited for.
 *
 * @param {Table} table
 */
export function entitle(table) {
  const key = table.view?.phase === "over" ? "title.over" : table.mine ? "title.you" : "title";
  if (key === titled) return;
  titled = key;
  document.title = t(key, { code: table.code });
  navigator.setAppBadge?.(table.mine ? 1 : 0).catch(() => {});
  const icon = document.querySelector("link[rel=icon]");
  if (icon) setAttribute(icon, "href", `${base()}static/icon${table.mine ? "-turn" : ""}.svg`);
}

/** @param {import("./socket.js").Status | "barred"} status */
export function showConnection(status) {
  const box = byId("connection", HTMLElement);
  setAttribute(document.body, "data-connection", status);
  const works = status === "live" || status === "polling";
  setAttribute(box, "hidden", works || status === "connecting");
  setText(box, works ? "" : t(`connection.${status}`));
}
