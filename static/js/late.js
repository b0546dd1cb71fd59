// Parts of the page whose modules come when they are first wanted.

/**
 * The update of a part that is not there yet. Once it is wanted its module is loaded, and from then on it is updated like any
 * other; a load that fails is tried again with a later redraw.
 *
 * @param {() => boolean} wanted
 * @param {() => Promise<() => void>} load gives the part's own update
 * @param {() => void} changed asks for a redraw
 * @returns {() => void}
 */
export function late(wanted, load, changed) {
  /** @type {(() => void) | null} */
  let update = null;
  let coming = false;

  async function fetch() {
    coming = true;
    update = await load().catch(() => null);
    coming = false;
    if (update) changed();
  }

  return () => {
    if (update) update();
    else if (!coming && wanted()) fetch();
  };
}
