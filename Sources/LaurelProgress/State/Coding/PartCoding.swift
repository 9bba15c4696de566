// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Flags for the optional parts of a word's state that are written.
private struct WordParts: OptionSet {
    let rawValue: UInt8

    static let declaration = WordParts(rawValue: 1)
    static let lastReview = WordParts(rawValue: 2)
    static let ease = WordParts(rawValue: 4)
    static let stability = WordParts(rawValue: 8)
    static let difficulty = WordParts(rawValue: 16)
    static let interval = WordParts(rawValue: 32)
    static let day = WordParts(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of word: WordState, _ purpose: StateWriter.Purpose) {
        self = []
        if word.hasInterval, purpose == .snapshot { insert(.interval) }
        if word.dayShift != 0, purpose == .snapshot { insert(.day) }
        if word.isDeclaredLearned { insert(.declaration) }
        if word.lastReviewedAt != nil { insert(.lastReview) }
        if word.ease != WordState().ease { insert(.ease) }
        if word.stability != nil { insert(.stability) }
        if word.difficulty != nil { insert(.difficulty) }
    }
}

extension WordState {
    /// The UTC day of the last review. Before any review, it is the UTC day of the first event.
    fileprivate var dayInUTC: LocalDay { LocalDay(containing: lastReviewedAt ?? firstSeenAt) }

    /// The word's local day minus its UTC day, in days.
    fileprivate var dayShift: Int { Int(lastReviewDay.number) - Int(dayInUTC.number) }

    /// The time at which the word would be due, in milliseconds since 1970. It is computed from the word's last review
    /// and its interval.
    fileprivate var expectedReviewAt: Int64 {
        guard let lastReviewedAt else { return firstSeenAt }
        return lastReviewedAt &+ Int64(intervalDays) &* 86_400_000
    }
}

/// The encoding of a state's parts.
extension StateWriter {
    mutating func write(_ profile: Profile) {
        write(optional: profile.displayName) { $0.write($1) }
        write(optional: profile.nativeLanguage) { $0.write($1) }
        // Fingerprints contain the flag only if it is false, so that other learners have the same fingerprints as
        // before the flag was introduced.
        if purpose == .snapshot || !profile.isOnLeaderboards { write(profile.isOnLeaderboards) }
        write(profile.dailyGoalMinutes)
        write(optional: profile.cohort) { $0.write($1) }
    }

    /// Writes the fields of `learner.updated` that rules read. Fingerprints contain only those that the version's own
    /// rules read.
    mutating func write(_ fields: [LearnerFieldValue], _ plan: VersionPlan) {
        for (field, value) in zip(plan.learnerFields, fields) where purpose == .snapshot || field.slot != nil {
            switch value {
            case .null: write(false)
            case .number(let number):
                write(true)
                write(number)
            case .text(let text):
                write(true)
                write(text)
            }
        }
    }

    mutating func write(_ values: DistinctValues) {
        guard values.count > 0 else { return write(0 as UInt64) }
        let keys = values.keys.sorted(values.numbers.indices.map { UInt32($0 + 1) })
        write(UInt64(keys.count))
        for key in keys {
            values.keys.withTexts { write($0(key)) }
            write(values.numbers[Int(key) - 1])
        }
    }

    mutating func write(_ vocabulary: Vocabulary, _ plan: VersionPlan) {
        write(vocabulary.language)
        let words = vocabulary.words
        var known: [UInt32] = []
        known.reserveCapacity(words.pointee.states.count)
        var start = Int64.max
        for index in words.pointee.states.indices where words.pointee.states[index].isKnown {
            known.append(UInt32(index + 1))
            start = min(start, words.pointee.states[index].firstSeenAt)
        }
        known = words.pointee.names.sorted(known)
        if known.isEmpty { start = 0 }
        write(start)
        write(UInt64(known.count))
        words.pointee.names.withTexts { text in
            for name in known {
                write(text(name))
                write(words.pointee.states[Int(name) - 1], since: start)
            }
        }
        write(details: words, of: known, plan)
    }

    private mutating func write(
        details words: UnsafeMutablePointer<VocabularyWords>,
        of known: [UInt32],
        _ plan: VersionPlan
    ) {
        let width = words.pointee.states.isEmpty ? 0 : words.pointee.details.count / words.pointee.states.count
        var shown = Array(0..<width)
        if purpose == .fingerprint { shown.removeAll { !plan.readSlots.contains(.text(plan.wordDetails[$0].slot)) } }
        write(UInt64(shown.count))
        guard !shown.isEmpty else { return }
        for name in known {
            let start = (Int(name) - 1) * width
            for place in shown { write(optional: words.pointee.details[start + place]) { $0.write($1) } }
        }
    }

