// SPDX-License-Identifier: Apache-2.0

// Prints a learner's number of events, each time that it changes: watch.mjs SERVICE.
import { LaurelClient } from '../../Clients/JavaScript/laurel.js';

const client = await LaurelClient.open({ application: 'test', service: process.argv[2], retry: { base: 20, cap: 100 } });
for await (const state of client.progress('ana/1')) console.log(state?.events ?? 0);
