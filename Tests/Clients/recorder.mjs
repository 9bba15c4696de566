// SPDX-License-Identifier: Apache-2.0

// Records without end, delivers, and prints the mark of each event that is acknowledged: recorder.mjs FOLDER SERVICE NAME. Told
// to drain, it records nothing, delivers what waits and ends.
import { LaurelClient, events } from '../../Clients/JavaScript/laurel.js';
import { place } from './place.mjs';

const [folder, service, name] = process.argv.slice(2);
const client = await LaurelClient.open({ application: 'test', ...await place(folder), service, batchEvents: 50, retry: { base: 20, cap: 200 } });
client.start();
if (name === 'drain') {
  for await (const { pending } of client.states()) if (pending === 0) break;
  await client.close();
  process.exit(0);
}
let count = 0;
const record = async (task) => {
  for (;;) {
    const marks = Array.from({ length: count % 3 + 1 }, () => `${name}-${task}-${count++}`);
    await client.record(marks.map((line) => events.lineSpoken({ line, accuracy: 0.9 })), { learner: `ana-${task}`, language: 'es' });
    process.stdout.write(marks.map((mark) => `${mark}\n`).join(''));
  }
};
await Promise.all([1, 2, 3].map(record));
