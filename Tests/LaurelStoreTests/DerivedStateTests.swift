// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

@Suite struct DerivedStateTests {
    static func projection(seed: UInt64, languages: [String?] = [nil, "", "de", "é"]) -> LearnerProjection {
        var random = SeededGenerator(seed: seed)
        var projection = LearnerProjection(
            displayName: "Ana \"\u{0}\n",
            cohort: nil,
            nativeLanguage: "en",
            dailyGoalMinutes: 20,
            tracks: []
        )
        for language in languages {
            var track = TrackProjection(language: language)
            track.numbers.counts.events = Int.random(in: 0...100, using: &random)
            track.numbers.counts.lastEventAt = 1_770_310_800_000
            track.numbers.xp = Double.random(in: -10...1e6, using: &random)
            track.numbers.levelProgressPercent = 0.1 + 0.2
            track.numbers.lastActivityDay = LocalDay(number: 20_489)
            track.numbers.estimatedCEFR = language == nil ? nil : "B1"
            track.numbers.cefrProgressPercent = language == nil ? nil : 33.3
            track.numbers.xpByBucket = [
                NamedNumber(name: "a\"\\\u{1}é", value: 0.1), NamedNumber(name: "b", value: -5),
            ]
            track.numbers.metrics = [NamedNumber(name: "big", value: 1e300), NamedNumber(name: "zero", value: 0)]
            for number in [Int32(20_487), 20_488, 20_489] where Bool.random(using: &random) {
                var day = DayProjection(day: LocalDay(number: number))
                day.xp = Double(Int.random(in: 0...30, using: &random)) / 10
                day.lines = Int.random(in: 0...9, using: &random)
                day.isActive = Bool.random(using: &random)
                track.days.append(day)
            }
            for id in ["x", "y", "z"] {
                var row = AchievementProjection(id: id)
                row.tier = Int.random(in: 0...1, using: &random)
                row.unlockedAt = row.tier > 0 ? 1_770_310_800_000 : nil
                row.progress = row.tier > 0 ? 0.25 : 0
                track.achievements.append(row)
            }
            projection.tracks.append(track)
        }
        return projection
    }

    @Test(arguments: Backend.allCases, UInt64(1)...3)
    func projectionsComeBack(backend: Backend, seed: UInt64) throws {
        let test = try backend.make()
        let one = DerivedStateTests.projection(seed: seed)
        let two = DerivedStateTests.projection(seed: seed + 100, languages: [nil, "de"])
        let (ana, bo) = try test.store.write { transaction throws in
            let ids = (
                try transaction.learnerID(for: Array("ana".utf8)), try transaction.learnerID(for: Array("bo".utf8))
            )
            #expect(try transaction.projection(of: ids.0) == nil)
            try transaction.project(two, of: ids.0, days: .all)
            try transaction.project(two, of: ids.1, days: .all)
            try transaction.project(one, of: ids.0, days: .all)
            return ids
        }
        try test.reopen()
        try test.store.read { reader throws in
            #expect(try reader.projection(of: ana) == one.normalised)
            #expect(try reader.projection(of: bo) == two.normalised)
        }
        try test.store.write { try $0.dropDerivedState() }
        #expect(try test.store.read { try $0.projection(of: ana) } == nil)
    }

