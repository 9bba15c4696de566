// SPDX-License-Identifier: Apache-2.0

// Laurel's client for browsers and for Node. It records learners' events, and delivers them to a service (`laurel serve`).
//
// One self-contained file of the Laurel project. Types: laurel.d.ts. Guarantees: docs/client.md.

const isNode = typeof process !== 'undefined' && !!process.versions?.node;

// MARK: Errors

/** The reason why an event is invalid, so that the service would refuse it. */
export class InvalidEvent extends Error {
  constructor(type, place, message) {
    super(`${type}: ${place} ${message}`);
    this.name = 'InvalidEvent';
    this.type = type;
    this.place = place;
  }
}

/** The outbox did not accept an event: `code` is full, diskFull, ioError or closed. */
export class OutboxError extends Error {
  constructor(code, message, cause) {
    super(message);
    this.name = 'OutboxError';
    this.code = code;
    if (cause !== undefined) this.cause = cause;
  }
}

/** The service was not reached, or refused the request. */
export class ServiceError extends Error {
  constructor(message, { status = 0, code = null, isRetryable = true, retryAfter = 0 } = {}) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.isRetryable = isRetryable;
    /** The time to wait, in milliseconds. */
    this.retryAfter = retryAfter;
  }
}

// MARK: Events

// <catalogue>
const catalogue = {
  'learner.updated': { needs: [], fields: { displayName: { type: 'text', is: 'text' }, nativeLanguage: { type: 'text', is: 'text' }, dailyGoalMinutes: { type: 'number', is: 'a whole number from 1 to 1440', whole: true, least: 1, most: 1440 }, cohort: { type: 'text', is: 'text' }, leaderboard: { type: 'boolean', is: 'true or false' }, leagues: { type: 'boolean', is: 'true or false' } } },
  'level.declared': { needs: ['language'], fields: { level: { type: 'text', is: 'A1, A2, B1, B2, C1 or C2', required: true, oneOf: ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] } } },
  'session.started': { needs: [], fields: { mode: { type: 'text', is: 'solo, host or client', oneOf: ['solo', 'host', 'client'] }, scenario: { type: 'text', is: 'text' }, role: { type: 'text', is: 'text' }, partner: { type: 'text', is: 'text' }, kind: { type: 'text', is: 'text' } } },
  'session.ended': { needs: [], fields: { durationMs: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, mode: { type: 'text', is: 'solo, host or client', oneOf: ['solo', 'host', 'client'] }, scenario: { type: 'text', is: 'text' }, partner: { type: 'text', is: 'text' } } },
  'session.discarded': { needs: ['session'], fields: {} },
  'line.spoken': { needs: [], fields: { line: { type: 'text', is: 'text' }, text: { type: 'text', is: 'text' }, translation: { type: 'text', is: 'text' }, role: { type: 'text', is: 'text' }, accuracy: { type: 'number', is: 'a number from 0 to 1', least: 0, most: 1 }, errors: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, words: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, durationMs: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 } } },
  'line.skipped': { needs: [], fields: { line: { type: 'text', is: 'text' } } },
  'word.added': { needs: [], fields: { word: { type: 'text', is: 'text', required: true }, text: { type: 'text', is: 'text' }, translation: { type: 'text', is: 'text' }, partOfSpeech: { type: 'text', is: 'text' }, category: { type: 'text', is: 'text' }, tags: { type: 'textList', is: 'a list of text' }, origin: { type: 'text', is: 'text' } } },
  'word.updated': { needs: [], fields: { word: { type: 'text', is: 'text', required: true }, text: { type: 'text', is: 'text' }, translation: { type: 'text', is: 'text' }, partOfSpeech: { type: 'text', is: 'text' }, category: { type: 'text', is: 'text' }, tags: { type: 'textList', is: 'a list of text' }, origin: { type: 'text', is: 'text' } } },
  'word.removed': { needs: [], fields: { word: { type: 'text', is: 'text', required: true } } },
  'word.encountered': { needs: [], fields: { word: { type: 'text', is: 'text', required: true }, count: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, category: { type: 'text', is: 'text' } } },
  'word.learned': { needs: [], fields: { word: { type: 'text', is: 'text', required: true } } },
  'word.unlearned': { needs: [], fields: { word: { type: 'text', is: 'text', required: true } } },
  'word.imported': { needs: [], fields: { word: { type: 'text', is: 'text', required: true }, masteryLevel: { type: 'number', is: 'a whole number from 0 to 5', whole: true, least: 0, most: 5 }, easeFactor: { type: 'number', is: 'a number, 1.3 or more', least: 1.3 }, intervalDays: { type: 'number', is: 'a whole number from 1 to 36500', whole: true, least: 1, most: 36500 }, stability: { type: 'number', is: 'a number greater than 0', above: 0 }, difficulty: { type: 'number', is: 'a number from 1 to 10', least: 1, most: 10 }, nextReviewAt: { type: 'instant', is: 'an RFC 3339 time, such as 2026-02-05T18:00:00+01:00' }, lastReviewedAt: { type: 'instant', is: 'an RFC 3339 time, such as 2026-02-05T18:00:00+01:00' }, totalReviews: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, correctReviews: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, text: { type: 'text', is: 'text' }, translation: { type: 'text', is: 'text' }, partOfSpeech: { type: 'text', is: 'text' }, category: { type: 'text', is: 'text' }, tags: { type: 'textList', is: 'a list of text' }, origin: { type: 'text', is: 'text' } } },
  'review.graded': { needs: [], fields: { word: { type: 'text', is: 'text', required: true }, grade: { type: 'text', is: 'again, hard, good or easy', required: true, oneOf: ['again', 'hard', 'good', 'easy'] }, durationMs: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, mode: { type: 'text', is: 'text' } } },
  'error.detected': { needs: [], fields: { kind: { type: 'text', is: 'text' }, original: { type: 'text', is: 'text' }, corrected: { type: 'text', is: 'text' }, line: { type: 'text', is: 'text' } } },
  'error.corrected': { needs: [], fields: { kind: { type: 'text', is: 'text' }, line: { type: 'text', is: 'text' } } },
  'repair.made': { needs: [], fields: { helped: { type: 'boolean', is: 'true or false' }, line: { type: 'text', is: 'text' }, partner: { type: 'text', is: 'text' } } },
  'help.given': { needs: [], fields: { to: { type: 'text', is: 'text' }, line: { type: 'text', is: 'text' } } },
  'hint.used': { needs: [], fields: { level: { type: 'text', is: 'text' } } },
  'scenario.completed': { needs: [], fields: { scenario: { type: 'text', is: 'text', required: true }, errors: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 } } },
  'team.won': { needs: [], fields: { partner: { type: 'text', is: 'text' } } },
  'object.scanned': { needs: [], fields: { label: { type: 'text', is: 'text', required: true }, confidence: { type: 'number', is: 'a number from 0 to 1', least: 0, most: 1 } } },
  'conversation.ended': { needs: [], fields: { character: { type: 'text', is: 'text' }, messages: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, durationMs: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, wordsUsed: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, grammarErrors: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 }, averageResponseMs: { type: 'number', is: 'a whole number, 0 or more', whole: true, least: 0, most: 9007199254740992 } } },
  'streak.repaired': { needs: [], fields: { date: { type: 'date', is: 'a date that exists, as YYYY-MM-DD', required: true }, reason: { type: 'text', is: 'text' } } },
  'streak.frozen': { needs: [], fields: { date: { type: 'date', is: 'a date that exists, as YYYY-MM-DD', required: true }, reason: { type: 'text', is: 'text' } } },
  'streak.paused': { needs: [], span: { from: 'from', mostDays: 366, through: 'through' }, fields: { from: { type: 'date', is: 'a date that exists, as YYYY-MM-DD', required: true }, through: { type: 'date', is: 'a date that exists, as YYYY-MM-DD', required: true }, reason: { type: 'text', is: 'text' } } },
  'freeze.granted': { needs: [], fields: { count: { type: 'number', is: 'a whole number from 1 to 100', whole: true, least: 1, most: 100 }, reason: { type: 'text', is: 'text' } } },
  'xp.adjusted': { needs: [], fields: { amount: { type: 'number', is: 'a whole number', required: true, whole: true, least: -9007199254740992, most: 9007199254740992 }, reason: { type: 'text', is: 'text' } } },
  'xp.declared': { needs: [], fields: { total: { type: 'number', is: 'a whole number, 0 or more', required: true, whole: true, least: 0, most: 9007199254740992 } } },
  'currency.adjusted': { needs: [], fields: { currency: { type: 'text', is: 'text', required: true }, amount: { type: 'number', is: 'a whole number from -1000000000000 to 1000000000000', required: true, whole: true, least: -1000000000000, most: 1000000000000 }, reason: { type: 'text', is: 'text' } } },
  'item.bought': { needs: [], fields: { item: { type: 'text', is: 'text', required: true }, count: { type: 'number', is: 'a whole number from 1 to 1000', whole: true, least: 1, most: 1000 } } },
  'achievement.granted': { needs: [], fields: { achievement: { type: 'text', is: 'text', required: true }, reason: { type: 'text', is: 'text' } } },
  'achievement.revoked': { needs: [], fields: { achievement: { type: 'text', is: 'text', required: true }, reason: { type: 'text', is: 'text' } } },
  'group.joined': { needs: [], fields: { group: { type: 'text', is: 'text', required: true }, kind: { type: 'text', is: 'text' } } },
  'group.left': { needs: [], fields: { group: { type: 'text', is: 'text', required: true } } },
  'league.finished': { needs: [], fields: { league: { type: 'text', is: 'text', required: true }, week: { type: 'text', is: 'text', required: true }, tier: { type: 'text', is: 'text', required: true }, room: { type: 'number', is: 'a whole number', whole: true, least: -9007199254740992, most: 9007199254740992 }, rank: { type: 'number', is: 'a whole number', whole: true, least: -9007199254740992, most: 9007199254740992 }, of: { type: 'number', is: 'a whole number', whole: true, least: -9007199254740992, most: 9007199254740992 }, xp: { type: 'number', is: 'a number', required: true }, outcome: { type: 'text', is: 'promoted, stayed or demoted', required: true, oneOf: ['promoted', 'stayed', 'demoted'] }, next: { type: 'text', is: 'text', required: true } } },
  'flag.cleared': { needs: [], fields: { source: { type: 'text', is: 'text', required: true }, id: { type: 'text', is: 'text', required: true } } },
  'scheduler.fitted': { needs: [], fields: { parameters: { type: 'numberList', is: 'a list of 21 numbers, each within its bounds', required: true, bounds: [[0.001, 100.0], [0.001, 100.0], [0.001, 100.0], [0.001, 100.0], [1.0, 10.0], [0.001, 4.0], [0.001, 4.0], [0.001, 0.75], [0.0, 4.5], [0.0, 0.8], [0.001, 3.5], [0.001, 5.0], [0.001, 0.25], [0.001, 0.9], [0.0, 4.0], [0.0, 1.0], [1.0, 6.0], [0.0, 2.0], [0.0, 2.0], [0.0, 0.8], [0.1, 0.8]] }, reviews: { type: 'number', is: 'a whole number, 0 or more', required: true, whole: true, least: 0, most: 9007199254740992 }, logLoss: { type: 'number', is: 'a number', required: true } } },
  'event.retracted': { needs: [], fields: { source: { type: 'text', is: 'text', required: true }, id: { type: 'text', is: 'text', required: true } } },
};