    /// Writes a word. Words are the largest part of a snapshot, and instants are the largest part of a word. So each
    /// instant is written as its difference from an expected value, which is usually small.
    private mutating func write(_ word: WordState, since start: Int64) {
        write(UInt64(WordParts(of: word, purpose).rawValue))
        write(word.mastery)
        write(word.reviews)
        write(word.correctReviews)
        write(word.firstSeenAt &- start)
        if let lastReviewedAt = word.lastReviewedAt { write(lastReviewedAt &- word.firstSeenAt) }
        write(word.intervalDays)
        write(word.nextReviewAt &- word.expectedReviewAt)
        if word.ease != WordState().ease { write(word.ease) }
        if let stability = word.stability { write(stability) }
        if let difficulty = word.difficulty { write(difficulty) }
        if purpose == .snapshot, word.dayShift != 0 { write(word.dayShift) }
    }

    /// Writes the values of the metrics with keys. Metrics without values are left out. Each list of values is preceded
    /// by the metric's index.
    mutating func write(_ keyed: [DistinctValues], _ metrics: [Int]) {
        write(UInt64(keyed.count { $0.count > 0 }))
        for (metric, values) in zip(metrics, keyed) where values.count > 0 {
            write(metric)
            write(values)
        }
    }

    mutating func write(_ session: SessionWindow, _ keyedMetrics: [Int]) {
        write(session.id)
        write(session.lastEventAt)
        write(optional: session.started) { writer, started in
            writer.write(started.startedAt)
            for text in [started.mode, started.scenario, started.partner] {
                writer.write(optional: text) { $0.write($1) }
            }
        }
        guard let values = session.values else { return }
        for number in values.numbers { write(number) }
        for flag in values.hasValue { write(flag) }
        write(values.keyed, keyedMetrics)
    }

    mutating func write(_ days: DaySet) {
        write(list: days.runs) {
            $0.write(Int($1.lowerBound))
            $0.write(Int($1.upperBound))
        }
    }

    mutating func write(_ grants: FreezeGrants) {
        write(list: grants.grants) {
            $0.write(Int($1.period))
            $0.write($1.count)
        }
    }

    mutating func write(_ achievement: AchievementState) {
        if achievement.isUntouched { return write(zeros: purpose == .snapshot ? 5 : 4) }
        write(achievement.tier)
        write(optional: achievement.unlockedAt) { $0.write($1) }
        write(achievement.best)
        write(achievement.isRevoked)
        if purpose == .snapshot { write(achievement.given) }
    }

    mutating func write(_ balance: Balance) {
        write(balance.amount)
        write(optional: balance.anchor) { $0.write($1) }
    }

    mutating func write(_ days: [DayProjection]) {
        write(UInt64(days.count))
        var before: Int32 = 0
        for day in days {
            write(Int(day.day.number) - Int(before))
            write(day)
            before = day.day.number
        }
    }

    private mutating func write(_ day: DayProjection) {
        write(day.xp)
        write(day.practiceMilliseconds)
        for count in [day.lines, day.reviews, day.correctReviews, day.newWords, day.learnedWords] { write(count) }
        write(day.isActive)
    }
}

extension StateReader {
    mutating func read(_ profile: inout Profile) throws(Malformed) {
        profile.displayName = try optional { reader throws(Malformed) in try reader.string() }
        profile.nativeLanguage = try optional { reader throws(Malformed) in try reader.string() }
        profile.isOnLeaderboards = try bool()
        profile.dailyGoalMinutes = try int()
        profile.cohort = try optional { reader throws(Malformed) in try reader.string() }
    }

    mutating func learnerField(_ type: ValueType) throws(Malformed) -> LearnerFieldValue {
        guard try bool() else { return .null }
        return type == .text ? .text(try data()) : .number(try double())
    }

    mutating func keyedValues() throws(Malformed) -> DistinctValues {
        var values = DistinctValues()
        for _ in 0..<(try count()) {
            let key = try data()
            let number = try double()
            key.withUnsafeBufferPointer { values.set(number, for: $0) }
        }
        return values
    }

    mutating func keyed(_ keyedMetrics: [Int]) throws(Malformed) -> [DistinctValues] {
        var values = Array(repeating: DistinctValues(), count: keyedMetrics.count)
        for _ in 0..<(try count()) {
            guard let place = keyedMetrics.firstIndex(of: try int()) else { throw Malformed() }
            values[place] = try keyedValues()
        }
        return values
    }

    /// - Parameter details: the number of details per word that the plan stores.
    mutating func vocabulary(details: Int) throws(Malformed) -> Vocabulary {
        let vocabulary = Vocabulary(language: try data())
        let start = try int64()
        for _ in 0..<(try count()) {
            let name = try data()
            let index = name.withUnsafeBufferPointer { vocabulary.words.pointee.index(of: $0) }
            vocabulary.words.pointee.states[index] = try word(since: start)
        }
        let width = try count()
        guard width == 0 || width == details else { throw Malformed() }
        for _ in 0..<vocabulary.words.pointee.states.count * width {
            let detail = try optional { reader throws(Malformed) in try reader.data() }
            vocabulary.words.pointee.details.append(detail)
        }
        return vocabulary
    }