    /// Several learners at once: new and known ones, some unchanged, and some with only the changed parts.
    @Test(arguments: Backend.allCases, UInt64(1)...2)
    func batchesComeBack(backend: Backend, seed: UInt64) throws {
        let test = try backend.make()
        var random = SeededGenerator(seed: seed)
        let ids = try test.store.write { transaction throws in
            try (0..<12).map { try transaction.learnerID(for: Array("learner \($0)".utf8)) }
        }
        var expected: [Int64: LearnerProjection] = [:]
        for round in 0..<6 {
            var batches: [Int: any ProjectionBatch] = [:]
            for id in ids.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)).sorted() {
                let batch = batches[Partition.of(learner: id)] ?? test.store.newBatch()
                batches[Partition.of(learner: id)] = batch
                if let old = expected[id], Bool.random(using: &random) {
                    let (changed, today) = DerivedStateTests.change(old, using: &random)
                    batch.append(today, replacing: old, of: id)
                    expected[id] = changed
                    continue
                }
                let isSame = Int.random(in: 0..<4, using: &random) == 0
                let projection =
                    expected[id].flatMap { isSame ? $0 : nil }
                    ?? DerivedStateTests.projection(
                        seed: random.next(),
                        languages: [[nil], [nil, "de"], [nil, "", "é"]].randomElement(using: &random)!
                    )
                batch.append(projection, of: id)
                expected[id] = projection
            }
            try test.store.write { transaction in
                for batch in batches.values { try transaction.project(batch) }
            }
            if round == 3 { try test.reopen() }
            for id in ids {
                let stored = try test.store.read { try $0.projection(of: id) }
                #expect(stored == expected[id]?.normalised, "seed \(seed), round \(round), learner \(id)")
            }
        }
    }

    /// A learner after further events.
    /// - Returns: the projection, and the projection with only the changed days.
    private static func change(
        _ old: LearnerProjection,
        using random: inout SeededGenerator
    ) -> (changed: LearnerProjection, today: LearnerProjection) {
        var changed = old
        if Bool.random(using: &random) { changed.displayName = "Ana \(random.next() % 3)" }
        let day = old.tracks.flatMap(\.days).map(\.day).randomElement(using: &random)
        for index in changed.tracks.indices where Bool.random(using: &random) {
            changed.tracks[index].numbers.xp += 1
            if !changed.tracks[index].achievements.isEmpty { changed.tracks[index].achievements[0].progress += 0.5 }
            for place in changed.tracks[index].days.indices where changed.tracks[index].days[place].day == day {
                changed.tracks[index].days[place].xp += 2
            }
        }
        var today = changed
        for index in today.tracks.indices { today.tracks[index].days.removeAll { $0.day != day } }
        return (changed, today)
    }

    /// As a replay writes them: everything is dropped, then all learners are written anew, whatever their former rows.
    @Test(arguments: Backend.allCases)
    func profilesChangeWhereTheyDo(backend: Backend) throws {
        let test = try backend.make()
        let names: [String?] = ["Ana", nil, "Cy", "e\u{301}", "Eve"]
        let later: [String?] = ["Ana", "Bo", nil, "\u{e9}", "Eva"]
        func projection(_ name: String?, minutes: Int) -> LearnerProjection {
            var projection = DerivedStateTests.projection(seed: 1)
            (projection.displayName, projection.cohort, projection.dailyGoalMinutes) = (name, "c", minutes)
            return projection.normalised
        }
        let ids = try test.store.write { transaction throws in
            let ids = try names.indices.map { try transaction.learnerID(for: Array("learner \($0)".utf8)) }
            for (id, name) in zip(ids, names) {
                try transaction.project(projection(name, minutes: 5), of: id, days: .all)
            }
            return ids
        }
        for (minutes, names) in [(5, later), (6, later), (6, names)] {
            try test.store.write { transaction throws in
                try transaction.dropDerivedState()
                for (id, name) in zip(ids, names) {
                    try transaction.project(projection(name, minutes: minutes), of: id, days: .all)
                }
                // Once more, with a learner who has joined since.
                try transaction.project(projection(names[0], minutes: minutes), of: ids[0], days: .all)
                let new = try transaction.learnerID(for: Array("new at \(minutes) \(names[1] ?? "")".utf8))
                try transaction.project(projection("New", minutes: 1), of: new, days: .all)
                #expect(try transaction.projection(of: new) == projection("New", minutes: 1))
            }
            for (id, name) in zip(ids, names) {
                let stored = try #require(try test.store.read { try $0.projection(of: id) })
                #expect(stored == projection(name, minutes: minutes))
                #expect(stored.displayName.map { Array($0.utf8) } == name.map { Array($0.utf8) })
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func listedDaysReplaceOnlyThemselves(backend: Backend) throws {
        func track(_ language: String?, _ days: [(Int32, Int)]) -> TrackProjection {
            var track = TrackProjection(language: language)
            track.days = days.map { number, lines in
                var day = DayProjection(day: LocalDay(number: number))
                day.lines = lines
                return day
            }
            return track
        }
        let test = try backend.make()
        var projection = LearnerProjection(
            displayName: nil,
            cohort: nil,
            nativeLanguage: nil,
            dailyGoalMinutes: 15,
            tracks: [track(nil, [(1, 3), (2, 5)]), track("de", [(1, 3), (2, 4)])]
        )
        let ana = try test.store.write { transaction throws in
            let ana = try transaction.learnerID(for: Array("ana".utf8))
            try transaction.project(projection, of: ana, days: .all)
            projection.tracks = [track(nil, [(2, 7), (3, 1)]), track("de", [(3, 1)])]
            try transaction.project(projection, of: ana, days: .listed)
            return ana
        }
        projection.tracks = [track(nil, [(1, 3), (2, 7), (3, 1)]), track("de", [(1, 3), (3, 1)])]
        #expect(try test.store.read { try $0.projection(of: ana) } == projection)
    }

    @Test(arguments: Backend.allCases)
    func snapshotsAndRules(backend: Backend) throws {
        let test = try backend.make()
        let rules = [
            RulesRecord(version: 1, hash: "abc", name: "one", appliedAt: 5, source: Array("a: \u{0}".utf8)),
            RulesRecord(version: 1, hash: "def", name: "two", appliedAt: 6, source: []),
        ]
        let ana = try test.store.write { transaction throws in
            let ana = try transaction.learnerID(for: Array("ana".utf8))
            try transaction.saveSnapshot([1, 2, 0, 3], of: ana)
            for rules in rules { try transaction.setRules(rules) }
            return ana
        }
        try test.reopen()
        try test.store.read { reader throws in
            #expect(try reader.snapshot(of: ana) == [1, 2, 0, 3])
            #expect(try reader.rules() == [rules[1]])
            #expect(try reader.rulesHistory() == rules)
        }
        try test.store.write { try $0.saveSnapshot([], of: ana) }
        #expect(try test.store.read { try $0.snapshot(of: ana) } == [])
        try test.store.write { try $0.saveSnapshot(nil, of: ana) }
        #expect(try test.store.read { try $0.snapshot(of: ana) } == nil)
    }

    @Test(arguments: Backend.allCases)
    func overviewsComeInByteOrder(backend: Backend) throws {
        let test = try backend.make()
        try test.append(["b", "é", "a", "ab", ""].map { TestEvent(subject: $0, id: "e1") })
        try test.store.write { transaction throws in
            let id = try transaction.learnerID(for: Array("a".utf8))
            try transaction.project(DerivedStateTests.projection(seed: 1), of: id, days: .all)
        }
        var rows: [OverviewRecord] = []
        try test.store.read { try $0.forEachOverview { rows.append($0) } }
        #expect(rows.map { String(decoding: $0.learner.subject, as: UTF8.self) } == ["", "a", "ab", "b", "é"])
        #expect(rows[1].displayName == "Ana \"\u{0}\n")
        #expect(rows[1].numbers.xp == DerivedStateTests.projection(seed: 1).tracks[0].numbers.xp)
        #expect(rows[2].lastEventAt == nil)
        #expect(rows[2].learner.eventCount == 1)
    }
}
