// SPDX-License-Identifier: Apache-2.0

// The code of an app in TypeScript. The compiler must report the lines under @ts-expect-error.
import { LaurelClient, events, InvalidEvent, type OutboxRecord, type OutboxStorage } from '../../Clients/JavaScript/laurel.js';

const records: OutboxRecord[] = [];
const storage: OutboxStorage = {
  append(added) { records.push(...added); },
  read: async (after, most) => records.filter(({ key }) => key > after).slice(0, most),
  async delete(keys) { for (const key of keys) records.splice(records.findIndex((one) => one.key === key), 1); },
};
// @ts-expect-error
const unreadable: OutboxStorage = { append() {}, delete() {} };

async function app(): Promise<number> {
  const client = await LaurelClient.open({ application: 'typed', storage, credential: async () => null, limits: { whenFull: 'dropOldest' } });
  const one = await client.record(events.reviewGraded({ word: 'w', grade: 'good' }), { learner: 'ana', language: 'es' });
  const two = await client.record([events.sessionStarted(), events.wordImported({ word: 'w', nextReviewAt: new Date() })], { learner: 'ana' });
  await client.record({ type: 'quest.finished', data: { difficulty: 3 } }, { learner: 'ana' }, { at: new Date(), id: one.id });
  // @ts-expect-error
  events.reviewGraded({ word: 'w', grade: 'fine' });
  // @ts-expect-error
  events.reviewGraded({ grade: 'good' });
  // @ts-expect-error
  events.lineSpoken({ acuracy: 0.9 });
  // @ts-expect-error
  await client.record(events.lineSpoken(), { language: 'es' });
  const bought = (await client.buy('streak_freeze', { learner: 'ana' }, { count: 2 })).progress.balances;
  // @ts-expect-error
  (await client.buy('streak_freeze', { learner: 'ana' }, { queue: true })).progress;
  if (bought?.gems === 0) return 0;
  for await (const { state, pending } of client.states()) if (state === 'blocked' || pending === 0) break;
  for await (const state of client.progress('ana', { language: 'es' })) if (state !== null && state.totalXP > two.length) break;
  for await (const message of client.watch('ana')) if (message.type === 'achievement') return message.data.tier;
  try { await client.flush(); } catch (error) { if (error instanceof InvalidEvent) return error.place.length; }
  return (await client.ask<{ word: string }[]>('/v1/learners/ana/words', { due: true })).length;
}

void [app, unreadable];
