// SPDX-License-Identifier: Apache-2.0

// Keeps the page for when there is no network. The newest is asked for first, so that a new version comes at once.
const files = ['./', 'laurel.js'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open('page').then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  // Only the page's own files: events and progress are the client's to send and ask.
  if (event.request.method !== 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open('page');
    try {
      const answer = await fetch(event.request);
      if (answer.ok) await cache.put(event.request, answer.clone());
      return answer;
    } catch (error) {
      const kept = await cache.match(event.request, { ignoreSearch: true });
      if (kept) return kept;
      throw error;
    }
  })());
});
