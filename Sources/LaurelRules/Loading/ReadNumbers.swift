// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    /// Reads one number or a list of ascending numbers.
    mutating func ascendingNumbers(_ node: YAMLNode, _ what: String) -> [Double]? {
        var numbers: [Double] = []
        let items = oneOrMore(node, what)
        for item in items {
            guard let number = number(item, what) else { continue }
            if let last = numbers.last, number <= last {
                report(item.offset, "\(what) must ascend: \(number.brief) is not more than \(last.brief)")
            }
            numbers.append(number)
        }
        return numbers.count == items.count && !numbers.isEmpty ? numbers : nil
    }
}
