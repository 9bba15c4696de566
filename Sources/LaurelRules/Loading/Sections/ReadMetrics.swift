// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    /// The metrics' names and nodes, checked before any expression is read: later ones decide the layout, too.
    mutating func metricEntries(_ node: YAMLNode?) -> [YAMLEntry] {
        let entries = mapping(node, "`metrics`") ?? []
        for entry in entries {
            if entry.key == "xp" {
                report(entry.keyOffset, "no metric may be named `xp`: `total.xp` and its windows are XP itself")
            } else if !isMetricName(entry.key) {
                let form = "lower-case letters, digits and _, no digit first"
                report(entry.keyOffset, "`\(entry.key)` cannot be a metric's name: \(form)")
            }
        }
        return entries
    }

    private func isMetricName(_ name: String) -> Bool {
        for (index, byte) in name.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: continue
            default: return false
            }
        }
        return !name.isEmpty && name.utf8.count <= 64
    }

    mutating func readMetrics(_ entries: [YAMLEntry]) -> [Metric] {
        var metrics: [Metric] = []
        for (index, entry) in entries.enumerated() {
            guard !entry.value.isNull else {
                report(entry.keyOffset, "the metric `\(entry.key)` needs an aggregate, like `count: line.spoken`")
                continue
            }
            guard let section = section(entry.value, .metric) else { continue }
            note(.metric(index), "the metric `\(entry.key)`", entry.keyOffset)
            if section.has("where") {
                note(.metricFilter(index), "`where` of the metric `\(entry.key)`", section.keyOffset("where"))
            }
            guard let metric = readMetric(entry.key, index, section) else { continue }
            metrics.append(metric)
            checked.metrics.append(section.offset)
        }
        return metrics
    }

    private mutating func readMetric(_ name: String, _ index: Int, _ section: Section) -> Metric? {
        guard let aggregate = aggregate(of: name, section) else { return nil }
        let namesTypes = aggregate == .count || aggregate == .run
        let key = aggregate.rawValue
        if namesTypes { refuse(section, "on", "`\(key)` itself names the event types") }
        if aggregate != .run { refuse(section, "while", "only `run` has it") }
        if aggregate != .count && aggregate != .sum { refuse(section, "by", "only `count` and `sum` have it") }
        // Where the types are wrong, the expressions are checked against all types.
        let types = eventTypes(section, namesTypes ? key : "on")
        let scope = NameScope(.metric(index), eventTypes: types)
        var value: Program?
        switch aggregate {
        case .count: break
        case .run: value = requiredExpression(section, "while", expecting: .boolean, in: scope)
        case .distinct: value = expression(section, key, expecting: nil, in: scope)
        case .sum, .max, .last: value = expression(section, key, expecting: .number, in: scope)
        }
        let filter = expression(section, "where", expecting: .boolean, in: scope)
        let groups = expression(section, "by", expecting: nil, in: scope)
        guard let types else { return nil }
        return Metric(name: name, aggregate: aggregate, types: types, expression: value, filter: filter, key: groups)
    }

    private mutating func aggregate(of name: String, _ section: Section) -> Metric.Aggregate? {
        let aggregates = Metric.Aggregate.allCases.filter { section.has($0.rawValue) }
        if aggregates.count == 1 { return aggregates[0] }
        if Metric.Aggregate.allCases.contains(where: { section.isSetAside($0.rawValue) }) { return nil }
        if aggregates.isEmpty {
            let known = Metric.Aggregate.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            report(section.offset, "the metric `\(name)` needs one of \(known)")
        } else {
            let both = aggregates.map { "`\($0.rawValue)`" }.joined(separator: " and ")
            report(section.offset, "the metric `\(name)` has \(both): make two metrics of them")
        }
        return nil
    }

    private mutating func refuse(_ section: Section, _ key: String, _ reason: String) {
        if section.has(key) { report(section.keyOffset(key), "`\(key)` cannot stand here: \(reason)") }
    }
}
