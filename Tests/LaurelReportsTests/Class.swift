import Foundation
import Laurel
import LaurelEvents
import LaurelSimulation

@testable import LaurelReports

/// Learners to report on.
enum Class {
    /// A simulated class, as phones deliver: late, repeated and shuffled.
    static func simulated(learners: Int, days: Int, seed: UInt64) throws -> ProgressEngine {
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
        return try ProgressEngine.inMemory(events: lines, rules: nil)
    }

    /// Events of which only what matters is written.
    static func told(_ events: [Event]) throws -> ProgressEngine {
        let lines = events.enumerated().map { $1.line(id: $0) }.joined(separator: "\n")
        return try ProgressEngine.inMemory(events: Array(lines.utf8), rules: nil)
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
    /// - Parameter week: Its name.
    init(
        _ name: String,
        _ engine: ProgressEngine,
        week: String,
        at: String = "2027-06-01T00:00:00Z",
        language: String? = nil,
        cohort: String? = nil
    ) throws {
        let definition = try ReportLibrary(folder: nil).report(name, files: [])
        self.init(definition, engine, try ReportRequest(week: week, at: at, language: language, cohort: cohort))
    }
}

extension ReportRequest {
    init(week: String, at: String, language: String? = nil, cohort: String? = nil) throws {
        self.init(
            week: CivilDay(startOfISOWeek: week.utf8)!,
            at: try Timestamp(at),
            language: language,
            cohort: cohort,
            locale: LocaleChoice.defaultIdentifier
        )
    }
}

extension Document {
    /// The first exhibit of a title, or the headlines.
    func exhibit(_ title: String?) -> Exhibit? {
        sections.flatMap(\.exhibits).first { $0.title == title && (title != nil || $0.show == .headline) }
    }

    /// A value of the headlines.
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
