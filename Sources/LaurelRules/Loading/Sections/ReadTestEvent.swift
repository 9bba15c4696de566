// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    private static let largestRepetition = 10_000

    /// - Parameter number: the number of the entry's first event among the test's events, from 1.
    mutating func readEvent(_ node: YAMLNode, of learner: String, number: Int) -> RuleTest.Event? {
        guard let section = requiredSection(node, .event) else { return nil }
        let times = section["times"].flatMap { integer($0, "`times`", in: 1...Self.largestRepetition) }
        let step = section["every"].flatMap { duration($0, "`every`") } ?? 0
        if times == nil, section.has("every") {
            report(section.keyOffset("every"), "`every` is the time between the events of `times`: it needs that, too")
        }
        if times != nil, let id = section["id"], id.scalar?.text.contains(RuleTest.Event.counter) == false {
            report(id.offset, "with `times` an id needs `{n}` in it: no two events may have the same")
        }
        let members = eventMembers(section, of: learner)
        warnAboutType(section)
        return RuleTest.Event(
            times: times ?? 1,
            number: number,
            id: section["id"]?.scalar?.text,
            time: section["time"]?.scalar?.text ?? "",
            step: step,
            members: members,
            isRepeated: times != nil,
            position: source.position(of: range(at: section["type"]?.offset ?? section.offset))
        )
    }

    /// The event's members, except `id` and `time`, as JSON.
    private mutating func eventMembers(_ section: Section, of learner: String) -> [String] {
        let defaults = ["source": "test", "subject": learner]
        var members: [String] = []
        _ = required(section, "time").flatMap { text($0, "`time`") }
        for key in section.keys.names where !["id", "time", "data", "times", "every"].contains(key) {
            let node = key == "type" ? required(section, key) : section[key]
            guard let value = node.flatMap({ text($0, "`\(key)`") }) ?? defaults[key] else { continue }
            members.append("\"\(key)\":\(JSONValue.string(value).json)")
        }
        if let data = section["data"], let fields = mapping(data, "`data`") {
            let type = section["type"]?.scalar?.text ?? ""
            warnAboutSlips(fields, type)
            let values = fields.map { entry in
                let fieldType = names.events.field(entry.key, of: type)?.type
                return (key: Array(entry.key.utf8), value: JSONTree(entry.value, as: fieldType))
            }
            members.append("\"data\":\(JSONTree.object(values).json)")
        }
        return members
    }

    /// Reads a duration such as `10s`, `5m`, `1h` or `1d`. Returns milliseconds.
    mutating func duration(_ node: YAMLNode, _ what: String) -> Int64? {
        let units: [(name: String, milliseconds: Int64)] = [
            ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
        ]
        let text = node.scalar?.text ?? ""
        for unit in units where text.hasSuffix(unit.name) {
            guard let count = Int64(text.dropLast(unit.name.count)), (1...1_000_000).contains(count) else { continue }
            return count * unit.milliseconds
        }
        report(node.offset, "\(what) must be a time like 10s, 5m, 1h or 1d")
        return nil
    }

    /// Warns about a type or a field whose name is almost a known name. Events may have any type and field, but in a
    /// test such a name is probably a typing error.
    private mutating func warnAboutType(_ section: Section) {
        guard let node = section["type"], let type = node.scalar?.text, names.events.fieldsByType[type] == nil,
            !isFull, let nearest = nearestName(to: type, among: names.events.typeNames)
        else { return }
        let message = "unknown event type `\(type)`\(didYouMean(code: nearest))"
        report(node.offset, message, suggestion: nearest, .warning)
    }

    private mutating func warnAboutSlips(_ fields: [YAMLEntry], _ type: String) {
        guard let known = names.events.fieldsByType[type]?.map(\.name) else { return }
        for entry in fields where !known.contains(entry.key) && !isFull {
            guard let nearest = nearestName(to: entry.key, among: known) else { continue }
            let message = "`\(type)` has no field `\(entry.key)`\(didYouMean(code: nearest))"
            report(entry.keyOffset, message, suggestion: nearest, .warning)
        }
    }
}

extension RuleTest.Event {
    /// The placeholder for the number of a repeated event.
    static let counter = "{n}"

    /// The CloudEvents that the entry stands for, including defaults: `source` is `test`, `subject` is `learner`. They
    /// are built only when they are read, because most programs that load rules do not run the tests.
    package var cloudEvents: some Sequence<String> {
        (0..<times).lazy.map { index in
            let own = [
                "\"id\":\(JSONValue.string(id ?? "test-\(number + index)").json)",
                "\"time\":\(JSONValue.string(Self.time(time, after: Int64(index) * step)).json)",
            ]
            let json = "{\((own + members).joined(separator: ","))}"
            return isRepeated ? json.replacing(Self.counter, with: "\(index + 1)") : json
        }
    }

    /// A short description of the event by its main values, for messages.
    var description: String {
        "\(times) \(isRepeated) \(step) \(id ?? "-") \(time) {\(members.joined(separator: ","))}"
    }

    /// Adds milliseconds to a time. The offset stays as written. An invalid time is returned unchanged, and is later
    /// refused with the event.
    private static func time(_ text: String, after milliseconds: Int64) -> String {
        guard milliseconds > 0, var time = try? Timestamp(text) else { return text }
        time.milliseconds += milliseconds
        return Timestamp.range.contains(time.milliseconds) ? time.description : text
    }
}

extension JSONTree {
    /// Converts a node to JSON. The scalar of a text field becomes text, except null. Other scalars follow YAML 1.2,
    /// unless they are quoted. `NodeBuilder.maximumDepth` limits the recursion.
    fileprivate init(_ node: YAMLNode, as type: FieldType?) {
        switch node.content {
        case .sequence(let items):
            let itemType: FieldType? = type == .textList ? .text : nil
            self = .array(items.map { JSONTree($0, as: itemType) })
        case .mapping(let entries):
            self = .object(entries.map { (Array($0.key.utf8), JSONTree($0.value, as: nil)) })
        case .scalar(let scalar):
            self = JSONTree(scalar, as: type)
        }
    }

    private init(_ scalar: YAMLScalar, as type: FieldType?) {
        let text = JSONTree.string(Array(scalar.text.utf8))
        guard scalar.style == .plain else {
            self = text
            return
        }
        switch PlainScalar(scalar.text) {
        case .null: self = .null
        case .boolean(let boolean) where type == nil || type == .boolean: self = boolean ? .yes : .no
        case .number(let number) where type == nil || type == .number:
            self = .spelled(Array((PlainScalar.isJSONNumber(scalar.text) ? scalar.text : number.brief).utf8))
        default: self = text
        }
    }
}
