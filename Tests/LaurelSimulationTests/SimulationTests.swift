// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelSimulation
import Testing

@Suite struct DeterminismTests {
    @Test(arguments: [false, true], [false, true])
    func equalArgumentsGiveEqualBytes(disorder: Bool, uuid: Bool) {
        let seed = UInt64.random(in: 0 ... .max)
        for together in [false, true] {
            let options = Simulation.Options(
                learners: 30,
                days: 12,
                seed: seed,
                disorder: disorder,
                uuid: uuid,
                together: together
            )
            #expect(stream(options).bytes == stream(options).bytes, "seed \(seed)")
        }
    }

    @Test(arguments: [(false, 0x31F3_EC8F_C7C6_2717), (true, 0x2309_21C5_BE41_5433)] as [(Bool, UInt64)])
    func bytesStayTheSameFromReleaseToRelease(together: Bool, expected: UInt64) {
        let bytes = stream(Simulation.Options(learners: 25, days: 20, seed: 42, together: together)).bytes
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(hash == expected, "FNV-1a of seed 42; change it where the model was changed on purpose")
    }

    @Test func seedsDiffer() {
        let first = stream(Simulation.Options(learners: 10, days: 5, seed: 1)).bytes
        #expect(first != stream(Simulation.Options(learners: 10, days: 5, seed: 2)).bytes)
    }

    /// The first seed has a learner nine hours east of Greenwich who practises in the morning after the last local day.
    @Test(arguments: [8_858_682_408_168_854_709, .random(in: 0 ... .max)] as [UInt64])
    func shorterSimulationBeginsLongerOne(seed: UInt64) {
        for together in [false, true] {
            let short = stream(Simulation.Options(learners: 40, days: 9, seed: seed, together: together)).bytes
            let long = stream(Simulation.Options(learners: 40, days: 15, seed: seed, together: together)).bytes
            #expect(long.starts(with: short), "seed \(seed)")
        }
    }

    @Test func startMovesTheDates() throws {
        let start = try #require(CalendarDay("2024-02-26"))
        let first = try #require(try events(.init(learners: 3, days: 2, seed: 1, start: start)).first)
        #expect((first["time"] as? String)?.hasPrefix("2024-02-26T") == true)
    }
}

@Suite struct StreamTests {
    @Test func learnerYearHasAbout2500Events() {
        let seed = UInt64.random(in: 0 ... .max)
        let count = Simulation(Simulation.Options(learners: 250, days: 365, seed: seed)).run { _ in }
        #expect((2300...2700).contains(count / 250), "seed \(seed)")
        let few = stream(Simulation.Options(learners: 10, days: 90, seed: seed))
        #expect(few.bytes.count { $0 == UInt8(ascii: "\n") } == few.count, "seed \(seed)")
    }

    @Test(arguments: [false, true]) func everyLineIsAnEventInOrderAndTime(together: Bool) throws {
        let seed = UInt64.random(in: 0 ... .max)
        let all = try events(.init(learners: 40, days: 30, seed: seed, together: together))
        let start = Date(timeIntervalSince1970: 20_458 * 86_400)
        var latest = start
        for event in all {
            for name in ["id", "source", "type", "subject", "time", "specversion"] {
                #expect((event[name] as? String)?.isEmpty == false, "\(name), seed \(seed)")
            }
            let time = try instant(event)
            let hasZone = event["timezone"] is String
            #expect((event["time"] as? String)?.hasSuffix("Z") == hasZone, "seed \(seed)")
            #expect(time >= latest && time < start.addingTimeInterval(30 * 86_400), "seed \(seed)")
            latest = time
        }
        #expect(Set(all.map(identity)).count == all.count, "seed \(seed)")
        #expect(Set(all.compactMap { $0["subject"] as? String }).count == 40, "seed \(seed)")
    }

