// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A learner's progress under Rules/bab-language.yaml, with the rules written by hand. No engine that keeps rules as
/// data can be faster.
///
/// The fold reads only the fields that the rules read. It handles the types in ``HandWritten/handled``, and one
/// track. It has no versions, rewards, explanations or late events.
struct HandWrittenFold {
    private(set) var xp = 0.0
    private(set) var wordsLearned = 0
    private(set) var achievements = [Bool](repeating: false, count: 7)
    private var level = 1.0
    private var lines = 0.0, goodRun = 0.0, badRun = 0.0, perfectRun = 0.0, runOutside = 0.0
    private var played = 0.0, flawless = 0.0, fast = 0.0
    private var partners: [[UInt8]: Double] = [:]
    private var words: [Word] = []
    private var wordsByName: [WordKey: Int] = [:]
    /// The learner's number.
    private let serial: UInt32

    private var session = Session()
    private var isInSession = false
    private var sessionName: [UInt8] = []
    private var sessionKey: UInt64 = 0
    private var others: [[UInt8]: Session] = [:]

    private var day = Int32.min
    private var activeDay = Int32.min
    private var activeDays: [Int32] = []
    private var frozenDays: Set<Int32> = []
    private var streak = 0.0
    private var dayFrom = Int64.max, dayUntil = Int64.min
    private var source = (zone: UInt32.max, offset: Int16.min)

    private struct Session {
        var lastAt: Int64 = 0
        var lines = 0.0, errors = 0.0, reportedErrors = 0.0, timedLines = 0.0, lineMs = 0.0
        var goodRun = 0.0, badRun = 0.0, runBefore = 0.0, newWords = 0.0, helps = 0.0
        var isTogether = false
        var mode: [UInt8] = [], partner: [UInt8] = []
    }

    private struct Word {
        var ease: Float = 2.5
        var interval: Int32 = 1
        var mastery: Int8 = 0
        var isDeclared = false
        var dueAt: Int64 = 0
        var isLearned: Bool { isDeclared || mastery >= 3 }
    }

    private struct WordKey: Hashable {
        var language: [UInt8]
        var word: [UInt8]
    }

    init(_ serial: UInt32) { self.serial = serial }

    /// - Parameter clock: caches zones between learners.
    mutating func fold(_ bound: HandWrittenTable, _ columns: EventColumns, _ row: Int, _ clock: inout LocalClock) {
        let kind = bound.kinds[Int(columns.type[row])]
        if kind == .passedOver { return }
        let time = columns.milliseconds[row]
        enterDay(columns, row, time, &clock)
        enterSession(columns, row, time, bound.stamp)
        switch kind {
        case .line: speak(bound, columns, row)
        case .review, .word: practise(bound, columns, row, kind, time)
        case .practice: makeActive()
        case .told:
            if isInSession, bound.text(.kind, columns, row).elementsEqual("statistics".utf8) {
                session.reportedErrors += 1
            }
        case .help: if isInSession { session.helps += 1 }
        case .started: start(bound, columns, row)
        case .ended: end(bound, columns, row)
        case .adjusted: add(bound.number(.amount, columns, row).isNaN ? 0 : bound.number(.amount, columns, row))
        case .mended: mend(bound.text(.date, columns, row))
        case .frozen: freeze(bound.text(.date, columns, row))
        case .passedOver: break
        }
        session.lastAt = time
    }

    // MARK: Days and sessions

    private mutating func enterDay(_ columns: EventColumns, _ row: Int, _ time: Int64, _ clock: inout LocalClock) {
        let (zone, offset) = (columns.timezone[row], columns.offsets[row])
        if time >= dayFrom, time < dayUntil, zone == source.zone, offset == source.offset { return }
        source = (zone, offset)
        let interval = clock.interval(at: time, offsetCode: offset, timezone: columns.text(zone))
        let wall = time + Int64(interval.offset) * 1000
        let number = wall >= 0 ? wall / 86_400_000 : (wall - 86_399_999) / 86_400_000
        let midnight = time - (wall - number * 86_400_000)
        dayFrom = max(midnight, HandWrittenFold.milliseconds(interval.start))
        dayUntil = min(midnight + 86_400_000, HandWrittenFold.milliseconds(interval.end))
        day = Int32(number)
    }

