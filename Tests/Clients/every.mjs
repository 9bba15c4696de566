// SPDX-License-Identifier: Apache-2.0

// Records an event of every type with every field, from standard input, and delivers them: every.mjs FOLDER SERVICE.
import { LaurelClient, events } from '../../Clients/JavaScript/laurel.js';
import { place } from './place.mjs';
import { readFileSync } from 'node:fs';

const [folder, service] = process.argv.slice(2);
const client = await LaurelClient.open({ application: 'test', ...await place(folder), service });
const context = { learner: 'ana', language: 'es', session: 's1' };
for (const { type, fields } of JSON.parse(readFileSync(0, 'utf8'))) {
  const name = type.replace(/[._-](\w)/g, (_, letter) => letter.toUpperCase());
  await client.record(events[name](fields), context);
}
await client.flush();
const refused = await client.refused();
if (refused.length > 0) throw new Error(JSON.stringify(refused));