    private mutating func word(since start: Int64) throws(Malformed) -> WordState {
        var word = WordState()
        let parts = WordParts(rawValue: try byte())
        word.isKnown = true
        word.isDeclaredLearned = parts.contains(.declaration)
        word.mastery = try int()
        word.reviews = try int64()
        word.correctReviews = try int64()
        word.firstSeenAt = start &+ (try int64())
        if parts.contains(.lastReview) { word.lastReviewedAt = word.firstSeenAt &+ (try int64()) }
        word.intervalDays = try int()
        word.nextReviewAt = word.expectedReviewAt &+ (try int64())
        word.hasInterval = parts.contains(.interval)
        if parts.contains(.ease) { word.ease = try float() }
        if parts.contains(.stability) { word.stability = try double() }
        if parts.contains(.difficulty) { word.difficulty = try double() }
        word.lastReviewDay = word.dayInUTC
        if parts.contains(.day) {
            let shift = try int()
            guard (-2...2).contains(shift) else { throw Malformed() }
            word.lastReviewDay = LocalDay(number: word.dayInUTC.number &+ Int32(shift))
        }
        return word
    }

    mutating func session(stride: Int, _ keyedMetrics: [Int]) throws(Malformed) -> SessionWindow {
        var session = SessionWindow(id: try data(), lastEventAt: try int64())
        session.started = try optional { reader throws(Malformed) in
            var started = StartedSession(startedAt: try reader.int64())
            started.mode = try reader.optional { reader throws(Malformed) in try reader.data() }
            started.scenario = try reader.optional { reader throws(Malformed) in try reader.data() }
            started.partner = try reader.optional { reader throws(Malformed) in try reader.data() }
            return started
        }
        var values = SessionWindow.Values(
            numbers: Array(repeating: 0, count: stride),
            hasValue: Array(repeating: false, count: stride),
            keyed: []
        )
        for index in 0..<stride { values.numbers[index] = try double() }
        for index in 0..<stride { values.hasValue[index] = try bool() }
        values.keyed = try keyed(keyedMetrics)
        session.values = values
        return session
    }

    /// The accepted day numbers: the years 0000 to 9999, and a few days more.
    private static let days = -720_000...2_940_000

    mutating func daySet() throws(Malformed) -> DaySet {
        var runs: [ClosedRange<Int32>] = []
        for _ in 0..<(try count()) {
            let (lower, upper) = (try int(), try int())
            guard StateReader.days.contains(lower), StateReader.days.contains(upper),
                let first = Int32(exactly: lower), let last = Int32(exactly: upper), first <= last,
                runs.last.map({ $0.upperBound < first }) ?? true
            else { throw Malformed() }
            runs.append(first...last)
        }
        return DaySet(runs: runs)
    }

    mutating func freezeGrants() throws(Malformed) -> FreezeGrants {
        var grants = FreezeGrants()
        for _ in 0..<(try count()) {
            let (day, count) = (try civilDay(), try int())
            guard count > 0 else { throw Malformed() }
            grants.add(count, in: day.number)
        }
        return grants
    }

    mutating func achievement() throws(Malformed) -> AchievementState {
        AchievementState(
            tier: try int(),
            unlockedAt: try optional { reader throws(Malformed) in try reader.int64() },
            best: try double(),
            isRevoked: try bool(),
            given: try double()
        )
    }

    mutating func balance() throws(Malformed) -> Balance {
        Balance(
            amount: try double(),
            anchor: try optional { reader throws(Malformed) in try reader.int64() }
        )
    }

    mutating func civilDay() throws(Malformed) -> LocalDay {
        let number = try int()
        guard StateReader.days.contains(number) else { throw Malformed() }
        return LocalDay(number: Int32(number))
    }

    mutating func days() throws(Malformed) -> [DayProjection] {
        var days: [DayProjection] = []
        for _ in 0..<(try count()) {
            let number = Int(days.last?.day.number ?? 0) + (try int())
            guard StateReader.days.contains(number) else { throw Malformed() }
            days.append(try day(LocalDay(number: Int32(number))))
        }
        return days
    }

    private mutating func day(_ date: LocalDay) throws(Malformed) -> DayProjection {
        var day = DayProjection(day: date)
        day.xp = try double()
        day.practiceMilliseconds = try anyInt64()
        day.lines = try int()
        day.reviews = try int()
        day.correctReviews = try int()
        day.newWords = try int()
        day.learnedWords = try int()
        day.isActive = try bool()
        return day
    }
}
