// SPDX-License-Identifier: Apache-2.0

// Prints a learner's number of events, each time that it changes: watch.mjs FOLDER SERVICE.
import { LaurelClient } from '../../Clients/JavaScript/laurel.js';

const [folder, service] = process.argv.slice(2);
const client = await LaurelClient.open({ application: 'test', folder, service, retry: { base: 20, cap: 100 } });
for await (const state of client.progress('ana/1')) console.log(state?.events ?? 0);