/** A constructor for each type of the catalogue; a type of your own is { type: 'quest.finished', data: { … } }. */
export const events = Object.freeze({
  /** The learner's profile. For each property, the latest value counts. */
  learnerUpdated: (fields) => event('learner.updated', fields),
  /** The CEFR level at which a learner starts. Needs a language. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `level.declared`. */
  levelDeclared: (fields) => event('level.declared', fields),
  /** A practice session begins. */
  sessionStarted: (fields) => event('session.started', fields),
  /** A practice session ends. Absent fields are taken from its session.started. */
  sessionEnded: (fields) => event('session.ended', fields),
  /** A session is discarded: its events have no effect. Needs a session. */
  sessionDiscarded: (fields) => event('session.discarded', fields),
  /** A line of a dialog was spoken. */
  lineSpoken: (fields) => event('line.spoken', fields),
  /** A line of a dialog was skipped. */
  lineSkipped: (fields) => event('line.skipped', fields),
  /** A word was added to the vocabulary. */
  wordAdded: (fields) => event('word.added', fields),
  /** A word's details changed. */
  wordUpdated: (fields) => event('word.updated', fields),
  /** A word was removed. If it is added again, it starts as a new word. */
  wordRemoved: (fields) => event('word.removed', fields),
  /** The learner encountered a word. */
  wordEncountered: (fields) => event('word.encountered', fields),
  /** The learner says that the word is learned. */
  wordLearned: (fields) => event('word.learned', fields),
  /** The learner cancels a word.learned. */
  wordUnlearned: (fields) => event('word.unlearned', fields),
  /** A word was imported, with its review schedule. */
  wordImported: (fields) => event('word.imported', fields),
  /** A review of a word was graded. */
  reviewGraded: (fields) => event('review.graded', fields),
  /** An error was detected. */
  errorDetected: (fields) => event('error.detected', fields),
  /** An error was corrected. */
  errorCorrected: (fields) => event('error.corrected', fields),
  /** A misunderstanding was repaired. */
  repairMade: (fields) => event('repair.made', fields),
  /** The learner helped another learner. */
  helpGiven: (fields) => event('help.given', fields),
  /** A hint was used. */
  hintUsed: (fields) => event('hint.used', fields),
  /** A scenario was completed. */
  scenarioCompleted: (fields) => event('scenario.completed', fields),
  /** A team won together. */
  teamWon: (fields) => event('team.won', fields),
  /** An object in the room was recognised. */
  objectScanned: (fields) => event('object.scanned', fields),
  /** A conversation with a character ended. */
  conversationEnded: (fields) => event('conversation.ended', fields),
  /** A missed day counts as active. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.repaired`. */
  streakRepaired: (fields) => event('streak.repaired', fields),
  /** A day is frozen: if it is missed, the streak neither ends nor grows. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.frozen`. */
  streakFrozen: (fields) => event('streak.frozen', fields),
  /** A span of at most 366 days is frozen: on its missed days, the streak neither ends nor grows. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `streak.paused`. */
  streakPaused: (fields) => event('streak.paused', fields),
  /** The learner gets streak freezes. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `freeze.granted`. */
  freezeGranted: (fields) => event('freeze.granted', fields),
  /** XP is added or subtracted. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `xp.adjusted`. */
  xpAdjusted: (fields) => event('xp.adjusted', fields),
  /** The total XP that an app showed. If the track has less, the difference is added. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `xp.declared`. */
  xpDeclared: (fields) => event('xp.declared', fields),
  /** A balance is raised or lowered. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `currency.adjusted`. */
  currencyAdjusted: (fields) => event('currency.adjusted', fields),
  /** The learner bought items. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `item.bought`. */
  itemBought: (fields) => event('item.bought', fields),
  /** An achievement is unlocked. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `achievement.granted`. */
  achievementGranted: (fields) => event('achievement.granted', fields),
  /** An achievement is locked again. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `achievement.revoked`. */
  achievementRevoked: (fields) => event('achievement.revoked', fields),
  /** The learner became a member of a group. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `group.joined`. */
  groupJoined: (fields) => event('group.joined', fields),
  /** The learner left a group. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `group.left`. */
  groupLeft: (fields) => event('group.left', fields),
  /** The learner's result in a week of a league. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `league.finished`. */
  leagueFinished: (fields) => event('league.finished', fields),
  /** An event that was flagged as implausible is no longer flagged. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `flag.cleared`. */
  flagCleared: (fields) => event('flag.cleared', fields),
  /** FSRS parameters were fitted to the learner's reviews. Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key whose types include `scheduler.fitted`. */
  schedulerFitted: (fields) => event('scheduler.fitted', fields),
  /** An event of the same learner is retracted: it has no effect. */
  eventRetracted: (fields) => event('event.retracted', fields),
});
// </catalogue>

