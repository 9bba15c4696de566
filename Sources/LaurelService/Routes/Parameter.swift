// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire

/// A query parameter of a route.
struct Parameter: Sendable {
    enum Kind: Sendable {
        case text
        /// A flag: `?all`, `?all=true` or `?all=false`.
        case flag
        case number(ClosedRange<Int>)
        /// A time, RFC 3339.
        case time
        /// A day: `2026-02-05`.
        case day
        case choice([String])
        /// A text that may be repeated.
        case list
    }

    let name: String
    let kind: Kind
    let summary: String
    var isRequired = false

    init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
        (self.name, self.kind, self.summary, self.isRequired) = (name, kind, summary, isRequired)
    }

    static let at = Parameter("at", .time, "The instant to read as of; now by default.")
    static let language = Parameter("language", .text, "Only this language, such as es.")
    static let locale = Parameter("locale", .text, "The reader's language, such as de_DE; English by default.")
    static let limit = Parameter("limit", .number(0...1_000_000), "The most elements of the answer.")
    static let cohort = Parameter("cohort", .text, "Only learners of this cohort.")
    /// The token as a query parameter, because a browser's `EventSource` cannot set headers.
    static let accessToken = Parameter("access_token", .text, "A token, for clients that cannot set headers.")
}

/// A request's query, checked against the route's parameters.
struct Query: Sendable {
    private let values: [String: [String]]
    private let parameters: [Parameter]

    init(_ text: String?, _ parameters: [Parameter]) throws(Problem) {
        self.parameters = parameters
        var values: [String: [String]] = [:]
        for part in (text ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(pair[0], plusIsSpace: true),
                let value = PercentCoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { throw .badRequest("the query has a percent sign without two digits, or is no UTF-8") }
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                let nearest = nearestName(to: name, among: parameters.map(\.name))
                throw Problem(
                    400,
                    "unknown-parameter",
                    "there is no parameter “\(name.prefix(64))” here\(didYouMean(nearest))"
                )
            }
            values[name, default: []].append(value)
            if values[name]!.count > 1 {
                guard case .list = parameter.kind else { throw .badRequest("the parameter \(name) is given twice") }
            }
        }
        self.values = values
        for parameter in parameters { try check(parameter) }
    }

    private func check(_ parameter: Parameter) throws(Problem) {
        guard let text = values[parameter.name]?.first else {
            if parameter.isRequired { throw .badRequest("the parameter \(parameter.name) is missing") }
            return
        }
        func fail(_ what: String) -> Problem { .badRequest("\(parameter.name) must be \(what)") }
        switch parameter.kind {
        case .text: if text.isEmpty { throw fail("something") }
        case .list: break
        case .flag: if !["", "true", "false"].contains(text) { throw fail("true or false") }
        case .number(let range):
            guard let number = Int(text), range.contains(number) else {
                throw fail("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
        case .time: if (try? Timestamp(text)) == nil { throw fail("an RFC 3339 time, such as 2026-02-05T18:00:00Z") }
        case .day: if LocalDay(parsing: text.utf8) == nil { throw fail("a date, such as 2026-02-05") }
        case .choice(let names): if !names.contains(text) { throw fail("one of \(names.joined(separator: ", "))") }
        }
    }

    func text(_ parameter: Parameter) -> String? { values[parameter.name]?.first }
    func list(_ parameter: Parameter) -> [String] { values[parameter.name] ?? [] }
    func has(_ parameter: Parameter) -> Bool { values[parameter.name] != nil }
    func flag(_ parameter: Parameter) -> Bool { ["", "true"].contains(values[parameter.name]?.first) }
    func number(_ parameter: Parameter) -> Int? { text(parameter).flatMap { Int($0) } }
    func day(_ parameter: Parameter) -> LocalDay? { text(parameter).flatMap { LocalDay(parsing: $0.utf8) } }
    func time(_ parameter: Parameter) -> Timestamp? { text(parameter).flatMap { try? Timestamp($0) } }
}
