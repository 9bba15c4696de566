// SPDX-License-Identifier: Apache-2.0

// Records five events and delivers them to a service with prepared answers: deliver.mjs FOLDER, followed by
// an address and flush or start for each service. Prints the results, like deliver.py.
import { LaurelClient, events } from '../../Clients/JavaScript/laurel.js';
import { place } from './place.mjs';

const [folder, ...words] = process.argv.slice(2);
for (let number = 0; number < words.length; number += 2) {
  const [service, mode] = words.slice(number);
  const client = await LaurelClient.open({ application: 'test', ...await place(folder.endsWith('.sqlite') ? folder.replace(/sqlite$/, `${number}.sqlite`) : `${folder}/${number}`), service, retry: { base: 1, cap: 10 } });
  for (let line = 1; line <= 5; line += 1) await client.record(events.lineSpoken({ line: String(line) }), { learner: 'ana', language: 'es' });
  const result = { error: null };
  if (mode === 'start') client.start();
  if (mode === 'flush') await client.flush().catch((error) => { result.error = error.message; });
  for await (const status of client.states()) {
    result.first = status;
    if (mode === 'flush' || ['waiting', 'blocked'].includes(status.state)) break;
  }
  if (mode === 'flush') await client.flush();
  if (result.first.state === 'blocked') client.start();
  for await (const { pending } of client.states()) if (pending === 0) break;
  const { pending, sent, refused, failures } = client.status;
  Object.assign(result, { first: result.first.state, pending, sent, refused, failures });
  result.problems = (await client.refused()).map(({ event, code }) => [event.data.line, code]);
  await client.forget(...(await client.refused()).map(({ id }) => id));
  result.forgotten = (await client.refused()).length === 0;
  await client.close();
  console.log(JSON.stringify(result));
}
