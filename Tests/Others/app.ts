// SPDX-License-Identifier: Apache-2.0

// A small app that uses laurel.js. `tsc --strict` reads it, and then node runs it.
import { InvalidEvent, LaurelClient, OutboxError, ServiceError, events } from './laurel.js';
import type { DeliveryStatus, EventIdentity, LearnerProgress, LearningEvent, PracticeContext, RefusedEvent } from './laurel.js';

interface StudyTime {
  days: { day: string; reviews: number; xp: number }[];
}

const ana: PracticeContext = { learner: 'ana', language: 'es', session: 's1' };
const at = new Date('2026-04-05T18:00:00+02:00');

/** Records a short session, and returns the identities of its events. */
async function practise(client: LaurelClient): Promise<EventIdentity[]> {
  const started: EventIdentity = await client.record(events.sessionStarted({ mode: 'solo' }), ana, { at });
  const reviews: LearningEvent[] = ['w-sol', 'w-luna'].map((word) => events.reviewGraded({ word, grade: 'good' }));
  const graded: EventIdentity[] = await client.record(reviews, ana, { at });
  const own: LearningEvent = { type: 'quest.finished', data: { difficulty: 3 } };
  return [started, ...graded, await client.record(own, { learner: 'ana', timezone: 'Europe/Berlin' }, { at, id: 'quest-1' })];
}

/** Sends the waiting events. Returns a text for the learner that says why they are not sent yet. */
async function deliver(client: LaurelClient): Promise<string | null> {
  try {
    await client.flush();
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.isRetryable ? `try again in ${error.retryAfter} ms` : `${error.status} ${error.code ?? 'without a code'}`;
  }
}

async function headline(client: LaurelClient): Promise<string> {
  const progress = await client.ask<LearnerProgress>('/v1/learners/ana/progress', { at: '2026-04-05T20:00:00+02:00' });
  return `${progress.totalXP} XP, level ${progress.currentLevel}, ${progress.currentStreak} day`;
}

async function days(client: LaurelClient): Promise<string[]> {
  const { days } = await client.ask<StudyTime>('/v1/learners/ana/study-time', { limit: 7 });
  return days.map(({ day, reviews }) => `${day}: ${reviews} reviews`);
}

async function live(client: LaurelClient): Promise<number> {
  for await (const state of client.progress('ana', { language: 'es' })) return state?.events ?? 0;
  return 0;
}

/** Each mistake of an app has its own error. */
async function mistakes(client: LaurelClient): Promise<string[]> {
  const told: string[] = [];
  await client.record(events.lineSpoken({ accuracy: 95 }), ana).catch((error: unknown) => {
    if (error instanceof InvalidEvent) told.push(`${error.type}: ${error.place}`);
  });
  await client.ask('/v1/learners/nobody/progress').catch((error: unknown) => {
    if (error instanceof ServiceError) told.push(`${error.status} ${error.code}`);
  });
  // The service refuses a known id with other data, and the client keeps the event.
  await client.record({ type: 'quest.finished', data: { difficulty: 4 } }, { learner: 'ana' }, { at, id: 'quest-1' });
  await deliver(client);
  const refused: RefusedEvent[] = await client.refused();
  told.push(...refused.map(({ code }) => code));
  await client.forget(refused.map(({ id }) => id));
  await client.close();
  await client.record(events.wordLearned({ word: 'w-sol' }), ana).catch((error: unknown) => {
    if (error instanceof OutboxError) told.push(error.code);
  });
  return told;
}

export async function main(folder: string, service: string, key: string, print: (line: string) => void): Promise<void> {
  const client = await LaurelClient.open({ application: 'app', service, folder, credential: async () => key });
  const recorded = await practise(client);
  print(`${recorded.length} recorded, ${client.status.pending} waiting`);
  print((await deliver(client)) ?? 'delivered');
  print(await headline(client));
  for (const line of await days(client)) print(line);
  print(`live: ${await live(client)} events`);
  for (const line of await mistakes(client)) print(line);
  const last: DeliveryStatus = client.status;
  print(last.state);
}
