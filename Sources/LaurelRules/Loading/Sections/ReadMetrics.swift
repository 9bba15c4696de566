// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    /// The metrics' names and nodes. They are checked before any expression is read, because the layout also depends on
    /// metrics that come later in the file.
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
        if aggregate.namesTypes { refuse(section, "on", "`\(aggregate.name)` itself names the event types") }
        if aggregate != .run { refuse(section, "while", "only `run` has it") }
        if !aggregate.allowsKeys {
            let others = Aggregate.all.filter(\.allowsKeys).map { "`\($0.name)`" }.joined(separator: " and ")
            refuse(section, "by", "only \(others) have it")
        }
        // If the types are wrong, the expressions are checked as if for all types.
        let types = eventTypes(section, aggregate.namesTypes ? aggregate.name : "on")
        let scope = NameScope(.metric(index), eventTypes: types?.names)
        let value = aggregate.operand.flatMap { operand in
            operand.key == aggregate.name
                ? expression(section, operand.key, expecting: operand.type, in: scope)
                : requiredExpression(section, operand.key, expecting: operand.type, in: scope)
        }
        let filter = expression(section, "where", expecting: .boolean, in: scope)
        let groups = expression(section, "by", expecting: nil, in: scope)
        guard let types else { return nil }
        return Metric(name: name, aggregate: aggregate, types: types, expression: value, filter: filter, key: groups)
    }

    private mutating func aggregate(of name: String, _ section: Section) -> Aggregate? {
        let aggregates = Aggregate.all.filter { section.has($0.name) }
        if aggregates.count == 1 { return aggregates[0] }
        if Aggregate.all.contains(where: { section.isSetAside($0.name) }) { return nil }
        if aggregates.isEmpty {
            let known = Aggregate.all.map { "`\($0.name)`" }.joined(separator: ", ")
            report(section.offset, "the metric `\(name)` needs one of \(known)")
        } else {
            let both = aggregates.map { "`\($0.name)`" }.joined(separator: " and ")
            report(section.offset, "the metric `\(name)` has \(both): make two metrics of them")
        }
        return nil
    }

    private mutating func refuse(_ section: Section, _ key: String, _ reason: String) {
        if section.has(key) { report(section.keyOffset(key), "`\(key)` cannot stand here: \(reason)") }
    }
}
