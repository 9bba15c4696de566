// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    mutating func readTests(_ node: YAMLNode?) -> [RuleTest] {
        var tests: [RuleTest] = []
        for item in list(node, "`tests`") {
            guard let section = requiredSection(item, .test) else { continue }
            let name = required(section, "name").flatMap { nonEmptyText($0, "`name`") } ?? ""
            let learner = readTestLearner(section)
            var events: [RuleTest.Event] = []
            var count = 0
            for node in list(section["events"], "`events`") {
                guard let event = readEvent(node, of: learner, number: count + 1) else { continue }
                events.append(event)
                count += event.times
            }
            var expectations: [RuleTest.Expectation] = []
            if let expect = required(section, "expect") {
                readExpectations(expect, "", &expectations)
            }
            let range = range(at: section["name"]?.offset ?? section.offset)
            tests.append(
                RuleTest(
                    name: name,
                    events: events,
                    expectations: expectations,
                    at: section["at"].flatMap { instant($0, "`at`") },
                    language: section["language"].flatMap { nonEmptyText($0, "`language`") },
                    learner: learner,
                    position: source.position(of: range),
                    range: range
                )
            )
        }
        return tests
    }

    private mutating func instant(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = nonEmptyText(node, what) else { return nil }
        if (try? Timestamp(text)) == nil { report(node.offset, "\(what) must be an RFC 3339 time, not `\(text)`") }
        return text
    }

    /// Reads expected values, and flattens nested mappings to dotted paths.
    private mutating func readExpectations(
        _ node: YAMLNode,
        _ prefix: String,
        _ expectations: inout [RuleTest.Expectation]
    ) {
        guard let entries = mapping(node, "`expect`") else { return }
        for entry in entries {
            let path = prefix + entry.key
            switch entry.value.content {
            case .mapping: readExpectations(entry.value, path + ".", &expectations)
            case .sequence: report(entry.value.offset, "a test can expect single values only, not a list")
            case .scalar(let scalar):
                let range = entry.keyOffset..<max(entry.keyOffset, range(at: entry.value.offset).upperBound)
                expectations.append(
                    RuleTest.Expectation(
                        path: path,
                        value: ExpressionValue(scalar),
                        position: source.position(of: range)
                    )
                )
            }
        }
    }
}

extension ExpressionValue {
    /// Converts a scalar. A quoted scalar is text. Any other scalar is read by the rules of YAML 1.2.
    fileprivate init(_ scalar: YAMLScalar) {
        guard scalar.style == .plain else {
            self = .text(scalar.text)
            return
        }
        switch PlainScalar(scalar.text) {
        case .null: self = .null
        case .boolean(let boolean): self = .boolean(boolean)
        case .number(let number): self = .number(number)
        case .text: self = .text(scalar.text)
        }
    }
}