    @Test func idsCountUpPerDevice() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var last: [String: Int] = [:]
        for event in try events(.init(learners: 30, days: 20, seed: seed, together: true)) {
            let source = try #require(event["source"] as? String)
            last[source, default: 0] += 1
            #expect(event["id"] as? String == "e\(last[source] ?? 0)", "seed \(seed)")
        }
    }

    @Test func partnersShareTheirSession() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var roles: [String: [String]] = [:]
        // The end of a simulation may cut off one of the two.
        var cut: Set<String> = []
        let lastMinute = Date(timeIntervalSince1970: (20_458 + 20) * 86_400 - 60)
        let all = try events(.init(learners: 300, days: 20, seed: seed))
        for event in all where event["type"] as? String == "session.started" {
            let data = try #require(event["data"] as? [String: Any])
            let mode = try #require(data["mode"] as? String)
            guard mode != "solo", let session = event["session"] as? String else { continue }
            roles[session, default: []].append(mode)
            if try instant(event) > lastMinute { cut.insert(session) }
        }
        #expect(!roles.isEmpty, "seed \(seed)")
        #expect(roles.allSatisfy { cut.contains($0) || $1.sorted() == ["client", "host"] }, "seed \(seed)")
    }

    @Test func uuidsAreVersion4AndDistinct() throws {
        let seed = UInt64.random(in: 0 ... .max)
        let all = try events(.init(learners: 20, days: 10, seed: seed, uuid: true, together: true))
        let ids = all.compactMap { ($0["id"] as? String).flatMap(UUID.init(uuidString:)) }
        #expect(Set(ids).count == all.count, "seed \(seed)")
        #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 2 }, "seed \(seed)")
    }

    @Test func withVisitsNobodyMissesADay() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var visits: [String: [Int]] = [:]
        let options = Simulation.Options(learners: 4, days: 12, seed: seed, visits: 6)
        for event in try events(options) where event["type"] as? String == "session.started" {
            let subject = try #require(event["subject"] as? String)
            // The time of a visit in UTC depends on the zone, so only the mean is fixed.
            let day = Int(try instant(event).timeIntervalSince1970) / 86_400 - 20_458
            visits[subject, default: Array(repeating: 0, count: 12)][day] += 1
        }
        #expect(visits.count == 4, "seed \(seed)")
        #expect(visits.values.allSatisfy { days in days.dropFirst().dropLast().allSatisfy { $0 >= 3 } }, "seed \(seed)")
        let perDay = visits.values.map { Double($0.reduce(0, +)) / 12 }
        #expect(perDay.allSatisfy { (5.0...6.5).contains($0) }, "seed \(seed): \(perDay)")
    }

    @Test(arguments: [(0, 10), (10, 0), (-1, -1)])
    func nothingComesOfNothing(learners: Int, days: Int) {
        #expect(stream(Simulation.Options(learners: learners, days: days, seed: 1)).count == 0)
    }

    @Test func errorOfTheConsumerStopsTheRun() {
        struct Full: Error {}
        var chunks = 0
        #expect(throws: Full.self) {
            try Simulation(.init(learners: 200, days: 30, seed: 1)).run { _ in
                chunks += 1
                throw Full()
            }
        }
        #expect(chunks == 1)
    }

    @Test func chunksEndAtLineEnds() {
        Simulation(.init(learners: 100, days: 30, seed: 1)).run { chunk in
            #expect(chunk.last == UInt8(ascii: "\n"))
        }
    }
}

@Suite struct DisorderTests {
    @Test func keepsTheSetOfEvents() {
        let seed = UInt64.random(in: 0 ... .max)
        let ordered = lines(.init(learners: 60, days: 30, seed: seed, together: true))
        let disordered = lines(.init(learners: 60, days: 30, seed: seed, disorder: true, together: true))
        #expect(Set(ordered) == Set(disordered), "seed \(seed)")
        let repeated = disordered.count - ordered.count
        #expect((ordered.count / 200...ordered.count / 50).contains(repeated), "seed \(seed)")
    }

    @Test func deliversSomeEventsDaysLate() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var latest = Date.distantPast
        var late = 0
        for event in try events(.init(learners: 100, days: 40, seed: seed, disorder: true)) {
            let time = try instant(event)
            if time < latest.addingTimeInterval(-86_400) { late += 1 }
            latest = max(latest, time)
        }
        #expect(late > 20, "seed \(seed)")
    }
}

@Suite struct CalendarDayTests {
    @Test(arguments: [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-01-05", 20_458), ("9999-12-31", 2_932_896)])
    func readsDays(text: String, days: Int) {
        #expect(CalendarDay(text)?.daysSince1970 == days)
    }

    @Test(arguments: [
        "", "2026-1-05", "2026-02-29", "2026-13-01", "1969-12-31", "2026-01-05T", "２026-01-05", "2026-00-10",
    ])
    func refusesOtherTexts(text: String) {
        #expect(CalendarDay(text) == nil)
    }
}