const utf8 = new TextEncoder();
const limits = { id: 128, source: 256, subject: 256, session: 128, data: 65536, ahead: 86_400_000, depth: 32 };
const latest = Date.UTC(10000, 0, 1) - 1;
/** The `source` of purchases. */
const shop = 'laurel/shop';

/** Throws the error with which the service would refuse an event. Nothing is clamped. */
function check(event, at, now) {
  const { type, data } = event;
  const wrong = (place, message) => { throw new InvalidEvent(String(type).slice(0, 100), place, message); };
  const text = (place, value, most) => {
    const bytes = typeof value === 'string' && isWhole(value) ? utf8.encode(value).length : 0;
    if (bytes < 1 || bytes > most) wrong(place, `is ${shown(value)}; it must be text of 1 to ${most} bytes (UTF-8)`);
  };
  text('id', event.id, limits.id);
  text('source', event.source, limits.source);
  text('subject', event.subject, limits.subject);
  if (event.session !== undefined) text('session', event.session, limits.session);
  if (typeof type !== 'string' || type.length > 64 || !/^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$/.test(type)) {
    wrong('type', 'must be lower-case words and digits joined by . _ or -, such as line.spoken');
  }
  if (event.language !== undefined) {
    const tag = event.language;
    if (typeof tag !== 'string' || tag.length > 128 || !/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(tag)) {
      wrong('language', `is ${shown(tag)}; it must be a BCP 47 tag, such as es or pt-BR`);
    }
  }
  const zone = event.timezone;
  if (zone !== undefined && !(typeof zone === 'string' && /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*$/.test(zone))) {
    wrong('timezone', `is ${shown(zone)}; it must be an IANA time zone, such as Europe/Berlin`);
  }
  if (!(at >= 0 && at <= latest)) wrong('time', 'must be of the years 1970 to 9999 (UTC)');
  if (at - now > limits.ahead) wrong('time', `is ${event.time}, more than 24 hours ahead of the clock`);
  const known = Object.hasOwn(catalogue, type) ? catalogue[type] : { needs: [], fields: {} };
  for (const name of known.needs) if (event[name] === undefined) wrong(name, 'is missing');
  for (const [name, field] of Object.entries(known.fields)) {
    const value = Object.hasOwn(data, name) ? data[name] : null;
    if (value === null) {
      if (field.required) wrong(`data.${name}`, 'is missing');
    } else if (!allows(field, value)) {
      wrong(`data.${name}`, `is ${shown(value)}; it must be ${field.is}`);
    }
  }
  if (known.span) {
    const days = (Date.parse(data[known.span.through]) - Date.parse(data[known.span.from])) / 86_400_000 + 1;
    if (days < 1) wrong(`data.${known.span.through}`, `lies before data.${known.span.from}`);
    if (days > known.span.mostDays) {
      wrong(`data.${known.span.through}`, `is ${days} days from data.${known.span.from} on; there may be ${known.span.mostDays} at most`);
    }
  }
  for (const [name, value] of Object.entries(data)) {
    const bad = isWhole(name) ? unwritable(value, limits.depth) : 'is no well-formed name';
    if (bad) wrong(`data.${name}`, bad);
  }
  const bytes = utf8.encode(JSON.stringify(data)).length;
  if (bytes > limits.data) wrong('data', `has ${bytes} bytes; it may have ${limits.data} at most (64 KiB)`);
}

function allows(field, value) {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' && value >= (field.least ?? -Infinity) && value <= (field.most ?? Infinity)
        && !(field.above !== undefined && value <= field.above) && (!field.whole || Number.isInteger(value));
    case 'text': return typeof value === 'string' && (!field.oneOf || field.oneOf.includes(value));
    case 'boolean': return typeof value === 'boolean';
    case 'textList': return Array.isArray(value) && value.every((element) => typeof element === 'string');
    case 'numberList':
      return Array.isArray(value) && value.length === field.bounds.length
        && value.every((one, index) => typeof one === 'number' && one >= field.bounds[index][0] && one <= field.bounds[index][1]);
    case 'instant':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value)
        && !Number.isNaN(Date.parse(value.replace(' ', 'T'))) && isDay(value.slice(0, 10));
    case 'date': return typeof value === 'string' && isDay(value);
    default: return true;
  }
}

