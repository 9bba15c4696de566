// SPDX-License-Identifier: Apache-2.0

// Types of laurel.js. What it promises: docs/client.md.

/** Something a learner did: a type, and what is known about it. */
export interface LearningEvent {
  readonly type: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Who practises, what, and in which session. */
export interface PracticeContext {
  /** The learner's id, 1 to 256 bytes. */
  learner: string;
  /** BCP 47 tag of the language being learned. */
  language?: string;
  /** The practice session's id, 1 to 128 bytes. */
  session?: string;
  /** Where the learner is, such as `Europe/Berlin`, for programs that run elsewhere. */
  timezone?: string;
}

/** What an event is known by; `events.eventRetracted` takes it back. */
export interface EventIdentity {
  readonly source: string;
  readonly id: string;
}

export interface ClientOptions {
  /** Where the service is, such as `https://progress.example`; nothing where it is the page's own origin. */
  service?: string;
  /** The app's name, which events' `source` begins with; 1 to 200 bytes without control characters. */
  application: string;
  /** The key or token to send; a function is asked before each request, so that it may be a new one. */
  credential?: string | null | (() => string | null | undefined | Promise<string | null | undefined>);
  /** In Node: the folder of the outbox. */
  folder?: string | null;
  /** In a browser: the name of the outbox among the origin's databases; made of the application's where not given. */
  database?: string | null;
  /** Whether the browser is asked to keep the outbox where it runs short of room; true where not given. */
  persist?: boolean;
  /** How much may wait: 100,000 events or 64 MiB where not given. */
  limits?: { events?: number; bytes?: number; whenFull?: 'refuse' | 'dropOldest' };
  /** The most events in a batch; 500 where not given. */
  batchEvents?: number;
  /** The most bytes in a batch; 512 KiB where not given. One event may be more. */
  batchBytes?: number;
  /** The longest wait after the first failure, which doubles with each further one, and the longest after any; milliseconds. */
  retry?: { base?: number; cap?: number };
  /** How long an answer may take; milliseconds. */
  timeout?: number;
  /** When events happen that are recorded without a time. */
  now?: () => Date;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  /** Called in place of the global `fetch`. */
  fetch?: (url: string, options?: any) => Promise<{ readonly ok: boolean; readonly status: number }>;
}

/** How delivering goes. */
export interface DeliveryStatus {
  /** blocked: trying again by itself would not help, until `start` or `flush`. */
  state: 'idle' | 'sending' | 'waiting' | 'blocked' | 'closed';
  /** While waiting: for how long, in milliseconds. */
  delay?: number;
  /** Events that are not delivered yet, and the bytes of their JSON. */
  pending: number;
  pendingBytes: number;
  /** Events delivered since the client was opened, those included that the service found wrong. */
  sent: number;
  refused: number;
  /** Events given up for want of room. */
  dropped: number;
  /** Failed attempts in a row. */
  failures: number;
  lastProblem: string | null;
}

/** An event that the service took but found wrong. */
export interface RefusedEvent {
  id: string;
  event: Record<string, unknown> | undefined;
  /** Such as `invalid-field` or `conflict`. */
  code: string;
  message: string;
}

/** A learner's numbers; all of them are in docs/numbers.md. */
export interface LearnerProgress {
  userId: string;
  /** null for all languages together. */
  language: string | null;
  displayName: string | null;
  /** In days. */
  currentStreak: number;
  longestStreak: number;
  streakFreezes: number;
  /** YYYY-MM-DD. */
  lastActivityDate: string | null;
  todayMinutes: number;
  dailyGoalMinutes: number;
  totalXP: number;
  todayXP: number;
  weeklyXP: number;
  xpBreakdown: Record<string, number>;
  currentLevel: number;
  /** 0 to 100. */
  levelProgressPercent: number;
  /** null at the highest level. */
  xpToNextLevel: number | null;
  totalWordsKnown: number;
  totalWordsLearned: number;
  wordsDueForReview: number;
  vocabulary: { new: number; learning: number; reviewing: number; mastered: number };
  /** 0 to 100. */
  vocabularyMasteryPercent: number;
  totalSessions: number;
  totalMinutesPlayed: number;
  soloSessions: number;
  multiplayerSessions: number;
  successfulRepairs: number;
  helpGiven: number;
  teamWins: number;
  /** A1 to C2. */
  estimatedCEFR: string | null;
  cefrProgressPercent: number | null;
  metrics: Record<string, number>;
  /** `xp`, and the metrics that the rules read in the day's window. */
  day: Record<string, number>;
  /** The same of the week's. */
  week: Record<string, number>;
  achievements: {
    id: string;
    /** In the language of `locale`; in English where not given. */
    name: string;
    tier: number;
    tiers: number;
    unlockedAt: string | null;
    /** 0 to 1. */
    progress: number;
  }[];
  events: number;
  /** Where the rules have several versions. */
  rules?: { name: string; from: string | null };
}

/** An achievement that was just unlocked. */
export interface UnlockedAchievement {
  learner: string;
  language?: string;
  id: string;
  tier: number;
  tiers: number;
  unlockedAt?: string;
}

export type LiveMessage =
  | { type: 'progress'; data: LearnerProgress | null }
  | { type: 'achievement'; data: UnlockedAchievement };

export interface WatchOptions {
  /** The track of one language; the overall one where not given. */
  language?: string;
  /** Ends the watching: an `AbortSignal`. */
  signal?: { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void };
}

type QueryValue = string | number | boolean | null | undefined;

/** Records what learners do and delivers it: durable before it is acknowledged, offline as long as it takes, counted once. */
export declare class LaurelClient {
  private constructor();
  /** Opens an outbox, made if there is none. */
  static open(options: ClientOptions): Promise<LaurelClient>;
  /** The `source` of all events: this installation of the app. */
  readonly source: string;
  /** When an event is acknowledged: once it is on this device's disk, or, where nothing can be kept, once the service has it. */
  readonly durability: 'disk' | 'service';
  readonly status: DeliveryStatus;
  /** Records an event. `id` is for those who bring events from elsewhere, which have one. */
  record(event: LearningEvent, context: PracticeContext, options?: { at?: Date; id?: string }): Promise<EventIdentity>;
  /** Records events that happened at one time: all of them or none. */
  record(events: readonly LearningEvent[], context: PracticeContext, options?: { at?: Date }): Promise<EventIdentity[]>;
  /** Begins to deliver in the background. */
  start(): void;
  /** Ends delivering in the background. */
  stop(): Promise<void>;
  /** Delivers what waits now, once; throws what stands in the way. */
  flush(): Promise<void>;
  /** Ends whatever is under way. */
  close(): Promise<void>;
  /** How delivering goes: the present state, then the latest whenever something changed. */
  states(): AsyncGenerator<DeliveryStatus, void, undefined>;
  /** The latest events that the service found wrong; up to 1000. */
  refused(): Promise<RefusedEvent[]>;
  forget(...ids: (string | readonly string[])[]): Promise<void>;
  /** Asks the service, such as `ask('/v1/learners/ana/words', { due: true })`. */
  ask<Answer = unknown>(path: string, query?: Record<string, QueryValue | readonly QueryValue[]>): Promise<Answer>;
  /** A learner's progress, now and whenever it changes; null while nobody knows the learner. */
  progress(learner: string, options?: WatchOptions): AsyncGenerator<LearnerProgress | null, void, undefined>;
  /** The same, and the achievements that are unlocked meanwhile. */
  watch(learner: string, options?: WatchOptions): AsyncGenerator<LiveMessage, void, undefined>;
}

/** Why an event is no event: the service would refuse it. */
export declare class InvalidEvent extends Error {
  readonly type: string;
  /** An attribute such as `language`, or a field such as `data.accuracy`. */
  readonly place: string;
}

/** The outbox did not take an event, and nothing was promised. */
export declare class OutboxError extends Error {
  readonly code: 'full' | 'diskFull' | 'ioError' | 'closed';
}

/** The service was not reached, or said no. */
export declare class ServiceError extends Error {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly code: string | null;
  readonly isRetryable: boolean;
  /** Milliseconds. */
  readonly retryAfter: number;
}

// <catalogue>
/** A constructor for each type of the catalogue; a type of your own is `{ type: 'quest.finished', data: { … } }`. */
export declare const events: {
  /** `learner.updated`: The learner's profile; per property the latest wins. */
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
  /** `level.declared`: The CEFR level a learner starts from. Needs a language. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `level.declared`. */
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
  /** `session.ended`: A practice session ends; what is absent here is taken from its session.started. */
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
  /** `session.discarded`: Voids every event of its session, itself included. Needs a session. */
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
  /** `word.removed`: A word was removed; after that it starts afresh. */
  wordRemoved(fields: {
    /** Text. */
    word: string;
  }): LearningEvent;
  /** `word.encountered`: A word was met. */
  wordEncountered(fields: {
    /** Text. */
    word: string;
    /** A whole number, 0 or more; 1 where absent. */
    count?: number;
    /** Text. */
    category?: string;
  }): LearningEvent;
  /** `word.learned`: The learner says the word is learned. */
  wordLearned(fields: {
    /** Text. */
    word: string;
  }): LearningEvent;
  /** `word.unlearned`: The learner takes word.learned back. */
  wordUnlearned(fields: {
    /** Text. */
    word: string;
  }): LearningEvent;
  /** `word.imported`: A word with its schedule from elsewhere. */
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
  /** `help.given`: Another learner was helped. */
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
  /** `streak.repaired`: A missed day counts as active. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `streak.repaired`. */
  streakRepaired(fields: {
    /** A date that exists, as YYYY-MM-DD. */
    date: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `streak.frozen`: A day, if missed, neither breaks nor extends the streak. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `streak.frozen`. */
  streakFrozen(fields: {
    /** A date that exists, as YYYY-MM-DD. */
    date: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `streak.paused`: The missed days of a span, at most 366, neither break nor extend the streak. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `streak.paused`. */
  streakPaused(fields: {
    /** A date that exists, as YYYY-MM-DD. */
    from: string;
    /** A date that exists, as YYYY-MM-DD. */
    through: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `freeze.granted`: The learner is given streak freezes. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `freeze.granted`. */
  freezeGranted(fields?: {
    /** A whole number from 1 to 100; 1 where absent. */
    count?: number;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `xp.adjusted`: XP is added or taken. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `xp.adjusted`. */
  xpAdjusted(fields: {
    /** A whole number. */
    amount: number;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `xp.declared`: The XP an app showed; what the track lacks of it is added. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `xp.declared`. */
  xpDeclared(fields: {
    /** A whole number, 0 or more. */
    total: number;
  }): LearningEvent;
  /** `currency.adjusted`: A balance is raised or lowered. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `currency.adjusted`. */
  currencyAdjusted(fields: {
    /** Text. */
    currency: string;
    /** A whole number from -1000000000000 to 1000000000000. */
    amount: number;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `item.bought`: The learner bought items. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `item.bought`. */
  itemBought(fields: {
    /** Text. */
    item: string;
    /** A whole number from 1 to 1000; 1 where absent. */
    count?: number;
  }): LearningEvent;
  /** `achievement.granted`: An achievement is unlocked. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `achievement.granted`. */
  achievementGranted(fields: {
    /** Text. */
    achievement: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `achievement.revoked`: An achievement is locked. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `achievement.revoked`. */
  achievementRevoked(fields: {
    /** Text. */
    achievement: string;
    /** Text. */
    reason?: string;
  }): LearningEvent;
  /** `group.joined`: The learner became a member of a group. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `group.joined`. */
  groupJoined(fields: {
    /** Text. */
    group: string;
    /** Text. */
    kind?: string;
  }): LearningEvent;
  /** `group.left`: The learner left a group. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `group.left`. */
  groupLeft(fields: {
    /** Text. */
    group: string;
  }): LearningEvent;
  /** `league.finished`: The learner's result of a league's week. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `league.finished`. */
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
  /** `flag.cleared`: An event that was flagged as implausible is no longer flagged. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `flag.cleared`. */
  flagCleared(fields: {
    /** Text. */
    source: string;
    /** Text. */
    id: string;
  }): LearningEvent;
  /** `scheduler.fitted`: The FSRS parameters that fit the learner's reviews. Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `scheduler.fitted`. */
  schedulerFitted(fields: {
    /** A list of 21 numbers, each within its bounds. */
    parameters: readonly number[];
    /** A whole number, 0 or more. */
    reviews: number;
    /** A number. */
    logLoss: number;
  }): LearningEvent;
  /** `event.retracted`: Voids one event of the same learner. */
  eventRetracted(fields: {
    /** Text. */
    source: string;
    /** Text. */
    id: string;
  }): LearningEvent;
};
// </catalogue>
