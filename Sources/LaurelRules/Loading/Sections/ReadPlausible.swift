// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    mutating func readPlausible(_ node: YAMLNode?) -> [PlausibleLimit] {
        var limits: [PlausibleLimit] = []
        for entry in mapping(node, "`plausible`") ?? [] {
            guard isKnown(type: entry.key, at: entry.keyOffset), let limit = requiredSection(entry.value, .limit)
            else { continue }
            let atMost = required(limit, "at_most").flatMap {
                integer($0, "`at_most`", in: 0...PlausibleLimit.largest)
            }
            let names = PlausibleLimit.Span.allCases.map(\.rawValue)
            let span = required(limit, "per").flatMap { choice($0, "`per`", of: names) }
            note(.limit(limits.count), "the limit of `\(entry.key)`", entry.keyOffset)
            guard let atMost, let span else { continue }
            limits.append(PlausibleLimit(type: entry.key, atMost: atMost, span: .allCases[span]))
        }
        return limits
    }
}
