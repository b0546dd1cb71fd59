// Shows notifications where pages may not, and leads back to the table. It stores nothing, and controls no page.

const worker = /** @type {any} */ (self);

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lookAt(event.notification.data));
});

/**
 * Focuses the tab of a table, or opens a new one.
 *
 * @param {string} url
 */
async function lookAt(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((/** @type {{url: string}} */ each) => each.url.split(/[?#]/)[0] === url);
  await (page ? page.focus() : worker.clients.openWindow(url));
}
