// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelSimulation
import Testing

@testable import LaurelReports

/// Learners for reports.
enum Class {
    /// True to run without time limits, for `make report-matrix`.
    static let isWhole = ProcessInfo.processInfo.environment["LAUREL_REPORTS"] == "whole"

    /// The built-in reports, read once.
    static let reports = Result {
        try Dictionary(uniqueKeysWithValues: ReportLibrary().all().map { ($0.name, $0) })
    }

    /// A simulated class, with events as phones deliver them: late, repeated and shuffled.
    static func simulated(
        learners: Int,
        days: Int,
        seed: UInt64,
        rules: String? = nil
    ) throws -> ProgressEngine {
        let lines = lines(learners: learners, days: days, seed: seed)
        return try engine(lines, rules: rules)
    }

    static func engine(_ lines: [UInt8], rules: String?) throws -> ProgressEngine {
        let engine = try ProgressEngine.inMemory(rules: try rules.map { try Rules(yaml: $0) })
        // A time after all events. Refused lines are left out.
        try engine.ingest(cloudEvents: Data(lines), now: Date(timeIntervalSince1970: 8e9))
        return engine
    }

    /// The events of a simulated class.
    static func lines(learners: Int, days: Int, seed: UInt64) -> [UInt8] {
        let options = Simulation.Options(
            learners: learners,
            days: days,
            seed: seed,
            start: Simulation.Options.defaultStart,
            disorder: true,
            uuid: false
        )
        var lines: [UInt8] = []
        _ = Simulation(options).run { lines += $0 }
        return lines
    }

    /// A report with one exhibit about no learner.
    static func markdown(_ exhibit: String) throws -> String {
        let lines = exhibit.split(separator: "\n").map { "          \($0)" }
        let head = "version: 1\ntitle: T\ncohort:\n  sections:\n    - exhibits:\n        -\n"
        let definition = try ReportLoader.load(Array((head + lines.joined(separator: "\n")).utf8), file: "exhibit.yaml")
        let request = try ReportRequest(week: "2026-W06", at: "2026-06-01T00:00:00Z")
        return ReportFormat.markdown.write(try ReportMaker(definition, engine([]), request).cohort(), locale: "en_GB")
            ?? ""
    }

    /// An engine with events that are given in short form.
    static func engine(_ events: [Event], rules: String? = nil) throws -> ProgressEngine {
        let lines = events.enumerated().map { $1.line(id: $0) }.joined(separator: "\n")
        return try engine(Array(lines.utf8), rules: rules)
    }

    struct Event {
        var subject = "ana"
        var type = "session.ended"
        var time: String
        var language: String? = "es"
        var data: [String: JSONValue] = [:]

        func line(id: Int) -> String {
            var event: [String: JSONValue] = [
                "id": .string("\(id)"), "source": "test", "subject": .string(subject), "type": .string(type),
                "time": .string(time), "data": .object(data),
            ]
            if let language { event["language"] = .string(language) }
            return JSONValue.object(event).json
        }
    }
}

extension ReportMaker {
    /// - Parameter week: the name of its week.
    init(
        _ name: String,
        _ engine: ProgressEngine,
        week: String,
        at: String = "2027-06-01T00:00:00Z",
        language: String? = nil,
        cohort: String? = nil
    ) throws {
        let definition = try #require(Class.reports.get()[name])
        self.init(definition, engine, try ReportRequest(week: week, at: at, language: language, cohort: cohort))
    }
}

extension ReportRequest {
    init(week: String, at: String, language: String? = nil, cohort: String? = nil) throws {
        self.init(
            week: LocalDay(startOfISOWeek: week.utf8)!,
            at: try Timestamp(at),
            language: language,
            cohort: cohort,
            locale: ReportLocale.usual
        )
    }
}

extension Document {
    /// The first exhibit with a title, or the headlines.
    func exhibit(_ title: String?) -> Exhibit? {
        sections.flatMap(\.exhibits).first { $0.title == title && (title != nil || $0.show == .headline) }
    }

    /// A value in the headlines.
    func headline(_ column: String) -> Double? {
        guard let table = exhibit(nil)?.table, let index = table.index(of: column) else { return nil }
        return table.rows.first?[index].number
    }
}

extension Exhibit {
    func sum(_ column: String) -> Double {
        guard let index = table.index(of: column) else { return .nan }
        return table.rows.reduce(0) { $0 + ($1[index].number ?? 0) }
    }
}
