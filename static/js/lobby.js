// The table before the game: the link to pass round, who sits, and the start.

import { call, nonce } from "./api.js";
import { byId, h, keep, setAttribute, setText, symbol } from "./dom.js";
import { as, knownName } from "./identity.js";
import { attempt } from "./refusals.js";
import { t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./wire.js").SeatView} SeatView */

const BOT_LEVEL = "easy";

/** @param {Table} table */
export function bindLobby(table) {
  const panel = byId("lobby", HTMLElement);
  const seats = byId("seats", HTMLElement);
  const trouble = byId("lobby-trouble", HTMLElement);
  const lead = byId("lobby-lead", HTMLElement);
  const sit = byId("sit", HTMLFormElement);
  const name = byId("sit-name", HTMLInputElement);
  const start = byId("start", HTMLButtonElement);
  const leave = byId("leave", HTMLButtonElement);
  const path = `rooms/${table.code}`;
  bindInvitation(table);
  setText(byId("lobby-title", HTMLElement), t("lobby"));
  setText(byId("sit-down", HTMLElement), t("lobby.sit"));
  setText(/** @type {HTMLElement} */ (sit.querySelector("label")), t("name"));
  setText(start, t("lobby.start"));
  setText(leave, t("lobby.leave"));
  name.value = knownName();

  sit.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(byId("sit-down", HTMLElement), trouble, async () => {
      const { seat } = await as(name.value.trim(), () => call("POST", `${path}/join`, { nonce: nonce() }));
      table.lobbySeat = seat;
      table.connection?.renew();
    });
  });
  start.addEventListener(
    "click",
    () =>
      start.getAttribute("aria-disabled") !== "true" && attempt(start, trouble, () => call("POST", `${path}/start`)),
  );
  leave.addEventListener("click", () =>
    attempt(leave, trouble, async () => {
      await call("POST", `${path}/leave`);
      table.lobbySeat = null;
      table.connection?.renew();
    }),
  );

  /** @param {SeatView} seat */
  function make({ seat }) {
    const bot = h("button", { type: "button", class: "action seat-bot" }, symbol("ui-bot", "icon"), t("lobby.bot"));
    const free = h(
      "button",
      { type: "button", class: "round quiet seat-free", title: t("lobby.remove") },
      symbol("ui-close", "icon"),
    );
    bot.addEventListener("click", () =>
      attempt(bot, trouble, () => call("POST", `${path}/bots`, { level: BOT_LEVEL })),
    );
    free.addEventListener("click", () => attempt(free, trouble, () => call("DELETE", `${path}/seats/${seat}`)));
    return h(
      "li",
      { class: "seat", "data-seat": seat },
      symbol(`car-${seat}`, "player-car"),
      h("span", { class: "seat-name" }, h("bdi"), h("span", { class: "presence" })),
      bot,
      free,
    );
  }

  return () => {
    const { room } = table;
    setAttribute(panel, "hidden", room?.status !== "lobby");
    if (room?.status !== "lobby") return;
    const you = ownSeat(table);
    const host = you !== null && room.host === you;
    const taken = room.seats.filter((seat) => seat.kind).length;
    keep(
      seats,
      room.seats,
      (seat) => String(seat.seat),
      make,
      (element, seat) => showSeat(element, seat, { you, host: room.host, rights: host }),
    );
    setText(lead, t(leadKey(you, host, taken, room.seats.length), { n: room.seats.length - taken }));
    setAttribute(panel, "data-role", you === null ? "visitor" : host ? "host" : "guest");
    setAttribute(sit, "hidden", you !== null || taken === room.seats.length);
    setAttribute(start, "hidden", !host);
    setAttribute(start, "aria-disabled", taken < 2 ? "true" : null);
    setAttribute(leave, "hidden", you === null);
  };
}

/**
 * The own seat, unless it was freed by the host.
 *
 * @param {Table} table
 */
function ownSeat(table) {
  const seat = table.lobbySeat;
  if (seat !== null && table.room?.seats[seat]?.kind !== "human") table.lobbySeat = null;
  return table.lobbySeat;
}

/**
 * @param {number | null} you
 * @param {boolean} host
 * @param {number} taken
 * @param {number} all
 */
function leadKey(you, host, taken, all) {
  if (you === null) return taken === all ? "lobby.full" : "lobby.visitor";
  if (!host) return "lobby.guest";
  if (taken < 2) return "lobby.host.alone";
  return taken === all ? "lobby.host.full" : "lobby.host";
}

/**
 * @param {HTMLElement} element
 * @param {SeatView} seat
 * @param {{you: number | null, host: number | null, rights: boolean}} table
 */
function showSeat(element, { seat, name, kind, connected }, { you, host, rights }) {
  const shown = element.querySelector("bdi");
  const presence = element.querySelector(".presence");
  const [bot, free] = [element.querySelector(".seat-bot"), element.querySelector(".seat-free")];
  if (!shown || !presence || !bot || !free) return;
  setAttribute(element, "data-kind", kind ?? "free");
  setText(shown, kind ? name : t("lobby.free"));
  const marks = [
    seat === host && t("lobby.is_host"),
    seat === you && t("presence.you"),
    kind === "bot" && t("presence.bot"),
    kind === "human" && !connected && t("presence.away"),
  ];
  setText(presence, marks.filter(Boolean).join(" · "));
  setAttribute(bot, "hidden", kind !== null || !rights);
  setAttribute(free, "hidden", kind === null || !rights || seat === you);
  setAttribute(free, "aria-label", t("lobby.remove.name", { name: { kind: "name", name } }));
}

/** @param {Table} table */
function bindInvitation(table) {
  const link = byId("link", HTMLInputElement);
  const copy = byId("copy", HTMLButtonElement);
  const word = /** @type {HTMLElement} */ (copy.querySelector("span"));
  setText(byId("code-label", HTMLElement), t("lobby.code"));
  setText(byId("code", HTMLElement), spaced(table.code));
  setAttribute(link, "aria-label", t("lobby.link"));
  link.value = document.body.dataset.link || location.href.split(/[?#]/)[0] || "";
  setText(word, t("lobby.copy"));
  copy.addEventListener("click", async () => {
    link.select();
    const copied = await copyText(link.value);
    setText(word, t(copied ? "lobby.copied" : "lobby.copy_by_hand"));
    setTimeout(() => setText(word, t("lobby.copy")), 2500);
  });
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} code */
function spaced(code) {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
