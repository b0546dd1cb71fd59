// The table's page: connects, and on every message walks the skeleton that stands in the HTML.

import { bindBoard } from "../board/board.js";
import { bindChooser } from "../board/claim-chooser.js";
import { CardDrag } from "../board/drag-card.js";
import { PanZoom } from "../board/pan-zoom.js";
import { bindChatPanel } from "../chat/panel.js";
import { base } from "../lib/api.js";
import { afterFrame, byId, holdFocus, oncePerFrame } from "../lib/dom.js";
import { onBecoming } from "../lib/identity.js";
import { lazyPart, load, need } from "../lib/lazy.js";
import { recall } from "../lib/storage.js";
import { bindBanner, entitle, showConnection } from "../panels/banner.js";
import { bindHand, bindMarket } from "../panels/cards.js";
import { bindLog } from "../panels/log.js";
import { bindMenu } from "../panels/menu.js";
import { bindPlayers } from "../panels/players.js";
import { bindQuestion } from "../panels/question.js";
import { bindTabs } from "../panels/tabs.js";
import { bindTickets } from "../panels/tickets.js";
import { Connection, isNews, since } from "../table/connection.js";
import { noisesOf, Sound } from "../table/sound.js";
import { Table } from "../table/table.js";

/** @typedef {import("../wire.js").RoomMessage} RoomMessage */

const { code = "", shared } = document.body.dataset;
/** @type {import("../wire.js").Board} */
const board = JSON.parse(byId("board-data", HTMLElement).dataset.json ?? "");

/** What was picked when the language was switched, for which the page comes anew. */
const [arrival] = performance.getEntriesByType("navigation");
const reloaded = arrival instanceof PerformanceNavigationTiming && arrival.type === "reload";
const kept = reloaded
  ? await load("lib/preferences").then(
      ({ restoreFields }) => restoreFields(),
      () => null,
    )
  : null;
const handover = shared ? await load("table/pass-and-play") : null;

function begin() {
  const table = new Table(code, board, () => redraw.ask());
  const log = bindLog(table);
  const sides = bindChatPanel(table);
  const parts = [
    bindBanner,
    bindTabs,
    bindBoard,
    bindQuestion,
    bindMarket,
    bindHand,
    bindTickets,
    bindPlayers,
    bindChooser,
  ];
  const hides = handover?.bind(table);
  const updates = [
    ...parts.map((bind) => bind(table)),
    lazyPart(
      () => table.room?.status === "lobby",
      "lobby/lobby",
      ({ bindLobby }) => bindLobby(table),
      table.changed,
    ),
    lazyPart(
      () => endsSoon(table),
      "end/scores",
      ({ bindScores }) => bindScores(table),
      table.changed,
    ),
  ];
  const redraw = oncePerFrame(() => {
    document.body.dataset.state = table.room?.status ?? "loading";
    document.body.dataset.phase = table.view?.phase ?? "";
    draw(updates);
    afterFrame(drawRest);
  });

  /** @param {(() => void)[]} updates */
  function draw(updates) {
    const place = byId(table.room?.status === "lobby" ? "lobby" : "banner", HTMLElement);
    holdFocus(() => updates.forEach((update) => void update()), place);
  }

  /** What was said about a move, once the move itself is on the screen. */
  function drawRest() {
    draw([log.draw, sides.update]);
    document.body.dataset.version = String(table.view?.version ?? "");
  }

  if (recall("fogline-awake") === "on") load("table/wake-lock").catch(() => {});
  new PanZoom();
  new CardDrag(table);
  const sound = new Sound();
  bindHelp();
  bindMenu((module) => module.bindSettings(table, sound));
  table.selection = /** @type {import("../table/selection.js").Selection | null} */ (kept) ?? table.selection;
  table.connection = connect();
  onBecoming(() => table.connection?.renew());

  /** A socket that is refused can't tell why. */
  async function checkAccess() {
    (await load("table/access").catch(() => null))?.checkAccess(code);
  }

  function connect() {
    /** @type {RoomMessage | null} */
    let known = null;
    return new Connection(`${location.origin.replace("http", "ws")}${base()}ws/v1/rooms/${code}`, {
      message(message, isFirst) {
        if (message.type === "talk") sides.hear(message.said, false);
        if (message.type === "said") sides.hear([message], true);
        if (message.type !== "room" || !(isFirst || isNews(known, message)) || hides?.(message)) return;
        if (!isNews(known, message)) log.forget();
        const [news, waited] = [since(known, message), known !== null && !table.mine];
        known = message;
        log.hear(message.events);
        table.hear(message.events);
        table.update(message, isFirst);
        const noises = noisesOf(news, waited && table.mine);
        afterFrame(() => {
          entitle(table);
          sound.play(noises);
        });
        redraw.hurry();
        if (news.length && !document.hidden) animate(news, message.seat);
        if (waited && table.mine && document.hidden) tellOfTurn();
      },
      status: showConnection,
      barred() {
        showConnection("barred");
        checkAccess();
      },
      doubted: checkAccess,
    });
  }
}

/** By a button, and by the key that asks: anywhere but where one writes. */
function bindHelp() {
  const open = async () => (await need("panels/help", open))?.toggleHelp();
  for (const id of ["ask-table", "help-row"]) byId(id, HTMLElement).addEventListener("click", open);
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "?" && target instanceof Element && !target.matches("input, textarea")) open();
  });
}

/**
 * @param {readonly import("../wire.js").GameEvent[]} news
 * @param {number | null} you
 */
async function animate(news, you) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const motion = await load("table/animations").catch(() => null);
  motion?.animate(news, you);
}

async function tellOfTurn() {
  (await load("table/notifications").catch(() => null))?.tellOfTurn(code);
}

/**
 * Whether the result is to be shown, or soon will be.
 *
 * @param {Table} table
 */
function endsSoon({ view }) {
  return view !== null && (view.scores !== null || view.last_turns !== null);
}

begin();
dispatchEvent(new Event("ready"));
