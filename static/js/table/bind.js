// Binds a table to its page: each part finds its elements once, and is redrawn when the table changes.

import { bindBoard } from "../board/board.js";
import { bindChooser } from "../board/claim-chooser.js";
import { PanZoom } from "../board/pan-zoom.js";
import { bindChatPanel } from "../chat/panel.js";
import { afterFrame, byId, holdFocus, oncePerFrame } from "../lib/dom.js";
import { lazyPart, load } from "../lib/lazy.js";
import { bindBanner, entitle } from "../panels/banner.js";
import { bindHand, bindMarket } from "../panels/cards.js";
import { bindLog } from "../panels/log.js";
import { bindHelp, bindMenu } from "../panels/menu.js";
import { bindPlayers } from "../panels/players.js";
import { bindQuestion } from "../panels/question.js";
import { bindTabs } from "../panels/tabs.js";
import { bindTickets } from "../panels/tickets.js";
import { noisesOf, Sound } from "./sound.js";
import { isNews, since } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../wire.js").GameEvent} GameEvent */
/** @typedef {import("../wire.js").RoomMessage} RoomMessage */
/** @typedef {import("../wire.js").Said} Said */
/**
 * @typedef {object} TablePage
 * @property {(message: RoomMessage, isFirst: boolean) => void} show `isFirst`: of its connection, and so valid in any case
 * @property {(messages: readonly Said[], isNew: boolean) => void} hear `isNew`: they have been written just now
 */

/**
 * @param {Table} table
 * @param {typeof import("./pass-and-play.js") | null} passAndPlay for a device that several players share
 * @returns {TablePage}
 */
export function bindTable(table, passAndPlay = null) {
  const [log, chat, sound] = [bindLog(table), bindChatPanel(table), new Sound()];
  const redraw = bindParts(table, [log.draw, chat.update]);
  table.changed = redraw.ask;
  const isHidden = passAndPlay?.bindPassAndPlay(table);
  new PanZoom();
  bindHelp();
  bindMenu((content) => content.bindMenuContent(table, sound));
  /** @type {RoomMessage | null} */
  let shown = null;

  /** @type {TablePage["show"]} */
  function show(message, isFirst) {
    const isNewer = isNews(shown, message);
    if (!(isFirst || isNewer) || isHidden?.(message)) return;
    if (!isNewer) log.forget();
    const [news, waited] = [since(shown, message), shown !== null && !table.mine];
    shown = message;
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
    if (waited && table.mine && document.hidden) tellOfTurn(table.code);
  }

  return { show, hear: chat.hear };
}

/**
 * @param {Table} table
 * @param {(() => void)[]} later updates of what tells about a move, made once the move itself is on the screen
 */
function bindParts(table, later) {
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
  const changed = () => table.changed();
  const updates = [
    ...parts.map((bind) => bind(table)),
    lazyPart(
      () => table.room?.status === "lobby",
      "lobby/lobby",
      ({ bindLobby }) => bindLobby(table),
      changed,
    ),
    lazyPart(
      () => isNearEnd(table),
      "end/scores",
      ({ bindScores }) => bindScores(table),
      changed,
    ),
  ];

  /** @param {(() => void)[]} updates */
  function draw(updates) {
    const place = byId(table.room?.status === "lobby" ? "lobby" : "banner", HTMLElement);
    holdFocus(() => updates.forEach((update) => void update()), place);
  }

  return oncePerFrame(() => {
    document.body.dataset.state = table.room?.status ?? "loading";
    document.body.dataset.phase = table.view?.phase ?? "";
    draw(updates);
    afterFrame(() => {
      draw(later);
      document.body.dataset.version = String(table.view?.version ?? "");
    });
  });
}

/**
 * Whether the result is shown, or will be soon.
 *
 * @param {Table} table
 */
function isNearEnd({ view }) {
  return view !== null && (view.scores !== null || view.last_turns !== null);
}

/**
 * @param {readonly GameEvent[]} news
 * @param {number | null} seat one's own
 */
async function animate(news, seat) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  (await load("table/animations").catch(() => null))?.animate(news, seat);
}

/** @param {string} code of the table */
async function tellOfTurn(code) {
  (await load("table/notifications").catch(() => null))?.tellOfTurn(code);
}
