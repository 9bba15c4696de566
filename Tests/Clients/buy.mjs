// SPDX-License-Identifier: Apache-2.0

// Buys from a service, and offline: buy.mjs FOLDER SERVICE UNREACHABLE. Prints the results, like buy.py.
import { LaurelClient, events } from '../../Clients/JavaScript/laurel.js';
import { place } from './place.mjs';

const [folder, service, unreachable] = process.argv.slice(2);
const ana = { learner: 'ana/1', language: 'es' };
const at = new Date('2026-04-05T18:00:00Z');
const open = async (address) => LaurelClient.open({ application: 'test', ...await place(folder), service: address });
const problem = (error) => [error.status, error.code];
const result = {};

let client = await open(service);
await client.record(events.lineSpoken(), ana, { at });
const bought = await client.buy('potion', ana, { at, id: 'first' });
const again = await client.buy('potion', ana, { at, id: 'first' });
result.bought = [bought.count, bought.duplicate, bought.progress.balances.gems, again.duplicate];
result.refused = await client.buy('potion', ana, { count: 9 }).catch(problem);
result.unknown = await client.buy('sword', ana).catch(problem);
result.invalid = await client.buy('potion', ana, { count: 0 }).catch((error) => error.name);
await client.close();

client = await open(unreachable);
result.offline = await client.buy('potion', ana).catch(problem);
result.pending = [client.status.pending];
const later = new Date('2026-04-06T18:00:00Z');
await client.record(events.lineSpoken(), ana, { at: later });
result.queued = [
  await client.buy('potion', ana, { at: later, queue: true }), await client.buy('potion', ana, { at: later, queue: true, id: 'poor' }),
];
await client.record(events.lineSpoken(), ana, { at: later });
result.pending.push(client.status.pending);
await client.close();

client = await open(service);
await client.flush();
result.pending.push(client.status.pending);
result.told = (await client.refused()).map(({ id, code, event }) => [id, code, event.data.item]);
await client.close();
console.log(JSON.stringify(result));
