// SPDX-License-Identifier: Apache-2.0

// Types of laurel.js. Guarantees: docs/client.md.

/** An action of a learner: a type, and its data. */
export interface LearningEvent {
  readonly type: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The learner, the language and the session of events. */
export interface PracticeContext {
  /** The learner's id, 1 to 256 bytes. */
  learner: string;
  /** BCP 47 tag of the language being learned. */
  language?: string;
  /** The practice session's id, 1 to 128 bytes. */
  session?: string;
  /** The learner's time zone, such as `Europe/Berlin`, for programs in another zone. */
  timezone?: string;
}

/** The identity of an event, with which `events.eventRetracted` voids it. */
export interface EventIdentity {
  readonly source: string;
  readonly id: string;
}

export interface ClientOptions {
  /** The address of the service, such as `https://progress.example`; by default the page's own origin. */
  service?: string;
  /** The app's name, with which events' `source` begins; 1 to 200 bytes without control characters. */
  application: string;
  /** The key or token to send. A function is called before each request, so that the credential can change. */
  credential?: string | null | (() => string | null | undefined | Promise<string | null | undefined>);
  /** In Node: the folder of the outbox. */
  folder?: string | null;
  /** A storage of the app for the outbox, such as a table of React Native's SQLite. */
  storage?: OutboxStorage | null;
  /** In a browser: the name of the outbox among the origin's databases; by default derived from the application's name. */
  database?: string | null;
  /** True to ask the browser to keep the outbox when it runs short of room; true by default. */
  persist?: boolean;
  /** The limits of the outbox; by default 100,000 events and 64 MiB. */
  limits?: { events?: number; bytes?: number; whenFull?: 'refuse' | 'dropOldest' };
  /** The most events in a batch; 500 by default. */
  batchEvents?: number;
  /** The most bytes in a batch; 512 KiB by default. One event may be more. */
  batchBytes?: number;
  /** The longest wait after the first failure, which doubles with each further failure, and the longest wait at all; in milliseconds. */
  retry?: { base?: number; cap?: number };
  /** The time limit of an answer, in milliseconds. */
  timeout?: number;
  /** The time of events that are recorded without a time. */
  now?: () => Date;
  /** A random number from 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** A replacement for the global `fetch`. */
  fetch?: (url: string, options?: any) => Promise<{ readonly ok: boolean; readonly status: number }>;
}

/** A record of an outbox. */
export interface OutboxRecord {
  /** A whole number greater than 0, chosen by the client. */
  readonly key: number;
  readonly text: string;
}

/** A storage of the app. Each call does all of its work or none, and its work survives a kill. One client at a time may use a storage. */
export interface OutboxStorage {
  /** Adds records with new keys. */
  append(records: OutboxRecord[]): void | Promise<void>;
  /** Returns at most `most` records whose keys are greater than `after`, in the order of their keys. */
  read(after: number, most: number): OutboxRecord[] | Promise<OutboxRecord[]>;
  /** Deletes records. Keys without a record are ignored. */
  delete(keys: number[]): void | Promise<void>;
}

/** The state of delivery. */
export interface DeliveryStatus {
  /** blocked: automatic retries would not help, so the client waits for `start` or `flush`. */
  state: 'idle' | 'sending' | 'waiting' | 'blocked' | 'closed';
  /** While waiting: the time until the next attempt, in milliseconds. */
  delay?: number;
  /** The number of undelivered events, and the size of their JSON in bytes. */
  pending: number;
  pendingBytes: number;
  /** The number of events delivered since the client was opened, including those that the service found invalid. */
  sent: number;
  refused: number;
  /** The number of events dropped for lack of room. */
  dropped: number;
  /** The number of failed attempts in a row. */
  failures: number;
  lastProblem: string | null;
}

/** An event that the service accepted but found invalid, or a purchase from the outbox that it refused. */
export interface RefusedEvent {
  id: string;
  event: Record<string, unknown> | undefined;
  /** The code, such as `invalid-field` or `conflict`. */
  code: string;
  message: string;
}

/** The options of a purchase. The same purchase again, with the same `id` and `at`, is stored once. */
export interface PurchaseOptions {
  /** The number of items, 1 … 1000; 1 by default. */
  count?: number;
  /** The time of the purchase; now by default. */
  at?: Date;
  id?: string;
  /** True to keep a purchase that does not reach the service in the outbox. If the service refuses it later, `refused` lists it. */
  queue?: boolean;
}

// The service's answers about learners. A test generates this part from the types of the answers.
// <answers>
/** An achievement, and the learner's progress towards it. */
export interface Achievement {
  /** The achievement's id, as the rules spell it. */
  id: string;
  /** The name that learners see. */
  name: string;
  /** A sentence for learners that says how the achievement is unlocked. */
  description: string;
  /** The category, such as `SOCIAL`; null if the rules give none. */
  category: string | null;
  /** The language of the track; null for the overall one. */
  language: string | null;
  /** The number of unlocked tiers; 0 while it is locked. */
  tier: number;
  /** The number of tiers. */
  tiers: number;
  /** The time when the latest tier was unlocked; null while none is. RFC 3339, in UTC. */
  unlockedAt: string | null;
  /** The progress towards the next locked tier, 0 … 1; 1 when all tiers are unlocked. */
  progress: number;
  /** The first day, inclusive; null if there is none. YYYY-MM-DD. */
  from?: string | null;
  /** The last day, inclusive; null if there is none. YYYY-MM-DD. */
  through?: string | null;
  /** The reason why the rule does not apply on that day, such as `not before 2026-12-24`; null within the period. */
  outOfPeriod?: string | null;
}

/** The history of an achievement, and the conditions of its next tier. */
export interface AchievementExplanation {
  /** The achievement's id, as the rules spell it. */
  achievement: string;
  /** The name that learners see. */
  name: string;
  /** The first day, inclusive; null if there is none. YYYY-MM-DD. */
  from: string | null;
  /** The last day, inclusive; null if there is none. YYYY-MM-DD. */
  through: string | null;
  /** The reason why the rule does not apply on that day, such as `not before 2026-12-24`; null within the period. */
  outOfPeriod: string | null;
  /** A sentence for learners that says how the achievement is unlocked. */
  description: string;
  /** The language of the track; null for the overall one. */
  language: string | null;
  /** True if lists leave it out until its first tier is unlocked. */
  hidden: boolean;
  /** The expression that is compared with the thresholds, as written in the rules. */
  value: string;
  /** The condition that must also hold, as written in the rules; null if there is none. */
  when: string | null;
  /** The threshold of each tier, the lowest tier first. */
  thresholds: AchievementExplanationThreshold[];
  /** The number of unlocked tiers; 0 while it is locked. */
  tier: number;
  /** The number of tiers. */
  tiers: number;
  /** The time when the latest tier was unlocked; null while none is. RFC 3339, in UTC. */
  unlockedAt: string | null;
  /** The progress towards the next locked tier, 0 … 1; 1 when all tiers are unlocked. */
  progress: number;
  /** True if it was revoked. It then stays locked until it is granted. */
  revoked: boolean;
  /** The achievements that must be unlocked first. */
  requires: AchievementExplanationRequirement[];
  /** The changes that events made to the achievement, in the learner's order. */
  history: AchievementExplanationChange[];
  /** The achievement's grants and revocations that a correction voids. */
  voided: EventReference[];
  /** The values at the last event at which the achievement was evaluated; null if it was never evaluated. It is evaluated only while a tier is locked. */
  latest: AchievementExplanationReading | null;
  /** The reading with the largest value since the last revocation, among readings where `when` and `requires` held; null if there is none. */
  best: AchievementExplanationReading | null;
}

/** A change that an event made to the achievement. */
export interface AchievementExplanationChange {
  /** The kind of change. One of unlocked, granted, revoked. */
  kind: string;
  /** The number of tiers that were locked. */
  tiers?: number;
  /** The first tier that was unlocked, from 1; null if none was. */
  fromTier?: number | null;
  /** The last tier that was unlocked, from 1; null if none was. */
  tier?: number | null;
  /** The XP of the change; negative if rewards were taken back. */
  xp: number;
  /** The reason that an administrator gave; null if none was given. */
  reason: string | null;
  /** The event that made the change. */
  event: EventReference;
  /** The values at the event that unlocked the tiers; null for grants and revocations. */
  reading: AchievementExplanationReading | null;
}

/** The value and the condition of an achievement at one event. */
export interface AchievementExplanationReading {
  /** The event at which the values were read. */
  event: EventReference;
  /** The rule's `value`. */
  value: ExplainedExpression;
  /** The rule's `when`; null if it has none. */
  when: ExplainedExpression | null;
  /** The ids of the required achievements that were not fully unlocked. */
  missing: string[];
}

/** Another achievement that must be unlocked first, with all its tiers. */
export interface AchievementExplanationRequirement {
  /** The id of the required achievement. */
  achievement: string;
  /** The number of its unlocked tiers. */
  tier: number;
  /** The number of its tiers. */
  tiers: number;
  /** True if all its tiers are unlocked. */
  unlocked: boolean;
}

/** The value from which a tier is unlocked. */
export interface AchievementExplanationThreshold {
  /** The tier's number, from 1. */
  tier: number;
  /** The value that unlocks it. */
  atLeast: number;
  /** True if the learner has this tier. */
  unlocked: boolean;
}

/** The leaderboard of a learner's cohort, for the learner. */
export interface CohortBoard {
  /** The learner's cohort; null if no event gave one. Then there are no rows. */
  cohort: string | null;
  /** The number of learners on the board. */
  participants: number;
  /** The rows asked for, the highest rank first. */
  rows: CohortBoardRow[];
}

/** A learner on the board of a cohort. */
export interface CohortBoardRow {
  /** The rank, from 1. Learners with equal XP share a rank, and the ranks after it are skipped: 1, 2, 2, 4. */
  rank: number;
  /** The name that others see; null if no event gave one. */
  displayName: string | null;
  /** The XP of the requested track and period. */
  xp: number;
  /** True in the row of the learner who asks. */
  isOwn: boolean;
}

/** A reference to an event, as shown in explanations. */
export interface EventReference {
  /** The time of the event. RFC 3339, in UTC. */
  time: string;
  /** The local day of the event. The learner's clock and the rules' `day_starts_at` decide it. YYYY-MM-DD. */
  day: string;
  /** The clock that decided the local day: the event's time zone. Without a zone, the offset in the event's time; without both, the rules' default time zone. */
  zone: string;
  /** The source of the event. Source and id together identify a learner's event. */
  source: string;
  /** The event's id, unique among the events of its learner and source. */
  id: string;
  /** The event's type, such as `line.spoken`. */
  type: string;
  /** The id of its session; null outside sessions. */
  session: string | null;
  /** The tag of its language, such as `es`; null if it has none. */
  language: string | null;
  /** The correction that voids the event; null if it counts. One of retracted, sessionDiscarded. */
  void: string | null;
  /** The limit that the event exceeds. If it exceeds none, it is null and left out of the JSON. */
  flag?: EventReferenceFlag;
}

/** The limit of the rules that an event exceeds. */
export interface EventReferenceFlag {
  /** The largest plausible number of events of the type in the span that ends at the event. */
  atMost: number;
  /** The length of the span: `second`, `minute`, `hour` or `day`. */
  per: string;
  /** True if a `flag.cleared` took the flag away. */
  isCleared: boolean;
}

/** An expression of the rules, with the values that it was evaluated on. */
export interface ExplainedExpression {
  /** The expression as written in the rules: `(1 - session.errors / session.lines) * 30`. */
  expression: string;
  /** The expression with every name replaced by its value: `(1 - 2 / 12) * 30`. Long texts are cut. */
  substituted: string;
  /** The names and their values, each name once, in the order in which they appear in the expression. */
  values: Record<string, unknown>;
  /** The result. */
  value: unknown;
}

/** A learner in a room of a league. */
export interface LeagueMember {
  /** The rank in the room, from 1. */
  rank: number;
  /** The learner's id; null if the caller may not know it. */
  learner: string | null;
  /** The name that others see; null if no event gave one. */
  displayName: string | null;
  /** The XP of the week, without flagged XP and without adjustments. */
  xp: number;
  /** The result that the rank gives: `promoted`, `stayed` or `demoted`. */
  outcome: string;
}

/** A learner's settled result in a week of a league. */
export interface LeagueResult {
  /** The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day. */
  week: string;
  /** The tier in that week. */
  tier: string;
  /** The tier for the next week. */
  next: string;
  /** The outcome of the week: `promoted`, `stayed` or `demoted`. */
  outcome: string;
  /** The number of the room in its tier, from 1; null if the learner did not compete. */
  room: number | null;
  /** The rank in the room, from 1; null if the learner did not compete. */
  rank: number | null;
  /** The number of learners in the room; null if the learner did not compete. */
  of: number | null;
  /** The learner's XP of the week that counted; negative if more was taken than given. */
  xp: number;
}

/** A learner's place in the present week of a league. The rooms are fixed only at the settlement. Until then, each further learner who earns XP in the week may change them. */
export interface LeagueStanding {
  /** The league's name in the rules. */
  league: string;
  /** The week: `2026-W06` if weeks start on Monday, otherwise the date of its first day. */
  week: string;
  /** The learner's tier. */
  tier: string;
  /** All tiers, the lowest first. */
  tiers: string[];
  /** True unless the learner opted out of leagues. */
  competes: boolean;
  /** The learner's XP of the week, without flagged XP and without adjustments; negative if more was taken than given. */
  xp: number;
  /** The number of the room in its tier, from 1; null until the learner has XP in the week. */
  room: number | null;
  /** The learner's rank in the room, from 1; null until the learner has XP in the week. */
  rank: number | null;
  /** The learners of the room, the first rank first; empty until the learner has XP in the week. */
  members: LeagueMember[];
  /** The last rank that is promoted; null in the highest tier, and if no rank is promoted. */
  promotedThrough: number | null;
  /** The first rank that is demoted; null in the lowest tier, and if no rank is demoted. */
  demotedFrom: number | null;
  /** The end of the week on the learner's own clock. RFC 3339, in UTC. */
  endsAt: string;
  /** The whole seconds until the end of the week. */
  secondsLeft: number;
  /** The learner's latest result; null before the first. */
  latest: LeagueResult | null;
}

/** A group of learners with its streak and goals, as of an instant. */
export interface LearnerGroup {
  /** The group's id, as `group.joined` events spell it. */
  id: string;
  /** The kind that the latest joining named; null if no joining named a kind. */
  kind: string | null;
  /** The group's day: the earliest local day of its members, or the latest day that counted for the streak, if that is later. YYYY-MM-DD. */
  day: string;
  /** The members who have not left, in byte order of their ids. */
  members: LearnerGroupMember[];
  /** The common streak; null if the rules have none for the kind. */
  streak: LearnerGroupStreak | null;
  /** The goals of the kind, in the order of the rules. */
  goals: LearnerGroupGoal[];
}

/** A target that the members reach together. */
export interface LearnerGroupGoal {
  /** The goal's id, as the rules spell it. */
  id: string;
  /** The window in which the goal begins anew: `day` or `week`. */
  every: string;
  /** The window that contains the group's day: a date, or the name of a week. */
  window: string;
  /** The column that is added up, as the rules spell it. */
  sum: string;
  /** The sum so far, with the parts of learners who have left the group in the window. */
  value: number;
  /** The sum that completes the goal, above 0. */
  target: number;
  /** True if the sum has reached the target. */
  isComplete: boolean;
}

/** A member of a group. */
export interface LearnerGroupMember {
  /** The learner's id; null if the caller may not know it. */
  learner: string | null;
  /** The name that others see; null if no event gave one. */
  displayName: string | null;
  /** The first day of the present membership; null if the caller may not know it. YYYY-MM-DD. */
  since: string | null;
  /** True if the group's day counts for the member's own streak. */
  practisedToday: boolean;
  /** The member's part of each goal, by the goal's id. */
  shares: Record<string, number>;
}

/** The common streak of a group. */
export interface LearnerGroupStreak {
  /** The number of days in a row that counted. Days with fewer than two members neither count nor end the streak. */
  current: number;
  /** The longest streak so far. */
  longest: number;
  /** The members who must practise for a day to count: `all`, `any`, or a number. */
  need: string;
  /** The number of members who must practise for the group's day to count. */
  needed: number;
  /** The number of members who have practised on the group's day. */
  practised: number;
  /** True if the group's day counts already. */
  isReached: boolean;
}

/** A learner's progress in one track, as of an instant. A track is one language, or all languages together. */
export interface LearnerProgress {
  /** The learner's id. */
  userId: string;
  /** The language of the track; null for all languages together. */
  language: string | null;
  /** The name that others see; null if no event gave one. */
  displayName: string | null;
  /** The streak in days, as of the instant's local day, or as of the latest active day if that is later. */
  currentStreak: number;
  /** The longest streak up to that day, in days. */
  longestStreak: number;
  /** The freezes held on that day. */
  streakFreezes: number;
  /** The latest active day; null if there is none. YYYY-MM-DD. */
  lastActivityDate: string | null;
  /** Whole minutes of practice on the local day of the instant. */
  todayMinutes: number;
  /** The practice goal in minutes a day, 1 … 1440. It is 15 if no event sets another goal. */
  dailyGoalMinutes: number;
  /** The XP of all time; negative if more was taken than given. */
  totalXP: number;
  /** The XP of events on the instant's local day; negative if more was taken than given. */
  todayXP: number;
  /** The XP of events whose local day is in the week of the instant's local day; negative if more was taken than given. */
  weeklyXP: number;
  /** The XP of each bucket, without zeros, in byte order of the buckets. */
  xpBreakdown: Record<string, number>;
  /** The level, from 1. */
  currentLevel: number;
  /** The progress towards the next level in percent, 0 … 100, not rounded; 100 if there is no next level. */
  levelProgressPercent: number;
  /** The XP still needed for the next level; null if there is no next level. */
  xpToNextLevel: number | null;
  /** The number of known words. A word is known from its first event until it is removed. */
  totalWordsKnown: number;
  /** The number of known words that count as learned. */
  totalWordsLearned: number;
  /** The number of known words that are due for review at the instant. */
  wordsDueForReview: number;
  /** The known words by stage. */
  vocabulary: MasteryCounts;
  /** 100 × learned ÷ known, in percent, not rounded; 0 if no word is known. */
  vocabularyMasteryPercent: number;
  /** The number of ended sessions. */
  totalSessions: number;
  /** Whole minutes of practice of all time, within ended sessions and outside sessions. */
  totalMinutesPlayed: number;
  /** The number of ended sessions with mode solo or without a mode. */
  soloSessions: number;
  /** The number of ended sessions with mode host or client. */
  multiplayerSessions: number;
  /** The number of misunderstandings that were cleared up. */
  successfulRepairs: number;
  /** The number of times that the learner helped others. */
  helpGiven: number;
  /** The number of times that the learner's team won. */
  teamWins: number;
  /** The CEFR level for the score that the rules compute; null for all languages together, and if the rules estimate no level. One of A1, A2, B1, B2, C1, C2. */
  estimatedCEFR: string | null;
  /** The progress towards the next CEFR level in percent, 0 … 100, not rounded; 100 in C2; null without an estimate. */
  cefrProgressPercent: number | null;
  /** The total of each metric, in the order of the rules. */
  metrics: Record<string, number>;
  /** `xp`, and each metric that the rules read as `day.NAME`, on the instant's local day; 0 if nothing happened on that day. */
  day: Record<string, number>;
  /** `xp`, and each metric that the rules read as `week.NAME`, in the week of the instant's local day. */
  week: Record<string, number>;
  /** `xp`, and each metric that the rules read as `season.NAME`, in the season of the instant's local day. If the rules have no seasons, it is null and left out of the JSON. */
  season?: Record<string, number>;
  /** The learner's variant in each experiment on the instant's local day. For a language's track, and if the rules have no experiments, it is null and left out of the JSON. */
  experiments?: Record<string, string>;
  /** The achievements of the track, in the order of the rules. */
  achievements: LearnerProgressAchievement[];
  /** The number of events that count, excluding void events. */
  events: number;
  /** The balance of each currency. In a language's track, and if the rules have no currencies, it is null and left out of the JSON. */
  balances?: Record<string, number>;
  /** The next refill of each balance that is refilled at present. It is null where `balances` is. */
  nextRefillAt?: Record<string, string>;
  /** The number of bought items, for each item of the rules. In a language's track, and if the rules have no items, it is null and left out of the JSON. */
  items?: Record<string, number>;
  /** The goals that can be completed on the instant's local day, in the order of the rules. In a language's track, and if the rules have no goals, it is null and left out of the JSON. */
  goals?: LearnerProgressGoal[];
  /** The number of events that exceed a limit of the rules and are therefore flagged. If the rules have no limits, it is null and left out of the JSON. */
  flaggedEvents?: number;
  /** The XP of flagged events. It is part of the XP of all time, but leaderboards leave it out. It is null where `flaggedEvents` is. */
  flaggedXP?: number;
  /** The version of the rules that applies to the learner. If the rules have only one version, it is null and left out of the JSON. */
  rules?: LearnerProgressRulesVersion;
}

/** A learner's progress towards one achievement. */
export interface LearnerProgressAchievement {
  /** The achievement's id, as the rules spell it. */
  id: string;
  /** The name that learners see, in the reader's language if the rules give the name in it. */
  name: string;
  /** The number of unlocked tiers; 0 while it is locked. */
  tier: number;
  /** The number of tiers. */
  tiers: number;
  /** The time when the latest tier was unlocked; null while none is. RFC 3339, in UTC. */
  unlockedAt: string | null;
  /** The progress towards the next locked tier, 0 … 1; 1 when all tiers are unlocked. */
  progress: number;
}

/** A learner's progress towards a goal in the window that contains the instant's local day. */
export interface LearnerProgressGoal {
  /** The goal's id, as the rules spell it. */
  id: string;
  /** The name that learners see, in the reader's language if the rules give the name in it; null if they give none. */
  name: string | null;
  /** The window in which the goal begins anew: `day`, `week` or `season`. */
  every: string;
  /** The value so far in the window. */
  value: number;
  /** The value that completes the goal, above 0. */
  target: number;
  /** The progress towards the target, 0 … 1; 1 once the goal is completed in the window. */
  progress: number;
  /** The time when the goal was completed in the window; null if it was not. RFC 3339, in UTC. */
  completedAt: string | null;
  /** The number of completions in all windows. */
  times: number;
}

/** A version of the rules. */
export interface LearnerProgressRulesVersion {
  /** The rules' name. */
  name: string;
  /** The first local day on which it is in force; null if it is in force from the beginning. YYYY-MM-DD. */
  from: string | null;
}

/** Known words by stage. The four numbers add up to all known words. */
export interface MasteryCounts {
  /** The number of words that have mastery 0 and were never reviewed. */
  new: number;
  /** The number of words that have mastery 1 or 2, or mastery 0 after a review. */
  learning: number;
  /** The number of words that have mastery 3 or 4. */
  reviewing: number;
  /** The number of words that have mastery 5. */
  mastered: number;
}

/** A purchase that is stored. */
export interface PurchaseReceipt {
  /** The id of the purchase. */
  id: string;
  /** The item, as the rules name it. */
  item: string;
  /** The number of items bought. */
  count: number;
  /** True if the same purchase was stored before, and so nothing changed. */
  duplicate: boolean;
  /** The learner's progress as of the purchase, in all languages together. */
  progress: LearnerProgress;
}

/** A practice session in numbers. */
export interface Session {
  /** The session's id in its events. Several sessions of a learner may have the same id. */
  sessionId: string;
  /** The tag of its language, such as `es`; null if its events have none. */
  language: string | null;
  /** The time of its first event. RFC 3339, in UTC. */
  startedAt: string;
  /** The time of its `session.ended`; null if there is none. RFC 3339, in UTC. */
  endedAt: string | null;
  /** The mode as the app calls it, such as `solo`; null if no event gives it. */
  mode: string | null;
  /** The scenario's id, as your app gave it; null if no event gives it. */
  scenarioId: string | null;
  /** The learner's practice partner; null if no event gives it. */
  partner: string | null;
  /** The length in milliseconds from `session.ended`. If that gives none, the time since `session.started`. null if the session has not ended, or neither is known. */
  durationMs: number | null;
  /** The number of dialog lines that were spoken. */
  linesSpoken: number;
  /** The sum of the counts of `word.encountered`, or the count of `session.ended` if that is larger. */
  wordsEncountered: number;
  /** The number of words that became known. */
  newVocabulary: number;
  /** The number of detected mistakes. Apps report mistakes in up to three ways: in separate events, in the lines, and in statistics. This number is the largest of the three counts. */
  errorsDetected: number;
  /** The number of mistakes that the learner corrected. */
  errorsCorrected: number;
  /** The XP that the session's events gave in the overall track; negative if more was taken than given. */
  xpEarned: number;
  /** The XP of each bucket, without zeros, in byte order of the buckets. */
  xpBreakdown: Record<string, number>;
}

/** A practice session in detail. */
export interface SessionReport {
  /** The session's id in its events. Several sessions of a learner may have the same id. */
  sessionId: string;
  /** The tag of its language, such as `es`; null if its events have none. */
  language: string | null;
  /** The time of its first event. RFC 3339, in UTC. */
  startedAt: string;
  /** The time of its `session.ended`; null if there is none. RFC 3339, in UTC. */
  endedAt: string | null;
  /** The mode as the app calls it, such as `solo`; null if no event gives it. */
  mode: string | null;
  /** The scenario's id, as your app gave it; null if no event gives it. */
  scenarioId: string | null;
  /** The learner's practice partner; null if no event gives it. */
  partner: string | null;
  /** The length in milliseconds from `session.ended`. If that gives none, the time since `session.started`. null if the session has not ended, or neither is known. */
  durationMs: number | null;
  /** The number of dialog lines that were spoken. */
  linesSpoken: number;
  /** The sum of the counts of `word.encountered`, or the count of `session.ended` if that is larger. */
  wordsEncountered: number;
  /** The number of words that became known. */
  newVocabulary: number;
  /** The number of detected mistakes. Apps report mistakes in up to three ways: in separate events, in the lines, and in statistics. This number is the largest of the three counts. */
  errorsDetected: number;
  /** The number of mistakes that the learner corrected. */
  errorsCorrected: number;
  /** The XP that the session's events gave in the overall track; negative if more was taken than given. */
  xpEarned: number;
  /** The XP of each bucket, without zeros, in byte order of the buckets. */
  xpBreakdown: Record<string, number>;
  /** The mean accuracy of the lines that have an accuracy, 0 … 1; null if no line has one. */
  accuracy: number | null;
  /** The number of dialog lines that were skipped. */
  linesSkipped: number;
  /** The number of reviews, including repeated reviews of a word. */
  reviews: number;
  /** The number of hints that the learner asked for. */
  hintsUsed: number;
  /** The number of misunderstandings that were cleared up. */
  repairsMade: number;
  /** The number of times that the learner helped others. */
  helpGiven: number;
  /** The words that became known, in the order of the events. */
  newWords: SessionReportNewWord[];
  /** The mistakes and corrections reported in separate events, in the order of the events. */
  mistakes: SessionReportMistake[];
  /** The lines of the dialog, in the order in which they were spoken or skipped. */
  lines: SessionReportDialogLine[];
}

/** A line of the dialog. */
export interface SessionReportDialogLine {
  /** The time when the line was spoken or skipped. RFC 3339, in UTC. */
  time: string;
  /** The line's id, as your app gave it; null if no event gives it. */
  line: string | null;
  /** The role that the learner played; null if no event gives it. */
  role: string | null;
  /** The text of the line; null if no event gives it. */
  text: string | null;
  /** The translation of the text; null if no event gives it. */
  translation: string | null;
  /** The accuracy with which the line was spoken, 0 … 1; null if the event does not give it. */
  accuracy: number | null;
  /** The number of mistakes in the line; null if the event does not give it. */
  errors: number | null;
  /** True if the line was skipped. */
  skipped: boolean;
}

/** A mistake, or the correction of one. */
export interface SessionReportMistake {
  /** The time when the mistake was detected or corrected. RFC 3339, in UTC. */
  time: string;
  /** The kind of mistake, as the app calls it; null if the event does not give it. */
  kind: string | null;
  /** The learner's own words; null if the event does not give them. */
  original: string | null;
  /** The correct words; null if the event does not give them. */
  corrected: string | null;
  /** The id of the line, as your app gave it; null if the event does not give it. */
  line: string | null;
  /** True if this is a correction, not the mistake itself. */
  correction: boolean;
}

/** A word that became known. */
export interface SessionReportNewWord {
  /** The word's id, as your app gave it. */
  word: string;
  /** The spelling of the word; null if the event does not give it. */
  text: string | null;
  /** The translation of the word; null if the event does not give it. */
  translation: string | null;
}

/** A track's streak, day by day. */
export interface StreakExplanation {
  /** The learner's id. */
  learner: string;
  /** The language of the track; null for all languages together. */
  language: string | null;
  /** The condition that an event must meet for its day to be active, as written in the rules. */
  when: string;
  /** The reference day: the local day at the requested instant, or the latest active day if that is later. YYYY-MM-DD. */
  day: string;
  /** The streak at the reference day, in days. */
  currentStreak: number;
  /** The longest streak up to the reference day, in days. */
  longestStreak: number;
  /** The freezes held at the reference day. */
  streakFreezes: number;
  /** The latest day that broke a streak; null if no day did. It may be before the first of `days`. */
  lastBreak: StreakExplanationDay | null;
  /** The listed days, about a month, ascending and without gaps; empty if the streak begins after them. */
  days: StreakExplanationDay[];
}

/** A day, and its effect on the streak. */
export interface StreakExplanationDay {
  /** The local day by the learner's clock. YYYY-MM-DD. */
  day: string;
  /** The effect of the day on the streak. One of active, repaired, restDay, frozen, freezeSpent, missed, open. */
  outcome: string;
  /** The streak after this day, in days. */
  currentStreak: number;
  /** The longest streak up to this day, in days. */
  longestStreak: number;
  /** The freezes held after this day. */
  streakFreezes: number;
  /** The length of the streak that the day broke, in days; null if it broke no streak. */
  lost: number | null;
  /** True if a freeze was earned on the day. */
  earnsFreeze: boolean;
  /** The number of the day's events in the track, excluding void events. */
  events: number;
  /** The number of these events that met `streak.when`. */
  activeEvents: number;
  /** The number of the day's events that corrections void. */
  voidEvents: number;
  /** The clocks of the events that met `streak.when`, each once, in the order of the events. */
  zones: string[];
  /** The first event of the day that met `streak.when`. If no event met it, the last event that did not; null if there is neither. */
  event: EventReference | null;
  /** The condition `streak.when` at that event; null if there is no event. */
  when: ExplainedExpression | null;
  /** The first `streak.repaired` that names the day; null if none does. */
  repairedBy: EventReference | null;
  /** The first `streak.frozen` that names the day; null if none does. */
  frozenBy: EventReference | null;
}

/** A learner's activity on one local day. */
export interface StudyDay {
  /** The local day, by the learner's clock. YYYY-MM-DD. */
  day: string;
  /** The practice on the day, in milliseconds. */
  ms: number;
  /** The XP of the day's events; negative if more was taken than given. */
  xp: number;
  /** The number of dialog lines that were spoken. */
  lines: number;
  /** The number of reviews, including repeated reviews of a word. */
  reviews: number;
  /** The number of reviews that were graded hard, good or easy. */
  correctReviews: number;
  /** The number of words that became known on the day. */
  newWords: number;
  /** The number of words that became learned on the day. */
  learnedWords: number;
  /** True if the day is active for the streak. */
  active: boolean;
}

/** The time that a learner practised, within ended sessions and outside sessions. */
export interface StudyTime {
  /** The language of the track; null for all languages together. */
  language: string | null;
  /** The practice of all time, in milliseconds. */
  totalMs: number;
  /** The number of ended sessions. */
  sessions: number;
  /** The days with activity, the latest first. */
  days: StudyDay[];
}

/** An achievement that was just unlocked. */
export interface UnlockedAchievement {
  /** The learner's id. */
  learner: string;
  /** The language of the track; null for the overall one. */
  language: string | null;
  /** The achievement's id, as the rules spell it. */
  id: string;
  /** Number of unlocked tiers. */
  tier: number;
  /** Number of tiers. */
  tiers: number;
  /** Time of the latest unlocked tier. RFC 3339, in UTC. */
  unlockedAt: string | null;
}

/** The counts of one category of words. */
export interface VocabularyCategory {
  /** The language; null for words whose events have none. */
  language: string | null;
  /** The category; null for words without one. */
  category: string | null;
  /** The number of known words. A word is known from its first event until it is removed. */
  known: number;
  /** The number of known words that count as learned. */
  learned: number;
  /** The number of known words whose next review is due. */
  due: number;
}

/** The size of a learner's vocabulary. */
export interface VocabularySummary {
  /** The language; null for all languages together. */
  language: string | null;
  /** The number of known words. A word is known from its first event until it is removed. */
  known: number;
  /** The number of known words that count as learned. */
  learned: number;
  /** The number of known words whose next review is due. */
  due: number;
  /** The number of words that have mastery 0 and were never reviewed. */
  new: number;
  /** The number of words that have mastery 1 or 2, or mastery 0 after a review. */
  learning: number;
  /** The number of words that have mastery 3 or 4. */
  reviewing: number;
  /** The number of words that have mastery 5. */
  mastered: number;
  /** The counts by language and category, in byte order of both. Words without a language or category come first. */
  categories: VocabularyCategory[];
}

/** A word of a learner's vocabulary, with its schedule. */
export interface Word {
  /** The language of the word's events; null if they have none. */
  language: string | null;
  /** The word's id, as your app gave it. */
  word: string;
  /** The spelling of the word; null if no event gives it. */
  text: string | null;
  /** The word in the learner's own language; null if no event gives it. */
  translation: string | null;
  /** The part of speech, such as `noun`; null if no event gives it. */
  partOfSpeech: string | null;
  /** The category in which your app groups the word; null if no event gives it. */
  category: string | null;
  /** The tags of the latest event that has tags, in the order of that event. */
  tags: string[];
  /** True if the learner marked the word as a favourite. */
  favourite: boolean;
  /** The stage that results from the word's mastery and reviews. One of new, learning, reviewing, mastered. */
  bucket: string;
  /** The mastery of the word, 0 … 5. The scheduler sets it. */
  mastery: number;
  /** The number of reviews of the word. */
  reviews: number;
  /** The number of reviews that were graded hard, good or easy. */
  correct: number;
  /** Days until the next review, as the scheduler last set it; 0 … 36 500. */
  intervalDays: number;
  /** FSRS's stability, in days. null under SM-2, and before the first review or import that gives a stability. */
  stability?: number | null;
  /** FSRS's difficulty, 1 … 10. null under SM-2, and before the first review or import that gives a difficulty. */
  difficulty?: number | null;
  /** SM-2's ease factor, at least 1.3; null under FSRS. */
  easeFactor?: number;
  /** The time when the next review is due. RFC 3339, in UTC. */
  nextReviewAt: string;
  /** True if the word counts as learned, by its mastery or by `word.learned`. */
  learned: boolean;
  /** True if the next review is due at the requested instant. */
  due: boolean;
  /** The time when the word became known. RFC 3339, in UTC. */
  firstSeenAt: string;
  /** The time when the word was last reviewed; null if it never was. RFC 3339, in UTC. */
  lastReviewedAt: string | null;
  /** The time when the word became learned; null if it is not learned. RFC 3339, in UTC. */
  learnedAt: string | null;
  /** The sum of the counts of `word.encountered`; reviews are not counted. */
  encounters: number;
}

/** The history of a word, and the schedule that resulted from it. */
export interface WordExplanation {
  /** The language of the word's events; null if they have none. */
  language: string | null;
  /** The word's id, as your app gave it. */
  word: string;
  /** The spelling of the word; null if no event gives it. */
  text: string | null;
  /** The word in the learner's own language; null if no event gives it. */
  translation: string | null;
  /** The word's schedule now; null if the word is unknown or was removed. */
  state: WordExplanationState | null;
  /** True if the word counts as learned, by its mastery or by `word.learned`. */
  learned: boolean;
  /** True if the next review is due at the requested instant. */
  due: boolean;
  /** The share of reviews that the learner should recall, 0 … 1, as the rules ask for; null under SM-2. */
  desiredRetention: number | null;
  /** The probability that the learner recalls the word at the requested instant, as FSRS predicts it. null under SM-2, and within a day of the last review. */
  recall: number | null;
  /** The probability that the learner recalls the word when its next review is due; null under SM-2. */
  recallWhenDue: number | null;
  /** The parameters w0 … w20 with which FSRS schedules the word now; null under SM-2. */
  parameters: number[] | null;
  /** The `scheduler.fitted` event that gave these parameters; null if the rules give them. */
  fit: EventReference | null;
  /** The events about the word with their effects, in the learner's order, including void events. */
  steps: WordExplanationStep[];
}

/** A word's schedule. */
export interface WordExplanationState {
  /** The mastery of the word, 0 … 5. The scheduler sets it. */
  mastery: number;
  /** The stage that results from the word's mastery and reviews. One of new, learning, reviewing, mastered. */
  bucket: string;
  /** The number of reviews of the word. */
  reviews: number;
  /** The number of reviews that were graded hard, good or easy. */
  correct: number;
  /** Days until the next review, as the scheduler last set it; 0 … 36 500. */
  intervalDays: number;
  /** FSRS's stability, in days. null under SM-2, and before the first review or import that gives a stability. */
  stability?: number | null;
  /** FSRS's difficulty, 1 … 10. null under SM-2, and before the first review or import that gives a difficulty. */
  difficulty?: number | null;
  /** SM-2's ease factor, at least 1.3; null under FSRS. */
  easeFactor?: number;
  /** The time when the word was last reviewed; null if it never was. RFC 3339, in UTC. */
  lastReviewedAt: string | null;
  /** The time when the next review is due. RFC 3339, in UTC. */
  nextReviewAt: string;
  /** True if the learner declared the word learned, with `word.learned`. */
  declaredLearned: boolean;
}

/** An event, and its effect on the word. The JSON has both in one object. */
export interface WordExplanationStep {
  /** The time of the event. RFC 3339, in UTC. */
  time: string;
  /** The local day of the event. The learner's clock and the rules' `day_starts_at` decide it. YYYY-MM-DD. */
  day: string;
  /** The clock that decided the local day: the event's time zone. Without a zone, the offset in the event's time; without both, the rules' default time zone. */
  zone: string;
  /** The source of the event. Source and id together identify a learner's event. */
  source: string;
  /** The event's id, unique among the events of its learner and source. */
  id: string;
  /** The event's type, such as `line.spoken`. */
  type: string;
  /** The id of its session; null outside sessions. */
  session: string | null;
  /** The tag of its language, such as `es`; null if it has none. */
  language: string | null;
  /** The correction that voids the event; null if it counts. One of retracted, sessionDiscarded. */
  void: string | null;
  /** The limit that the event exceeds. If it exceeds none, it is null and left out of the JSON. */
  flag?: EventReferenceFlag;
  /** The grade of `review.graded`; null for other events. */
  grade: string | null;
  /** The count of `word.encountered`, which is 1 if the event gives none; null for other events. */
  count: number | null;
  /** The days since the last review, as the scheduler counts them; null before the first review, and for a void event. */
  daysSinceReview: number | null;
  /** The probability just before the event that the learner recalls the word, as FSRS predicts it. null under SM-2, and within a day of the last review. */
  recall: number | null;
  /** The time of the `scheduler.fitted` event whose parameters FSRS used; null if the rules gave them. RFC 3339, in UTC. */
  fittedAt: string | null;
  /** The schedule before the event; null if the word was unknown, and for a void event. */
  before: WordExplanationState | null;
  /** The schedule after the event; null if the event removed the word, and for a void event. */
  after: WordExplanationState | null;
}

/** The sources of a track's XP. */
export interface XPExplanation {
  /** The learner's id. */
  learner: string;
  /** The language of the track; null for all languages together. */
  language: string | null;
  /** The only local day that is explained; null for all days. YYYY-MM-DD. */
  day: string | null;
  /** The only session that is explained; null for all events. */
  session: string | null;
  /** The events that XP rules apply to, and other events that gave or took XP, in the learner's order. Void events of these types are included. */
  events: XPExplanationEvent[];
  /** The XP of each bucket, without zeros, in byte order of the buckets. */
  xpBreakdown: Record<string, number>;
  /** The XP of all buckets together; negative if more was taken than given. */
  totalXP: number;
}

/** XP that an event gave, took or could have given. */
export interface XPExplanationEntry {
  /** The kind of reason. It decides which other members are present. One of award, withheld, outOfPeriod, adjustment, declaration, reward, rewardTakenBack, goal. */
  kind: string;
  /** The bucket that was credited. */
  bucket: string;
  /** The XP; negative if it was taken, 0 if none was given. */
  amount: number;
  /** The goal's id. */
  goal?: string;
  /** The achievement's id. */
  achievement?: string;
  /** The language of the achievement's track; null for the overall one. */
  language?: string | null;
  /** The number of tiers whose rewards were deducted. */
  tiers?: number;
  /** The first tier that was rewarded, from 1. */
  fromTier?: number;
  /** The last tier that was rewarded, from 1. */
  tier?: number;
  /** The total that `xp.declared` set. */
  total?: number;
  /** The XP rule's id. */
  rule?: string;
  /** The reason given for an adjustment, or the reason why the day is outside the rule's period; null if there is none. */
  reason?: string | null;
  /** The condition of the rule that did not hold. */
  when?: ExplainedExpression;
  /** The award that the rule gives, or would have given. */
  award?: ExplainedExpression;
  /** The award, rounded down and at least 0, before the daily cap. */
  whole?: number;
  /** The maximum XP that the rule awards in a day; null without a cap. */
  dailyCap?: number | null;
}

/** An event, and the XP that it brought. The JSON has both in one object. */
export interface XPExplanationEvent {
  /** The time of the event. RFC 3339, in UTC. */
  time: string;
  /** The local day of the event. The learner's clock and the rules' `day_starts_at` decide it. YYYY-MM-DD. */
  day: string;
  /** The clock that decided the local day: the event's time zone. Without a zone, the offset in the event's time; without both, the rules' default time zone. */
  zone: string;
  /** The source of the event. Source and id together identify a learner's event. */
  source: string;
  /** The event's id, unique among the events of its learner and source. */
  id: string;
  /** The event's type, such as `line.spoken`. */
  type: string;
  /** The id of its session; null outside sessions. */
  session: string | null;
  /** The tag of its language, such as `es`; null if it has none. */
  language: string | null;
  /** The correction that voids the event; null if it counts. One of retracted, sessionDiscarded. */
  void: string | null;
  /** The limit that the event exceeds. If it exceeds none, it is null and left out of the JSON. */
  flag?: EventReferenceFlag;
  /** The sum of the entries; negative if more was taken than given. */
  xp: number;
  /** The entries in the order of crediting; empty for a void event. */
  entries: XPExplanationEntry[];
}
// </answers>

export type LiveMessage =
  | { type: 'progress'; data: LearnerProgress | null }
  | { type: 'achievement'; data: UnlockedAchievement };

export interface WatchOptions {
  /** The language of the track; the overall track by default. */
  language?: string;
  /** An `AbortSignal` that ends the watching. */
  signal?: { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void };
}

type QueryValue = string | number | boolean | null | undefined;

/** Records and delivers learners' events. An acknowledged event is durable. Delivery waits while offline, and each event counts once. */
export declare class LaurelClient {
  private constructor();
  /** Opens the outbox; creates it if there is none. */
  static open(options: ClientOptions): Promise<LaurelClient>;
  /** The `source` of all events: this installation of the app. */
  readonly source: string;
  /** The place where an acknowledged event is durable: this device's disk, or the service if there is no storage. */
  readonly durability: 'disk' | 'service';
  readonly status: DeliveryStatus;
  /** Records an event. `id` is for events from another system, which already have an id. */
  record(event: LearningEvent, context: PracticeContext, options?: { at?: Date; id?: string }): Promise<EventIdentity>;
  /** Records events with the same time: all of them or none. */
  record(events: readonly LearningEvent[], context: PracticeContext, options?: { at?: Date }): Promise<EventIdentity[]>;
  /** Buys an item at the service, after the events that wait. Rejects with a `ServiceError`, such as `insufficient-balance`. */
  buy(item: string, buyer: { learner: string; timezone?: string }, options?: PurchaseOptions & { queue?: false }): Promise<PurchaseReceipt>;
  /** Resolves to null if the purchase waits in the outbox. */
  buy(item: string, buyer: { learner: string; timezone?: string }, options: PurchaseOptions): Promise<PurchaseReceipt | null>;
  /** Starts to deliver in the background, until `stop` or `close`. */
  start(): void;
  /** Stops delivering in the background. Waiting events stay. */
  stop(): Promise<void>;
  /** Delivers the events that wait now, without retries; throws if the delivery fails. */
  flush(): Promise<void>;
  /** Stops delivering, and cancels running requests. After that, recording throws. */
  close(): Promise<void>;
  /** The present state of delivery, then the latest state after every change. */
  states(): AsyncGenerator<DeliveryStatus, void, undefined>;
  /** The latest events that the service accepted but found invalid, and refused purchases, each with its problem; up to 1000. */
  refused(): Promise<RefusedEvent[]>;
  forget(...ids: (string | readonly string[])[]): Promise<void>;
  /** Asks the service, such as `ask('/v1/learners/ana/words', { due: true })`. */
  ask<Answer = unknown>(path: string, query?: Record<string, QueryValue | readonly QueryValue[]>): Promise<Answer>;
  /** A learner's progress, now and after every change; null while the learner is unknown. */
  progress(learner: string, options?: WatchOptions): AsyncGenerator<LearnerProgress | null, void, undefined>;
  /** A learner's progress as in `progress`, and newly unlocked achievements. */
  watch(learner: string, options?: WatchOptions): AsyncGenerator<LiveMessage, void, undefined>;
}

/** The reason why an event is invalid, so that the service would refuse it. */
export declare class InvalidEvent extends Error {
  readonly type: string;
  /** An attribute such as `language`, or a field such as `data.accuracy`. */
  readonly place: string;
}

/** The outbox did not store an event, so the event was not acknowledged. */
export declare class OutboxError extends Error {
  readonly code: 'full' | 'diskFull' | 'ioError' | 'closed';
}

/** The service was not reached, or refused the request. */
export declare class ServiceError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly code: string | null;
  readonly isRetryable: boolean;
  /** The time to wait, in milliseconds. */
  readonly retryAfter: number;
}