    private static func milliseconds(_ seconds: Int64) -> Int64 {
        seconds.magnitude > 1 << 50 ? (seconds < 0 ? .min : .max) : seconds * 1000
    }

    /// Forgets the data about the previous learner's table.
    mutating func leaveTable() {
        (dayFrom, dayUntil) = (.max, .min)
        sessionKey = 0
    }

    private mutating func enterSession(_ columns: EventColumns, _ row: Int, _ time: Int64, _ stamp: UInt64) {
        let key = stamp | UInt64(columns.session[row])
        if key == sessionKey, time - session.lastAt <= 86_400_000 || !isInSession { return }
        sessionKey = key
        let name = Array(columns.text(columns.session[row]))
        if isInSession { others[sessionName] = session }
        isInSession = !name.isEmpty
        sessionName = name
        session = Session()
        if isInSession, let known = others.removeValue(forKey: name), time - known.lastAt <= 86_400_000 {
            session = known
        }
    }

    private mutating func makeActive() {
        guard activeDay < day else { return }
        streak = isBridged(activeDay, day) ? streak + 1 : 1
        activeDay = day
        activeDays.append(day)
    }

    /// True if all days between two active ones are frozen.
    private func isBridged(_ one: Int32, _ next: Int32) -> Bool {
        if one == .min || frozenDays.isEmpty { return one == next - 1 }
        return (one + 1..<next).allSatisfy(frozenDays.contains)
    }

    private mutating func freeze(_ date: UnsafeBufferPointer<UInt8>) {
        if let day = LocalDay(parsing: date)?.number { frozenDays.insert(day) }
    }

    /// Applies a repaired day, which may join two streaks.
    private mutating func mend(_ date: UnsafeBufferPointer<UInt8>) {
        guard let mended = LocalDay(parsing: date)?.number, mended <= day, !activeDays.contains(mended) else { return }
        activeDays.append(mended)
        activeDays.sort()
        activeDay = activeDays[activeDays.count - 1]
        streak = 1
        for (one, next) in zip(activeDays, activeDays.dropFirst()).reversed() {
            guard isBridged(one, next) else { return }
            streak += 1
        }
    }

    // MARK: XP and counts

    private mutating func add(_ amount: Double) {
        xp += amount
        while 50 * (level + 1) * level <= xp { level += 1 }
    }

    private mutating func speak(_ bound: HandWrittenTable, _ columns: EventColumns, _ row: Int) {
        let (accuracy, errors, duration) = bound.line(columns, row)
        let isGood = accuracy >= 0.9
        lines += 1
        perfectRun = accuracy == 1 ? perfectRun + 1 : 0
        goodRun = isGood ? goodRun + 1 : 0
        badRun = isGood ? 0 : badRun + 1
        runOutside = goodRun >= 2 || badRun == 1 && lines >= 2 ? runOutside + 1 : 0
        if isInSession {
            session.lines += 1
            session.errors += errors.isNaN ? 0 : errors
            if !duration.isNaN {
                session.timedLines += 1
                session.lineMs += duration
            }
            session.goodRun = isGood ? session.goodRun + 1 : 0
            session.badRun = isGood ? 0 : session.badRun + 1
            let goesOn = session.goodRun >= 2 || session.badRun == 1 && session.lines >= 2
            session.runBefore = goesOn ? session.runBefore + 1 : 0
            if session.lines >= 50 { achievements[2] = true }
        }
        makeActive()
        let run = isInSession ? session.runBefore : runOutside
        add(
            10 + (accuracy.isNaN ? 0 : (accuracy * 10).rounded(.down)) + min(2 * run, 20) + (session.isTogether ? 5 : 0)
        )
        if perfectRun >= 2 { achievements[1] = true }
        if perfectRun >= 10 { achievements[5] = true }
    }

