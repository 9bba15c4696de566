// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    static let largestBalance = 1 << 53

    /// The currencies' names and nodes. They are checked before any expression is read, because expressions contain the
    /// names of balances.
    mutating func currencyEntries(_ node: YAMLNode?) -> [YAMLEntry] {
        let entries = mapping(node, "`currencies`") ?? []
        for entry in entries {
            if entry.key == "freezes" {
                report(entry.keyOffset, "no currency may be named `freezes`: the streak has those")
            } else {
                checkName(entry, "a currency's name")
            }
        }
        return entries
    }

    /// Reports a key that cannot be a name in expressions.
    mutating func checkName(_ entry: YAMLEntry, _ what: String) {
        guard !isFieldName(entry.key) || entry.key.utf8.count > 64 else { return }
        report(entry.keyOffset, "`\(entry.key)` cannot be \(what): use letters, digits and _, no digit first")
    }

    /// Reads the currencies. Their awards are appended to the XP rules.
    mutating func readCurrencies(_ entries: [YAMLEntry], into parts: inout RuleSet) {
        for (index, entry) in entries.enumerated() {
            let section = self.section(entry.value, .currency)
            let most = Self.largestBalance
            let start = section?["start"].flatMap { integer($0, "`start`", in: 0...most) } ?? 0
            let hold = section?["hold"].flatMap { integer($0, "`hold`", in: 1...most) }
            let refill = section.flatMap { readRefill($0, entry.key, index) }
            if let section, let hold, refill != nil, start > hold {
                let message = "the balance starts at \(start), above `hold`, which is \(hold)"
                report(section.keyOffset("start"), message, .warning)
            }
            parts.currencies.append(
                CurrencyRule(name: entry.key, start: Double(start), hold: hold.map(Double.init), refill: refill)
            )
            guard let section else { continue }
            let currency = (entry.key, index)
            readAwards(section["awards"], "`awards`", .award, of: currency, into: &parts.xpRules)
        }
    }

    private mutating func readRefill(_ section: Section, _ name: String, _ index: Int) -> CurrencyRule.Refill? {
        guard let refill = self.section(section["refill"], .refill) else { return nil }
        if !section.has("hold"), !section.isSetAside("hold") {
            report(section.keyOffset("refill"), "`refill` needs `hold`, the balance at which it ends")
        }
        let every = required(refill, "every").flatMap { period($0, "`every`") }
        let amount = required(refill, "by").flatMap { integer($0, "`by`", in: 1...Self.largestBalance) }
        note(.refill(index), "`refill` of the currency `\(name)`", section.keyOffset("refill"))
        guard let every, let amount else { return nil }
        return CurrencyRule.Refill(every: every, amount: Double(amount))
    }

    /// Reads a duration of whole seconds, minutes, hours or days.
    mutating func period(_ node: YAMLNode, _ what: String) -> Int64? {
        guard node.scalar?.text.hasSuffix("ms") == true else { return duration(node, what) }
        report(node.offset, "\(what) must be a time like 10s, 5m, 1h or 1d")
        return nil
    }
}
