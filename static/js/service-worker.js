// Gives notices where a page may not: a service worker that only leads back to the table. It keeps nothing, and no page is in
// its scope.

const worker = /** @type {any} */ (self);

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lookAt(event.notification.data));
});

/**
 * Shows the tab of a table, or the table anew if that is gone.
 *
 * @param {string} url
 */
async function lookAt(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((/** @type {{url: string}} */ each) => each.url.split(/[?#]/)[0] === url);
  await (page ? page.focus() : worker.clients.openWindow(url));
}