function isDay(text) {
  const instant = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** True if a text has no unpaired surrogate, which UTF-8 cannot encode. */
function isWhole(text) { return !/\p{Surrogate}/u.test(text); }

/** The reason why a value cannot be written as JSON, or read by the service; null if it can. */
function unwritable(value, depth) {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `is ${value}, which is no number in JSON`;
  if (typeof value === 'string') return isWhole(value) ? null : 'has half of a surrogate pair (an emoji cut in two?)';
  if (typeof value !== 'object') return `is a ${typeof value}, which JSON does not have`;
  if (depth === 0) return 'has more levels than may be nested';
  if (!Array.isArray(value) && !Object.keys(value).every(isWhole)) return 'has a name that is not well-formed';
  for (const part of Object.values(value)) {
    const bad = unwritable(part, depth - 1);
    if (bad) return bad;
  }
  return null;
}

function shown(value) {
  if (typeof value === 'string') return `“${value.slice(0, 100)}”`;
  try { return String(typeof value === 'object' ? JSON.stringify(value) : value).slice(0, 100); } catch { return 'no JSON'; }
}

/** RFC 3339 with the offset of the learner's clock, which decides the event's local day. */
function timestamp(date) {
  const offset = -Math.round(date.getTimezoneOffset());
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
  const two = (number) => String(number).padStart(2, '0');
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** An event of a type with the given fields; dates as text. */
function event(type, fields) {
  const data = {};
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (value !== undefined) data[name] = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  }
  return { type, data };
}

// MARK: Outboxes
//
// Each outbox has: source, durability, add(calls), oldest(events, bytes, upTo), last(), remove(entries, refused), exclusively(body),
// totals, refused(), forget(ids), close(). An entry is { key, line, bytes }.

/** The outbox in a browser: IndexedDB, shared by the tabs of an origin. */
class BrowserOutbox {
  durability = 'disk';
  totals = { events: 0, bytes: 0 };
  #name;
  #limits;
  #opening = null;

  static async open(name, application, limits) {
    const outbox = new BrowserOutbox();
    outbox.#name = name;
    outbox.#limits = limits;
    outbox.source = await outbox.#transaction('readwrite', async ({ meta }) => {
      // One transaction, so that two tabs that open at once get the same name.
      const known = await outcome(meta.get('source'));
      if (known) return known;
      const source = `${application}/${randomText(22)}`;
      await outcome(meta.put(source, 'source'));
      return source;
    });
    return outbox;
  }

  async add(calls) {
    return this.#transaction('readwrite', async ({ events, meta }) => {
      const totals = await this.#read(meta);
      const problems = [];
      let dropped = 0;
      for (const lines of calls) {
        const size = sizeOf(lines);
        if (this.#limits.whenFull === 'dropOldest') dropped += await this.#makeRoom(events, totals, size);
        const problem = excess(totals, size, this.#limits);
        problems.push(problem);
        if (problem) continue;
        for (const line of lines) events.add({ line, bytes: lengthOf(line) });
        totals.events += size.events;
        totals.bytes += size.bytes;
      }
      await outcome(meta.put(totals, 'totals'));
      this.totals = totals;
      return { problems, dropped };
    });
  }

  async #makeRoom(events, totals, size) {
    let dropped = 0;
    while (excess(totals, size, this.#limits) && totals.events > 0) {
      const cursor = await outcome(events.openCursor());
      if (!cursor) break;
      totals.events -= 1;
      totals.bytes -= cursor.value.bytes;
      await outcome(cursor.delete());
      dropped += 1;
    }
    return dropped;
  }

  async #read(meta) { return (await outcome(meta.get('totals'))) ?? { events: 0, bytes: 0 }; }

  async oldest(most, bytes, upTo) {
    return this.#transaction('readonly', async ({ events, meta }) => {
      const range = upTo === undefined ? null : IDBKeyRange.upperBound(upTo);
      const [keys, values] = [await outcome(events.getAllKeys(range, most)), await outcome(events.getAll(range, most))];
      this.totals = await this.#read(meta);
      return firstOf(keys.map((key, index) => ({ key, ...values[index] })), most, bytes);
    });
  }

  async last() {
    return this.#transaction('readonly', async ({ events }) => (await outcome(events.openKeyCursor(null, 'prev')))?.key ?? null);
  }

  async remove(entries, refused) {
    await this.#transaction('readwrite', async ({ events, refused: store, meta }) => {
      const totals = await this.#read(meta);
      for (const { key, bytes } of entries) {
        // Another tab may have delivered and removed the entry, too.
        if ((await outcome(events.getKey(key))) === undefined) continue;
        totals.events -= 1;
        totals.bytes -= bytes;
        events.delete(key);
      }
      await outcome(meta.put(totals, 'totals'));
      this.totals = totals;
      for (const one of refused) store.add(one);
      const surplus = (await outcome(store.count())) - mostRefused;
      if (surplus > 0) for (const key of await outcome(store.getAllKeys(null, surplus))) store.delete(key);
    });
  }

  /** Runs in one tab at a time. Without a secure context there are no locks, and two tabs may send the same events, which count once. */
  exclusively(body) {
    if (!globalThis.navigator?.locks) return body();
    return navigator.locks.request(`laurel ${this.#name}`, body);
  }

  async refused() { return this.#transaction('readonly', ({ refused }) => outcome(refused.getAll())); }

  async forget(ids) {
    await this.#transaction('readwrite', async ({ refused }) => {
      const [keys, values] = [await outcome(refused.getAllKeys()), await outcome(refused.getAll())];
      for (const [index, key] of keys.entries()) if (ids.includes(values[index].id)) refused.delete(key);
    });
  }

  async close() {
    const opening = this.#opening;
    this.#opening = null;
    (await opening?.catch(() => null))?.close();
  }

  #database() {
    this.#opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('events', { autoIncrement: true });
        request.result.createObjectStore('meta');
        request.result.createObjectStore('refused', { autoIncrement: true });
      };
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        // The browser may close the database, for example when the user clears the origin's data. The next call opens it again.
        database.onclose = () => { this.#opening = null; };
        database.onversionchange = () => {
          database.close();
          this.#opening = null;
        };
        resolve(database);
      };
    }).catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** Runs a body in a transaction. Its result is returned only after the transaction is on the disk. */
  async #transaction(mode, body) {
    const names = ['events', 'meta', 'refused'];
    const database = await this.#database();
    return new Promise((resolve, reject) => {
      let transaction;
      try {
        transaction = database.transaction(names, mode, { durability: 'strict' });
      } catch (error) {
        this.#opening = null;
        return reject(storageError(error));
      }
      let result;
      let failure = null;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(storageError(failure ?? transaction.error));
      const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
      Promise.resolve(body(stores)).then((value) => { result = value; }, (error) => {
        failure = error;
        try { transaction.abort(); } catch { /* The transaction has ended already. */ }
      });
    });
  }
}

