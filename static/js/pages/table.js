// The page of a table: binds the table to the skeleton in the HTML, and connects it to its room.

import { base } from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { onPlayerChange } from "../lib/identity.js";
import { load } from "../lib/lazy.js";
import { recall } from "../lib/storage.js";
import { showConnection } from "../panels/banner.js";
import { bindTable } from "../table/bind.js";
import { Connection } from "../table/connection.js";
import { Table } from "../table/table.js";

const { code = "", shared } = document.body.dataset;
const restored = wasReloaded()
  ? await load("lib/preferences").then(
      ({ restoreFields }) => restoreFields(),
      () => null,
    )
  : null;
const passAndPlay = shared ? await load("table/pass-and-play") : null;

const table = new Table(code, JSON.parse(byId("board-data", HTMLElement).dataset.json ?? ""));
const page = bindTable(table, passAndPlay);
table.selection = /** @type {import("../table/selection.js").Selection | null} */ (restored) ?? table.selection;
table.connection = connect(table, page);
onPlayerChange(() => table.connection?.renew());
if (recall("fogline-awake") === "on") load("table/wake-lock").catch(() => {});
dispatchEvent(new Event("ready"));

/**
 * @param {Table} table
 * @param {import("../table/bind.js").TablePage} page
 */
function connect({ code }, { show, hear }) {
  /** A WebSocket that is refused can't tell why. */
  const checkAccess = async () => (await load("table/access").catch(() => null))?.checkAccess(code);

  return new Connection(`${location.origin.replace("http", "ws")}${base()}ws/v1/rooms/${code}`, {
    message(message, isFirst) {
      if (message.type === "talk") hear(message.said, false);
      if (message.type === "said") hear([message], true);
      if (message.type === "room") show(message, isFirst);
    },
    status: showConnection,
    barred() {
      showConnection("barred");
      checkAccess();
    },
    doubted: checkAccess,
  });
}

/** A change of language reloads the page. */
function wasReloaded() {
  const [arrival] = performance.getEntriesByType("navigation");
  return arrival instanceof PerformanceNavigationTiming && arrival.type === "reload";
}