// <catalogue>
/** A constructor for each type of the catalogue; a type of your own is `{ type: 'quest.finished', data: { … } }`. */
export declare const events: {
  /** `learner.updated`: The learner's profile. For each property, the latest value counts. */
  learnerUpdated(fields?: {
    /** Text. */
    displayName?: string;
    /** Text. */
    nativeLanguage?: string;
    /** A whole number from 1 to 1440. */
    dailyGoalMinutes?: number;
    /** Text; only administrators may send it. */
    cohort?: string;
    /** True or false. */
    leaderboard?: boolean;
    /** True or false. */
    leagues?: boolean;
  }): LearningEvent;
  /** `level.declared`: The CEFR level at which a learner starts. Needs a language. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `level.declared`. */
  levelDeclared(fields: {
    /** A1, A2, B1, B2, C1 or C2. */
    level: 'A1' | 'A2' | 'B1' | 'B2' | 'C1' | 'C2';
  }): LearningEvent;
  /** `session.started`: A practice session begins. */
  sessionStarted(fields?: {
    /** Solo, host or client. */
    mode?: 'solo' | 'host' | 'client';
    /** Text. */
    scenario?: string;
    /** Text. */
    role?: string;
    /** Text. */
    partner?: string;
    /** Text. */
    kind?: string;
  }): LearningEvent;
  /** `session.ended`: A practice session ends. Absent fields are taken from its session.started. */
  sessionEnded(fields?: {
    /** A whole number, 0 or more. */
    durationMs?: number;
    /** Solo, host or client. */
    mode?: 'solo' | 'host' | 'client';
    /** Text. */
    scenario?: string;
    /** Text. */
    partner?: string;
  }): LearningEvent;
  /** `session.discarded`: A session is discarded: its events have no effect. Needs a session. */
  sessionDiscarded(): LearningEvent;
  /** `line.spoken`: A line of a dialog was spoken. */
  lineSpoken(fields?: {
    /** Text. */
    line?: string;
    /** Text. */
    text?: string;
    /** Text. */
    translation?: string;
    /** Text. */
    role?: string;
    /** A number from 0 to 1. */
    accuracy?: number;
    /** A whole number, 0 or more. */
    errors?: number;
    /** A whole number, 0 or more. */
    words?: number;
    /** A whole number, 0 or more. */
    durationMs?: number;
  }): LearningEvent;
  /** `line.skipped`: A line of a dialog was skipped. */
  lineSkipped(fields?: {
    /** Text. */
    line?: string;
  }): LearningEvent;
  /** `word.added`: A word was added to the vocabulary. */
  wordAdded(fields: {
    /** Text. */
    word: string;
    /** Text. */
    text?: string;
    /** Text. */
    translation?: string;
    /** Text. */
    partOfSpeech?: string;
    /** Text. */
    category?: string;
    /** A list of text. */
    tags?: readonly string[];
    /** Text. */
    origin?: string;
  }): LearningEvent;
  /** `word.updated`: A word's details changed. */
  wordUpdated(fields: {
    /** Text. */
    word: string;
    /** Text. */
    text?: string;
    /** Text. */
    translation?: string;
    /** Text. */
    partOfSpeech?: string;
    /** Text. */
    category?: string;
    /** A list of text. */
    tags?: readonly string[];
    /** Text. */
    origin?: string;
  }): LearningEvent;
  /** `word.removed`: A word was removed. If it is added again, it starts as a new word. */
  wordRemoved(fields: {
    /** Text. */
    word: string;
  }): LearningEvent;
  /** `word.encountered`: The learner encountered a word. */
  wordEncountered(fields: {
    /** Text. */
    word: string;
    /** A whole number, 0 or more; 1 where absent. */
    count?: number;
    /** Text. */
    category?: string;
  }): LearningEvent;
  /** `word.learned`: The learner says that the word is learned. */
  wordLearned(fields: {
    /** Text. */
    word: string;
  }): LearningEvent;
  /** `word.unlearned`: The learner cancels a word.learned. */
  wordUnlearned(fields: {
    /** Text. */
    word: string;
  }): LearningEvent;
  /** `word.imported`: A word was imported, with its review schedule. */
  wordImported(fields: {
    /** Text. */
    word: string;
    /** A whole number from 0 to 5. */
    masteryLevel?: number;
    /** A number, 1.3 or more. */
    easeFactor?: number;
    /** A whole number from 1 to 36500. */
    intervalDays?: number;
    /** A number greater than 0. */
    stability?: number;
    /** A number from 1 to 10. */
    difficulty?: number;
    /** An RFC 3339 time, such as 2026-02-05T18:00:00+01:00. */
    nextReviewAt?: Date | string;
    /** An RFC 3339 time, such as 2026-02-05T18:00:00+01:00. */
    lastReviewedAt?: Date | string;
    /** A whole number, 0 or more. */
    totalReviews?: number;
    /** A whole number, 0 or more. */
    correctReviews?: number;
    /** Text. */
    text?: string;
    /** Text. */
    translation?: string;
    /** Text. */
    partOfSpeech?: string;
    /** Text. */
    category?: string;
    /** A list of text. */
    tags?: readonly string[];
    /** Text. */
    origin?: string;
  }): LearningEvent;
  /** `review.graded`: A review of a word was graded. */
  reviewGraded(fields: {
    /** Text. */
    word: string;
    /** Again, hard, good or easy. */
    grade: 'again' | 'hard' | 'good' | 'easy';
    /** A whole number, 0 or more. */
    durationMs?: number;
    /** Text. */
    mode?: string;
  }): LearningEvent;
  /** `error.detected`: An error was detected. */
  errorDetected(fields?: {
    /** Text. */
    kind?: string;
    /** Text. */
    original?: string;
    /** Text. */
    corrected?: string;
    /** Text. */
    line?: string;
  }): LearningEvent;
  /** `error.corrected`: An error was corrected. */
  errorCorrected(fields?: {
    /** Text. */
    kind?: string;
    /** Text. */
    line?: string;
  }): LearningEvent;
  /** `repair.made`: A misunderstanding was repaired. */
  repairMade(fields?: {
    /** True or false; True where absent. */
    helped?: boolean;
    /** Text. */
    line?: string;
    /** Text. */
    partner?: string;
  }): LearningEvent;
  /** `help.given`: The learner helped another learner. */
  helpGiven(fields?: {
    /** Text. */
    to?: string;
    /** Text. */
    line?: string;
  }): LearningEvent;
  /** `hint.used`: A hint was used. */
  hintUsed(fields?: {
    /** Text. */
    level?: string;
  }): LearningEvent;
  /** `scenario.completed`: A scenario was completed. */
  scenarioCompleted(fields: {
    /** Text. */
    scenario: string;
    /** A whole number, 0 or more. */
    errors?: number;
  }): LearningEvent;
  /** `team.won`: A team won together. */
  teamWon(fields?: {
    /** Text. */
    partner?: string;
  }): LearningEvent;
  /** `object.scanned`: An object in the room was recognised. */
  objectScanned(fields: {
    /** Text. */
    label: string;
    /** A number from 0 to 1. */
    confidence?: number;
  }): LearningEvent;
  /** `conversation.ended`: A conversation with a character ended. */
  conversationEnded(fields?: {
    /** Text. */
    character?: string;
    /** A whole number, 0 or more. */
    messages?: number;
    /** A whole number, 0 or more. */
    durationMs?: number;
    /** A whole number, 0 or more. */
    wordsUsed?: number;
    /** A whole number, 0 or more. */
    grammarErrors?: number;
    /** A whole number, 0 or more. */
    averageResponseMs?: number;
  }): LearningEvent;
  /** `streak.repaired`: A missed day counts as active. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.repaired`. */
  streakRepaired(fields: {
    /** A date that exists, as YYYY-MM-DD. */
    date: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `streak.frozen`: A day is frozen: if it is missed, the streak neither ends nor grows. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.frozen`. */
  streakFrozen(fields: {
    /** A date that exists, as YYYY-MM-DD. */
    date: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `streak.paused`: A span of at most 366 days is frozen: on its missed days, the streak neither ends nor grows. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.paused`. */
  streakPaused(fields: {
    /** A date that exists, as YYYY-MM-DD. */
    from: string;
    /** A date that exists, as YYYY-MM-DD. */
    through: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `freeze.granted`: The learner gets streak freezes. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `freeze.granted`. */
  freezeGranted(fields?: {
    /** A whole number from 1 to 100; 1 where absent. */
    count?: number;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `xp.adjusted`: XP is added or subtracted. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `xp.adjusted`. */
  xpAdjusted(fields: {
    /** A whole number. */
    amount: number;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `xp.declared`: The total XP that an app showed. If the track has less, the difference is added. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `xp.declared`. */
  xpDeclared(fields: {
    /** A whole number, 0 or more. */
    total: number;
  }): LearningEvent;
  /** `currency.adjusted`: A balance is raised or lowered. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `currency.adjusted`. */
  currencyAdjusted(fields: {
    /** Text. */
    currency: string;
    /** A whole number from -1000000000000 to 1000000000000. */
    amount: number;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `item.bought`: The learner bought items. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `item.bought`. */
  itemBought(fields: {
    /** Text. */
    item: string;
    /** A whole number from 1 to 1000; 1 where absent. */
    count?: number;
  }): LearningEvent;
  /** `achievement.granted`: An achievement is unlocked. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `achievement.granted`. */
  achievementGranted(fields: {
    /** Text. */
    achievement: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `achievement.revoked`: An achievement is locked again. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `achievement.revoked`. */
  achievementRevoked(fields: {
    /** Text. */
    achievement: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `group.joined`: The learner became a member of a group. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `group.joined`. */
  groupJoined(fields: {
    /** Text. */
    group: string;
    /** Text. */
    kind?: string;
  }): LearningEvent;
  /** `group.left`: The learner left a group. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `group.left`. */
  groupLeft(fields: {
    /** Text. */
    group: string;
  }): LearningEvent;
  /** `league.finished`: The learner's result in a week of a league. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `league.finished`. */
  leagueFinished(fields: {
    /** Text. */
    league: string;
    /** Text. */
    week: string;
    /** Text. */
    tier: string;
    /** A number. */
    xp: number;
    /** Promoted, stayed or demoted. */
    outcome: 'promoted' | 'stayed' | 'demoted';
    /** Text. */
    next: string;
    /** A whole number. */
    room?: number;
    /** A whole number. */
    rank?: number;
    /** A whole number. */
    of?: number;
  }): LearningEvent;
  /** `flag.cleared`: An event that was flagged as implausible is no longer flagged. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `flag.cleared`. */
  flagCleared(fields: {
    /** Text. */
    source: string;
    /** Text. */
    id: string;
  }): LearningEvent;
  /** `scheduler.fitted`: FSRS parameters were fitted to the learner's reviews. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `scheduler.fitted`. */
  schedulerFitted(fields: {
    /** A list of 21 numbers, each within its bounds. */
    parameters: readonly number[];
    /** A whole number, 0 or more. */
    reviews: number;
    /** A number. */
    logLoss: number;
  }): LearningEvent;
  /** `event.retracted`: An event of the same learner is retracted: it has no effect. */
  eventRetracted(fields: {
    /** Text. */
    source: string;
    /** Text. */
    id: string;
  }): LearningEvent;
};
// </catalogue>
