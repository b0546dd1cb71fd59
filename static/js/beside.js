// Where a panel stands that belongs to a route or a location.

/**
 * The element of a route on the board.
 *
 * @param {string} route
 */
export function routeElement(route) {
  return /** @type {SVGElement | null} */ (document.getElementById(`route-${route}`));
}

/**
 * Puts something beside a thing on the board, inside the glass: right of it, else left of it, else over its lower end.
 *
 * @param {HTMLElement} element
 * @param {string} id of the thing's element
 * @param {HTMLElement} glass
 */
export function beside(element, id, glass) {
  const thing = document.getElementById(id);
  if (!thing) return;
  const [box, room] = [thing.getBoundingClientRect(), glass.getBoundingClientRect()];
  const { offsetWidth: width, offsetHeight: height } = element;
  const right = box.right - room.left + 32;
  const left = box.left - room.left - width - 32;
  const x = right + width < room.width ? right : left > 0 ? left : room.width - width - 8;
  const y = Math.min(room.height - height - 8, Math.max(8, box.top - room.top + box.height / 2 - height / 2));
  element.style.setProperty("--x", `${Math.max(8, x)}px`);
  element.style.setProperty("--y", `${Math.max(8, y)}px`);
}