    private mutating func practise(
        _ bound: HandWrittenTable,
        _ columns: EventColumns,
        _ row: Int,
        _ kind: HandWrittenTable.Kind,
        _ time: Int64
    ) {
        let name = bound.textIndex(.word, columns, row)
        let type = bound.wordTypes[Int(columns.type[row])]
        if name != 0 {
            let language = columns.language[row]
            let place = bound.placeOfWord(name, in: language, of: serial) {
                findWord(WordKey(language: Array(columns.text(language)), word: Array(columns.text(name))))
            }
            var word = words[place]
            let isNew = word.dueAt == 0
            if isNew { word.dueAt = time }
            let wasLearned = !isNew && word.isLearned
            if kind == .review {
                HandWrittenFold.review(&word, bound.text(.grade, columns, row).first ?? 0, time)
            } else if type == .learned {
                word.isDeclared = true
            }
            wordsLearned += (word.isLearned ? 1 : 0) - (wasLearned ? 1 : 0)
            words[place] = word
            if isNew, isInSession { session.newWords += 1 }
        }
        if kind == .review || type == .encountered { makeActive() }
    }

    private mutating func findWord(_ key: WordKey) -> Int {
        if let place = wordsByName[key] { return place }
        words.append(Word())
        wordsByName[key] = words.count - 1
        return words.count - 1
    }

    private static func review(_ word: inout Word, _ grade: UInt8, _ time: Int64) {
        let days = Float(word.interval)
        switch grade {
        case UInt8(ascii: "a"): (word.interval, word.ease, word.mastery) = (1, word.ease - 0.2, word.mastery - 1)
        case UInt8(ascii: "h"): (word.interval, word.ease) = (whole(days * 1.2), word.ease - 0.15)
        case UInt8(ascii: "g"): (word.interval, word.mastery) = (whole(days * word.ease), word.mastery + 1)
        default:
            word.interval = whole(days * word.ease * 1.3)
            (word.ease, word.mastery) = (word.ease + 0.15, word.mastery + 1)
        }
        word.ease = max(word.ease, 1.3)
        word.mastery = min(max(word.mastery, 0), 5)
        word.dueAt = time + Int64(word.interval) * 86_400_000
    }

    private static func whole(_ days: Float) -> Int32 { days < 36_500 ? max(1, Int32(days)) : 36_500 }

    private mutating func start(_ bound: HandWrittenTable, _ columns: EventColumns, _ row: Int) {
        guard isInSession else { return }
        session.mode = Array(bound.text(.mode, columns, row))
        session.partner = Array(bound.text(.partner, columns, row))
        if HandWrittenFold.isTogether(session.mode) { session.isTogether = true }
    }

    private static func isTogether(_ mode: [UInt8]) -> Bool {
        mode.elementsEqual("host".utf8) || mode.elementsEqual("client".utf8)
    }

    private mutating func end(_ bound: HandWrittenTable, _ columns: EventColumns, _ row: Int) {
        var (mode, partner) = (Array(bound.text(.mode, columns, row)), Array(bound.text(.partner, columns, row)))
        if mode.isEmpty { mode = session.mode }
        if partner.isEmpty { partner = session.partner }
        let isTogether = HandWrittenFold.isTogether(mode)
        let errors = max(session.errors, session.reportedErrors)
        if isTogether { played += 1 }
        if !partner.isEmpty {
            let count = partners[partner, default: 0] + 1
            partners[partner] = count
            if count >= 5 { achievements[3] = true }
        }
        if session.lines >= 1, errors == 0 { flawless += 1 }
        if session.timedLines > 0, session.lineMs / session.timedLines < 3000 { fast += 1 }
        makeActive()
        var earned = 50 + 10 * session.newWords
        if session.lines > 0 { earned += max(0, (30 * (session.lines - errors) / session.lines).rounded(.down)) }
        if isTogether { earned += 25 + 10 * session.helps }
        add(earned + (earned * min(streak * 0.05, 0.5)).rounded(.down))
        if played >= 1 { achievements[0] = true }
        if flawless >= 1 { achievements[4] = true }
        if fast >= 1 { achievements[6] = true }
        guard isInSession else { return }
        (isInSession, sessionKey, session) = (false, 0, Session())
    }
}