function outcome(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The outbox in Node: a folder of files, each with the events of one commit. Delivered files are removed. Processes can share it. */
class FolderOutbox {
  durability = 'disk';
  totals = { events: 0, bytes: 0 };
  #folder;
  #limits;
  #fs;
  #session = randomText(10);
  #count = 0;
  /** Runs operations one after another, so that nothing is counted twice. */
  #turn = Promise.resolve();
  /** The lines of each file, and the delivered ones among them. */
  #open = new Map();

  static async open(folder, application, limits) {
    const outbox = new FolderOutbox();
    outbox.#fs = await import('node:fs/promises');
    outbox.#folder = folder;
    outbox.#limits = limits;
    await outbox.#fs.mkdir(`${folder}/refused`, { recursive: true });
    outbox.source = await outbox.#device(application);
    await outbox.#sweep();
    await outbox.oldest(1, 1);
    return outbox;
  }

  /** If two processes start at once, one creates the file and both read it, because a link can be created only once. */
  async #device(application) {
    const path = `${this.#folder}/device`;
    const draft = `${path}.${this.#session}.tmp`;
    await this.#write(draft, `${application}/${randomText(22)}\n`);
    try { await this.#fs.link(draft, path); } catch (error) { if (error.code !== 'EEXIST') throw storageError(error); }
    await this.#fs.unlink(draft);
    await this.#synchronize(this.#folder);
    return (await this.#fs.readFile(path, 'utf8')).trim();
  }

  /** Removes files that a killed process left incomplete, after a time in which any writer would have finished. */
  async #sweep() {
    for (const name of await this.#fs.readdir(this.#folder)) {
      if (!name.endsWith('.tmp')) continue;
      const age = await this.#fs.stat(`${this.#folder}/${name}`).then((found) => Date.now() - found.mtimeMs, () => 0);
      if (age > 3_600_000) await this.#fs.unlink(`${this.#folder}/${name}`).catch(() => {});
    }
  }

  add(calls) { return this.#inTurn(() => this.#add(calls)); }
  oldest(most, bytes, upTo) { return this.#inTurn(() => this.#oldest(most, bytes, upTo)); }
  remove(entries, refused) { return this.#inTurn(() => this.#remove(entries, refused)); }

  #inTurn(body) {
    const turn = this.#turn.then(body);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #add(calls) {
    const [problems, lines] = [[], []];
    const staged = { events: 0, bytes: 0 };
    let dropped = 0;
    for (const call of calls) {
      const size = sizeOf(call);
      const all = () => ({ events: this.totals.events + staged.events, bytes: this.totals.bytes + staged.bytes });
      while (this.#limits.whenFull === 'dropOldest' && excess(all(), size, this.#limits)) {
        const [entry] = await this.#oldest(1, 1);
        if (!entry) break;
        await this.#remove([entry], []);
        dropped += 1;
      }
      const problem = excess(all(), size, this.#limits);
      problems.push(problem);
      if (problem) continue;
      lines.push(...call);
      staged.events += size.events;
      staged.bytes += size.bytes;
    }
    if (lines.length > 0) {
      const name = `${this.#name()}.ndjson`;
      await this.#write(`${this.#folder}/${name}.tmp`, lines.join('\n') + '\n');
      await this.#rename(`${name}.tmp`, name);
      this.totals = { events: this.totals.events + staged.events, bytes: this.totals.bytes + staged.bytes };
    }
    return { problems, dropped };
  }

  /** A file name that sorts by the time of its creation. */
  #name() {
    return `${String(Date.now()).padStart(14, '0')}-${this.#session}-${String(this.#count++).padStart(8, '0')}`;
  }

  async #oldest(most, bytes, upTo) {
    const names = await this.#names();
    const present = new Set(names);
    for (const name of this.#open.keys()) if (!present.has(name)) this.#open.delete(name);
    const entries = [];
    const totals = { events: 0, bytes: 0 };
    for (const name of names) {
      const file = await this.#file(name);
      for (const [index, { line, bytes: size }] of (file?.lines ?? []).entries()) {
        if (file.delivered.has(index)) continue;
        totals.events += 1;
        totals.bytes += size;
        if (entries.length < most && !(upTo && name > upTo)) entries.push({ key: { name, index }, line, bytes: size });
      }
    }
    this.totals = totals;
    return firstOf(entries, most, bytes);
  }

  async last() { return (await this.#names()).at(-1) ?? null; }

  async #remove(entries, refused) {
    if (refused.length > 0) {
      const name = `refused/${this.#name()}.json`;
      await this.#write(`${this.#folder}/${name}.tmp`, JSON.stringify(refused));
      await this.#rename(`${name}.tmp`, name);
      await this.#synchronize(`${this.#folder}/refused`);
      const all = (await this.#refusedFiles()).flatMap(({ name, list }) => list.map(() => name));
      for (const name of new Set(all.slice(0, Math.max(0, all.length - mostRefused)))) await this.#unlink(name);
    }
    for (const { key, bytes } of entries) {
      const file = this.#open.get(key.name);
      if (!file || file.delivered.has(key.index)) continue;
      file.delivered.add(key.index);
      this.totals = { events: this.totals.events - 1, bytes: this.totals.bytes - bytes };
      if (file.delivered.size < file.lines.length) continue;
      await this.#unlink(key.name);
      this.#open.delete(key.name);
    }
  }

  exclusively(body) { return body(); }

  async refused() { return (await this.#refusedFiles()).flatMap(({ list }) => list); }

  async forget(ids) {
    for (const { name, list } of await this.#refusedFiles()) {
      const kept = list.filter(({ id }) => !ids.includes(id));
      if (kept.length === list.length) continue;
      if (kept.length === 0) {
        await this.#unlink(name);
      } else {
        await this.#write(`${this.#folder}/${name}.tmp`, JSON.stringify(kept));
        await this.#rename(`${name}.tmp`, name);
      }
    }
  }

  async close() {}

  async #names() { return (await this.#fs.readdir(this.#folder)).filter((name) => name.endsWith('.ndjson')).sort(); }

  async #refusedFiles() {
    const names = (await this.#fs.readdir(`${this.#folder}/refused`)).filter((name) => name.endsWith('.json')).sort();
    return Promise.all(names.map(async (name) => ({
      name: `refused/${name}`, list: JSON.parse(await this.#fs.readFile(`${this.#folder}/refused/${name}`, 'utf8')),
    })));
  }

  async #file(name) {
    let file = this.#open.get(name);
    if (file) return file;
    // Another process may have delivered and removed the file meanwhile.
    const text = await this.#fs.readFile(`${this.#folder}/${name}`, 'utf8').catch(() => null);
    if (text === null) return null;
    const lines = text.split('\n').filter((line) => line !== '');
    file = { lines: lines.map((line) => ({ line, bytes: lengthOf(line) })), delivered: new Set() };
    this.#open.set(name, file);
    return file;
  }

  async #write(path, text) {
    try {
      const file = await this.#fs.open(path, 'w');
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw storageError(error);
    }
  }

  async #rename(from, to) {
    try {
      await this.#fs.rename(`${this.#folder}/${from}`, `${this.#folder}/${to}`);
      await this.#synchronize(this.#folder);
    } catch (error) {
      throw storageError(error);
    }
  }

  async #unlink(name) { await this.#fs.unlink(`${this.#folder}/${name}`).catch(() => {}); }

  async #synchronize(folder) {
    const handle = await this.#fs.open(folder, 'r');
    try { await handle.sync(); } finally { await handle.close(); }
  }
}

/**
 * The outbox over a storage of the app, such as React Native's SQLite. A storage keeps records { key, text }: the source once, and each
 * event and refused event. Their first letter tells them apart. One client at a time may use a storage.
 */
class StorageOutbox {
  durability = 'disk';
  totals = { events: 0, bytes: 0 };
  #storage;
  #limits;
  /** The sizes of the events, and the refused events, by key; both in order. */
  #sizes = new Map();
  #refused = new Map();
  #next = 1;

  static async open(storage, application, limits) {
    const outbox = new StorageOutbox();
    outbox.#storage = storage;
    outbox.#limits = limits;
    for (let after = 0; ;) {
      const records = await outbox.#read(after, StorageOutbox.#page);
      if (records.length === 0) break;
      for (const record of records) outbox.#note(record);
      after = outbox.#next - 1;
    }
    if (!outbox.source) await outbox.#append([`s${application}/${randomText(22)}`]);
    return outbox;
  }

  /** The number of records that are read at once. */
  static #page = 500;

  async add(calls) {
    const problems = [];
    const accepted = [];
    let dropped = 0;
    const totals = { ...this.totals };
    for (const lines of calls) {
      const size = sizeOf(lines);
      if (this.#limits.whenFull === 'dropOldest') dropped += await this.#makeRoom(totals, size);
      const problem = excess(totals, size, this.#limits);
      problems.push(problem);
      if (problem) continue;
      accepted.push(...lines.map((line) => `e${line}`));
      totals.events += size.events;
      totals.bytes += size.bytes;
    }
    if (accepted.length > 0) await this.#append(accepted);
    return { problems, dropped };
  }

  async #makeRoom(totals, size) {
    const keys = [];
    for (const [key, bytes] of this.#sizes) {
      if (!excess(totals, size, this.#limits)) break;
      keys.push(key);
      totals.events -= 1;
      totals.bytes -= bytes;
    }
    await this.#delete(keys);
    return keys.length;
  }

  async oldest(most, bytes, upTo) {
    const entries = [];
    const [first] = this.#sizes.keys();
    for (let after = (first ?? this.#next) - 1; entries.length < most && after < this.#next - 1;) {
      const records = await this.#read(after, most);
      if (records.length === 0) break;
      after = records.at(-1).key;
      entries.push(...records.filter(({ key }) => this.#sizes.has(key) && !(key > upTo)));
    }
    return firstOf(entries.map(({ key, text }) => ({ key, line: text.slice(1), bytes: this.#sizes.get(key) })), most, bytes);
  }

  async last() { return [...this.#sizes.keys()].at(-1) ?? null; }

  /** A kill between the two steps leaves a refused event in both places, and it is refused again. */
  async remove(entries, refused) {
    const known = new Set([...this.#refused.values()].map(({ id }) => id));
    const added = refused.filter(({ id }) => !known.has(id));
    if (added.length > 0) await this.#append(added.map((one) => `r${JSON.stringify(one)}`));
    const surplus = Math.max(0, this.#refused.size - mostRefused);
    await this.#delete([...entries.map(({ key }) => key).filter((key) => this.#sizes.has(key)), ...[...this.#refused.keys()].slice(0, surplus)]);
  }

  exclusively(body) { return body(); }

  async refused() { return [...this.#refused.values()]; }

  async forget(ids) { await this.#delete([...this.#refused].filter(([, { id }]) => ids.includes(id)).map(([key]) => key)); }

  async close() { /* The app closes its storage. */ }

  async #read(after, most) {
    const records = await this.#run(() => this.#storage.read(after, most));
    let last = after;
    for (const { key, text } of records) {
      if (!Number.isSafeInteger(key) || key <= last || typeof text !== 'string') {
        throw new OutboxError('ioError', `the storage returns a record with the key ${shown(key)} after ${last}; read must return records in the order of their keys`);
      }
      last = key;
    }
    return records;
  }

  async #append(texts) {
    const records = texts.map((text, index) => ({ key: this.#next + index, text }));
    // After a failure, the storage may have the records or not. Their keys are not used again.
    this.#next += records.length;
    await this.#run(() => this.#storage.append(records));
    for (const record of records) this.#note(record);
  }

  async #delete(keys) {
    if (keys.length === 0) return;
    await this.#run(() => this.#storage.delete(keys));
    for (const key of keys) {
      if (this.#sizes.has(key)) this.totals = { events: this.totals.events - 1, bytes: this.totals.bytes - this.#sizes.get(key) };
      this.#sizes.delete(key);
      this.#refused.delete(key);
    }
  }

  /** Updates what is in memory with a record of the storage. */
  #note({ key, text }) {
    this.#next = Math.max(this.#next, key + 1);
    const rest = text.slice(1);
    if (text[0] === 's') this.source = rest;
    if (text[0] === 'r') this.#refused.set(key, parsed(rest) ?? { id: '' });
    if (text[0] !== 'e') return;
    this.#sizes.set(key, lengthOf(rest));
    this.totals = { events: this.totals.events + 1, bytes: this.totals.bytes + lengthOf(rest) };
  }

  async #run(body) {
    try { return await body(); } catch (error) { throw storageError(error); }
  }
}

/** The outbox without storage. An event is acknowledged when the service has it, and `record` waits for that. */
class MemoryOutbox {
  durability = 'service';
  totals = { events: 0, bytes: 0 };
  #limits;
  #entries = [];
  #refused = [];
  #next = 0;
  #waiting = new Map();

  constructor(application, limits) {
    this.source = `${application}/${randomText(22)}`;
    this.#limits = limits;
  }

  async add(calls) {
    const problems = calls.map((lines) => {
      const size = sizeOf(lines);
      const problem = excess(this.totals, size, this.#limits);
      if (problem) return problem;
      this.totals = { events: this.totals.events + size.events, bytes: this.totals.bytes + size.bytes };
      for (const line of lines) this.#entries.push({ key: this.#next++, line, bytes: lengthOf(line) });
      const last = this.#next - 1;
      return new Promise((resolve, reject) => this.#waiting.set(last, { resolve, reject }));
    });
    return { problems, dropped: 0 };
  }

  async oldest(most, bytes, upTo) { return firstOf(this.#entries.filter(({ key }) => !(key > upTo)), most, bytes); }

  async last() { return this.#entries.at(-1)?.key ?? null; }

  async remove(entries, refused) {
    const keys = new Set(entries.map(({ key }) => key));
    this.#entries = this.#entries.filter(({ key }) => !keys.has(key));
    this.totals = sizeOf(this.#entries.map(({ line }) => line));
    this.#refused = [...this.#refused, ...refused].slice(-mostRefused);
    for (const key of keys) {
      this.#waiting.get(key)?.resolve(null);
      this.#waiting.delete(key);
    }
  }

  exclusively(body) { return body(); }

  async refused() { return this.#refused; }

  async forget(ids) { this.#refused = this.#refused.filter(({ id }) => !ids.includes(id)); }

  async close() {
    for (const { reject } of this.#waiting.values()) reject(new OutboxError('closed', 'the client was closed before the event was delivered'));
    this.#waiting.clear();
  }
}

const mostRefused = 1000;

function lengthOf(line) { return utf8.encode(line).length; }

function sizeOf(lines) { return { events: lines.length, bytes: lines.reduce((sum, line) => sum + lengthOf(line), 0) }; }

/** The reason why there is no room; null if there is room. */
function excess(totals, size, limits) {
  if (totals.events + size.events <= limits.events && totals.bytes + size.bytes <= limits.bytes) return null;
  return new OutboxError('full', `the outbox is full: ${totals.events} events of ${totals.bytes} bytes wait`);
}

/** The first entries, as many as a batch may have, but at least one. */
function firstOf(entries, most, bytes) {
  let [count, size] = [0, 0];
  while (count < Math.min(entries.length, most) && (count === 0 || size + entries[count].bytes <= bytes)) {
    size += entries[count].bytes;
    count += 1;
  }
  return entries.slice(0, count);
}

function storageError(error) {
  if (error instanceof OutboxError) return error;
  const isFull = error?.name === 'QuotaExceededError' || error?.code === 'ENOSPC' || error?.code === 'EDQUOT';
  return new OutboxError(isFull ? 'diskFull' : 'ioError', `the outbox cannot be written: ${error?.message ?? error}`, error);
}

let randomBytes = (count) => globalThis.crypto.getRandomValues(new Uint8Array(count));

function randomText(length) {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return Array.from(randomBytes(length), (byte) => letters[byte % 32]).join('');
}

// MARK: The client

/** Records learners' events, and delivers them. Events are durable before they are acknowledged, and each is counted once. */
export class LaurelClient {
  #options;
  #outbox;
  #session;
  #count = 0;
  #status = { state: 'idle', pending: 0, pendingBytes: 0, sent: 0, refused: 0, dropped: 0, failures: 0, lastProblem: null };
  #observers = new Set();
  #staged = [];
  #committing = null;
  #sending = null;
  #running = null;
  #signal = null;
  #closing = new AbortController();
  #listeners = [];

  /** Opens an outbox, which is created if there is none. */
  static async open(options) {
    const settings = {
      service: '', credential: null, folder: null, storage: null, database: null, batchEvents: 500, batchBytes: 512 << 10, timeout: 60_000,
      now: () => new Date(), random: Math.random, fetch: (...words) => globalThis.fetch(...words), ...options,
      limits: { events: 100_000, bytes: 64 << 20, whenFull: 'refuse', ...options.limits },
      retry: { base: 1000, cap: 300_000, ...options.retry },
    };
    const { application } = settings;
    const size = typeof application === 'string' ? utf8.encode(application).length : 0;
    // eslint-disable-next-line no-control-regex
    if (size < 1 || size > 200 || /[\x00-\x1f\x7f]/.test(application)) {
      throw new TypeError("the application's name must have 1 to 200 bytes, none of control");
    }
    if (isNode && !globalThis.crypto?.getRandomValues) {
      const { webcrypto } = await import('node:crypto');
      randomBytes = (count) => webcrypto.getRandomValues(new Uint8Array(count));
    }
    const client = new LaurelClient();
    client.#options = settings;
    client.#session = randomText(10);
    client.#outbox = await openOutbox(settings);
    client.#listen();
    await client.#look();
    return client;
  }

  /** The `source` of all events: this installation of the app. */
  get source() { return this.#outbox.source; }

  /** The place where an acknowledged event is durable: this device's disk, or the service if there is no storage. */
  get durability() { return this.#outbox.durability; }

  /** The present state of delivery. */
  get status() { return { ...this.#status }; }

  /** Records one or more events: all of them or none. When the promise resolves, they survive a kill. */
  async record(what, context, { at = this.#options.now(), id } = {}) {
    if (this.#status.state === 'closed') throw new OutboxError('closed', 'the client was closed');
    const list = Array.isArray(what) ? what : [what];
    if (id !== undefined && list.length !== 1) throw new TypeError('an id is one event’s');
    if (list.length === 0) return [];
    const identities = list.map(() => ({ source: this.source, id: id ?? this.#nextId() }));
    await this.#commit(list.map((one, index) => this.#line(one, identities[index], context, at)));
    return Array.isArray(what) ? identities : identities[0];
  }

  /** The event as it is stored and sent: a line of JSON. Throws if it is invalid. */
  #line(one, { source, id }, context, at) {
    const { type, data } = event(one?.type, one?.data);
    const time = new Date(at);
    const whole = {
      specversion: '1.0', id, source, type, subject: context?.learner,
      time: time >= 0 && time <= latest ? timestamp(time) : String(at), language: context?.language ?? undefined,
      session: context?.session ?? undefined, timezone: context?.timezone ?? undefined, data,
    };
    check(whole, time.getTime(), this.#options.now().getTime());
    if (Object.keys(data).length === 0) delete whole.data;
    return JSON.stringify(whole);
  }

  /** A new id that is unique whatever happens to the outbox: a random word of this opening, and a number that sorts as it counts. */
  #nextId() { return `${this.#session}-${(this.#count++).toString(36).padStart(5, '0')}`; }

  /** Calls that record while the disk is busy share the next commit. */
  async #commit(lines) {
    const waits = new Promise((resolve, reject) => this.#staged.push({ lines, resolve, reject }));
    this.#committing ??= this.#commitAll();
    return waits;
  }

  async #commitAll() {
    await null;
    while (this.#staged.length > 0) {
      const calls = this.#staged;
      this.#staged = [];
      try {
        const { problems, dropped } = await this.#outbox.add(calls.map(({ lines }) => lines));
        this.#status.dropped += dropped;
        for (const [index, { resolve, reject }] of calls.entries()) {
          const problem = problems[index];
          if (problem instanceof Error) reject(problem); else resolve(problem);
        }
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
      this.#publish();
      this.#signal?.();
    }
    this.#committing = null;
  }

  async #look() {
    await this.#outbox.oldest(1, 1).catch(() => {});
    this.#publish();
  }

  // MARK: Buying

  /**
   * Buys an item at the service, after the events that wait, and returns its receipt. Throws the service's refusal. With `queue`,
   * a purchase that does not reach the service waits in the outbox, and the promise resolves to null; if the service refuses it
   * later, `refused` lists it. The same purchase again, with the same `id` and `at`, is stored once.
   */
  async buy(item, { learner, timezone } = {}, { count = 1, at = this.#options.now(), id = this.#nextId(), queue = false } = {}) {
    const line = this.#line(events.itemBought({ item, count }), { source: shop, id }, { learner, timezone }, at);
    try {
      await this.flush();
      return await this.#purchase(line, await this.#credential());
    } catch (error) {
      const isFinal = error instanceof OutboxError || (error instanceof ServiceError && !error.isRetryable);
      if (isFinal || !queue) throw error;
    }
    await this.#commit([line]);
    return null;
  }

  async #purchase(line, credential) {
    const { id, subject, time, timezone, data } = parsed(line);
    const { response, text } = await this.#ask(`/v1/learners/${encodeURIComponent(subject)}/purchases`, {
      method: 'POST', body: JSON.stringify({ ...data, id, time, timezone }),
      headers: { 'Content-Type': 'application/json', ...credential },
    });
    if (!response.ok) throw serviceError(response, text);
    const receipt = parsed(text);
    if (receipt?.id !== id) throw new ServiceError('something answered, but not as a service does', { status: response.status });
    return receipt;
  }

  // MARK: Delivering

  /** Starts to deliver in the background, until `stop` or `close`. */
  start() {
    if (this.#status.state === 'closed') return;
    if (this.#status.state === 'blocked') this.#publish({ state: 'idle' });
    if (this.#running) return this.#signal?.();
    const running = { isOver: false };
    running.done = this.#run(running);
    this.#running = running;
  }

  /** Stops delivering in the background. Waiting events stay. */
  async stop() {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.isOver = true;
    running.wake?.();
    await running.done;
  }

  /** Delivers the events that wait now, without retries; throws if the delivery fails. */
  async flush() {
    if (this.#status.state === 'closed') throw new OutboxError('closed', 'the client was closed');
    const end = await this.#outbox.last();
    if (end === null) return;
    for (;;) {
      if (this.#sending) await this.#sending; else if (!await this.#send(end)) return;
    }
  }

  /** Stops delivering, and cancels running requests. After that, recording throws. */
  async close() {
    if (this.#status.state === 'closed') return;
    const stopped = this.stop();
    this.#closing.abort();
    await stopped;
    await this.#sending?.catch(() => {});
    await this.#committing;
    for (const [target, name, listener] of this.#listeners) target.removeEventListener(name, listener);
    await this.#outbox.close();
    this.#publish({ state: 'closed' });
    for (const observer of this.#observers) observer(true);
    this.#observers.clear();
  }

  async #run(running) {
    let isSignalled = false;
    this.#signal = () => {
      isSignalled = true;
      if (!running.isPausing) running.wake?.();
    };
    const rest = (milliseconds) => new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      // Node keeps running while events wait to be sent, and ends when there are none.
      if (!running.isPausing) timer.unref?.();
      running.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    while (!running.isOver) {
      isSignalled = false;
      try {
        while (!running.isOver && this.#status.state !== 'blocked' && await this.#send());
      } catch (error) {
        if (this.#status.state !== 'blocked' && !running.isOver) {
          const delay = Math.max(this.#delay(this.#status.failures), error.retryAfter ?? 0);
          this.#publish({ state: 'waiting', delay });
          running.isPausing = true;
          await rest(delay);
          running.isPausing = false;
          if (this.#status.state === 'waiting') this.#publish({ state: 'idle' });
          continue;
        }
      }
      // From time to time the client looks for events that a closed tab left.
      if (!isSignalled && !running.isOver) await rest(30_000);
    }
  }

  /** A random wait between 0 and base · 2^(failures − 1), so that clients that failed together do not retry together. */
  #delay(failures) {
    const { base, cap } = this.#options.retry;
    return Math.min(base * 2 ** Math.min(Math.max(failures, 1) - 1, 30), cap) * this.#options.random();
  }

  /** Delivers one batch, unless one is being sent. Returns true if there was one. */
  #send(upTo) {
    this.#sending ??= this.#outbox.exclusively(() => this.#sendOldest(upTo)).finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #sendOldest(upTo) {
    try {
      const entries = ofOneRequest(await this.#outbox.oldest(this.#options.batchEvents, this.#options.batchBytes, upTo ?? undefined));
      if (entries.length === 0) {
        this.#publish();
        return false;
      }
      this.#publish({ state: 'sending' });
      const credential = await this.#credential();
      const refused = await this.#deliver(entries, credential);
      await this.#outbox.remove(entries, refused);
      this.#status.sent += entries.length;
      this.#status.refused += refused.length;
      this.#publish({ state: 'idle', failures: 0, lastProblem: refused[0]?.message ?? null });
      return true;
    } catch (error) {
      const isBlocked = error instanceof ServiceError && !error.isRetryable;
      this.#publish({ state: isBlocked ? 'blocked' : 'idle', failures: this.#status.failures + 1, lastProblem: String(error?.message ?? error) });
      throw error;
    }
  }

  /** Returns the purchase if the service refused it. */
  async #deliverPurchase(entry, credential) {
    try {
      await this.#purchase(entry.line, credential);
      return [];
    } catch (error) {
      // A wrong address or credential says nothing about the purchase.
      if (error.isRetryable || !error.code || [401, 403].includes(error.status)) throw error;
      return [refusal(entry, error)];
    }
  }

  /** Returns the events that the service accepted but found invalid. */
  async #deliver(entries, credential) {
    if (isPurchase(entries[0])) return this.#deliverPurchase(entries[0], credential);
    const body = entries.map(({ line }) => line).join('\n');
    const { response, text } = await this.#ask('/v1/events', {
      method: 'POST', body, headers: { 'Content-Type': 'application/x-ndjson', ...credential },
    });
    if (response.status === 413 && entries.length > 1) {
      const middle = Math.floor(entries.length / 2);
      const first = await this.#deliver(entries.slice(0, middle), credential);
      return [...first, ...await this.#deliver(entries.slice(middle), credential)];
    }
    if (response.status === 413) {
      return [refusal(entries[0], { code: 'body-too-large', message: 'the event is too large for the service' })];
    }
    if (!response.ok) throw serviceError(response, text);
    const report = parsed(text);
    // A proxy or a hotel's network may also answer 200, so the content is checked.
    if (response.status !== 200 || !Array.isArray(report?.problems) || report.read !== entries.length) {
      throw new ServiceError('something answered, but not as a service does', { status: response.status });
    }
    return report.problems.filter(({ index }) => entries[index]).map((problem) => refusal(entries[problem.index], problem));
  }

  async #credential() {
    const { credential } = this.#options;
    const value = typeof credential === 'function' ? await credential() : credential;
    return value ? { Authorization: `Bearer ${value}` } : {};
  }

  async #ask(path, request) {
    const controller = new AbortController();
    const end = () => controller.abort();
    const timer = setTimeout(end, this.#options.timeout);
    this.#closing.signal.addEventListener('abort', end);
    try {
      const response = await this.#options.fetch(this.#options.service + path, { ...request, credentials: 'omit', cache: 'no-store', signal: controller.signal });
      return { response, text: await response.text() };
    } catch (error) {
      throw new ServiceError(`the service cannot be reached: ${error?.cause?.message ?? error?.message ?? error}`);
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener('abort', end);
    }
  }

  /** Delivers at once when the page becomes visible, or is online again. */
  #listen() {
    const look = () => this.#signal?.();
    const hurry = () => {
      if (this.#running?.isPausing) this.#running.wake?.();
      look();
    };
    for (const [target, name, listener] of [[globalThis, 'online', hurry], [globalThis.document, 'visibilitychange', look]]) {
      if (isNode || !target?.addEventListener) continue;
      target.addEventListener(name, listener);
      this.#listeners.push([target, name, listener]);
    }
  }

  // MARK: Results

  /** The latest events that the service accepted but found invalid, and refused purchases, each with its problem; up to 1000. */
  async refused() { return this.#outbox.refused(); }

  /** Forgets refused events. */
  async forget(...ids) { await this.#outbox.forget(ids.flat()); }

  /** The state of delivery: the present state, then the latest after each change, until the client is closed. */
  async *states() {
    let [wake, isChanged, isOver] = [null, true, this.#status.state === 'closed'];
    const observer = (isEnd) => {
      isChanged = true;
      isOver ||= isEnd;
      wake?.();
    };
    this.#observers.add(observer);
    try {
      while (isChanged || !isOver) {
        if (!isChanged) await new Promise((resolve) => { wake = resolve; });
        wake = null;
        isChanged = false;
        yield this.status;
      }
    } finally {
      this.#observers.delete(observer);
    }
  }

  #publish(changes = {}) {
    const { delay, ...rest } = changes;
    Object.assign(this.#status, rest, { pending: this.#outbox.totals.events, pendingBytes: this.#outbox.totals.bytes });
    if (this.#status.state === 'waiting') this.#status.delay = delay ?? this.#status.delay; else delete this.#status.delay;
    for (const observer of this.#observers) observer(false);
  }

  // MARK: Asking

  /** Requests a resource of the service by its path, such as `/v1/learners/ana/words`, and its query. */
  async ask(path, query = {}) {
    const { response, text } = await this.#ask(path + queryText(query), { headers: await this.#credential() });
    if (!response.ok) throw serviceError(response, text);
    const answer = parsed(text);
    if (answer === undefined) throw new ServiceError('something answered, but not as a service does', { status: response.status });
    return answer;
  }

  /** A learner's progress, now and after each change; null while the learner is unknown. */
  async *progress(learner, options = {}) {
    for await (const { type, data } of this.watch(learner, options)) if (type === 'progress') yield data;
  }

  /** The messages of the live stream: whole states and unlocked achievements. The client reconnects until it succeeds. */
  async *watch(learner, { language, signal } = {}) {
    const path = `/v1/learners/${encodeURIComponent(learner)}/stream${queryText({ language })}`;
    const stream = { last: '', failures: 0, signal, path };
    const isOver = () => signal?.aborted || this.#closing.signal.aborted;
    while (!isOver()) {
      try {
        for await (const message of this.#connect(stream)) {
          stream.failures = 0;
          if (message.data !== undefined) yield message;
        }
        stream.failures += 1;
      } catch (error) {
        if (isOver()) return;
        if (error instanceof ServiceError && !error.isRetryable) throw error;
        stream.failures += 1;
        stream.wait = error?.retryAfter ?? 0;
      }
      if (!isOver()) await pause(Math.max(this.#delay(stream.failures), stream.wait ?? 0), [signal, this.#closing.signal]);
      stream.wait = 0;
    }
  }

  async *#connect(stream) {
    const controller = new AbortController();
    const end = () => controller.abort();
    const signals = [stream.signal, this.#closing.signal].filter(Boolean);
    for (const signal of signals) signal.addEventListener('abort', end);
    // The service sends something every 15 seconds. After three times as long without a byte, the connection is lost.
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(end, 45_000);
      timer.unref?.();
    };
    heard();
    try {
      const headers = { Accept: 'text/event-stream', ...await this.#credential() };
      if (stream.last) headers['Last-Event-ID'] = stream.last;
      const response = await this.#options.fetch(this.#options.service + stream.path, { headers, credentials: 'omit', cache: 'no-store', signal: controller.signal });
      if (!response.ok) throw serviceError(response, await response.text());
      yield* messages(response.body, stream, heard);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      controller.abort();
    }
  }
}

async function openOutbox({ folder, storage, database, application, limits, persist = true }) {
  if (storage !== null) return StorageOutbox.open(storage, application, limits);
  if (folder !== null) return FolderOutbox.open(folder, application, limits);
  if (globalThis.indexedDB) {
    try {
      const outbox = await BrowserOutbox.open(database ?? `laurel ${application}`, application, limits);
      // Otherwise a browser that runs short of room may empty the origin's storage.
      if (persist) globalThis.navigator?.storage?.persist?.()?.catch?.(() => {});
      return outbox;
    } catch {
      // Private windows and restricted pages have no storage. Events of earlier visits wait for the next opening.
    }
  }
  return new MemoryOutbox(application, limits);
}

/** The first entries that one request can deliver: events, or a purchase. */
function ofOneRequest(entries) {
  const purchase = entries.findIndex(isPurchase);
  return purchase < 0 ? entries : entries.slice(0, Math.max(purchase, 1));
}

function isPurchase({ line }) { return line.includes(`"source":"${shop}"`) && parsed(line)?.source === shop; }

function refusal({ line }, { code, message }) {
  const event = parsed(line);
  return { id: event?.id ?? '', event, code, message };
}

function serviceError(response, text) {
  const problem = parsed(text);
  const { status } = response;
  const seconds = /^\d+$/.test(response.headers.get('Retry-After') ?? '') ? Number(response.headers.get('Retry-After')) : 0;
  return new ServiceError(typeof problem?.detail === 'string' ? problem.detail : `the service answered ${status}`, {
    status, code: problem?.code ?? null, isRetryable: [408, 425, 429].includes(status) || status >= 500 || status < 400,
    retryAfter: Math.min(seconds, 86_400) * 1000,
  });
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

function queryText(query) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== false);
  const words = pairs.flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one === true ? 'true' : String(one)]));
  return words.length === 0 ? '' : `?${words.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

function pause(milliseconds, signals) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    for (const signal of signals) signal?.addEventListener('abort', end);
  });
}

/** Server-sent events, parsed by the HTML standard. Every line counts as a sign of life, comments included. */
async function* messages(body, stream, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [rest, type, data] = ['', '', []];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line break.
      const lines = rest.replace(/\r(?!$)\n?/g, '\n').split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) {
            const document = parsed(data.join('\n'));
            yield { type: type || 'message', data: document };
          }
          [type, data] = ['', []];
          continue;
        }
        const [, name, text] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
        if (name === 'event') type = text ?? '';
        if (name === 'data') data.push(text ?? '');
        if (name === 'id' && !(text ?? '').includes('\0')) stream.last = text ?? '';
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
