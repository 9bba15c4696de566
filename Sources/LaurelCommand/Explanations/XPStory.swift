// SPDX-License-Identifier: Apache-2.0

import Laurel

/// Where XP comes from, for people.
struct XPStory {
    let explanation: XPExplanation
    let rules: Rules
    let style: Style
    /// Lists at most this many events, the latest; the sums include all.
    let limit: Int?

    private static let amountWidth = 9

    func write(to output: OutputStream) throws(SystemError) {
        let listed = explanation.events.suffix(limit ?? .max)
        if listed.count < explanation.events.count {
            let left = Numbers.count(explanation.events.count - listed.count, "earlier event")
            try output.writeLine(style.paint("  … \(left) not listed", .dim))
        }
        var day: LocalDay?
        for event in listed {
            if event.event.day != day {
                day = event.event.day
                try output.writeLine()
                try output.writeLine(style.paint(ExplanationText.day(event.event.day), .bold))
            }
            for line in lines(event) { try output.writeLine(line) }
        }
        try output.writeLine()
        for line in sums { try output.writeLine(line) }
    }

    private func lines(_ event: XPExplanation.Event) -> [String] {
        let session = event.event.session.map { ", session \(Visible.text($0))" } ?? ""
        let place = event.event.language.map { ", \(Visible.text($0))" } ?? ""
        let name = "\(ExplanationText.name(event.event))\(place)\(session)"
        let heading = "  \(style.paint(ExplanationText.time(event.event), .dim))  \(name)"
        if let void = event.event.void { return ["\(heading)  \(style.paint(ExplanationText.void(void), .red))"] }
        return [heading] + event.entries.map(line)
    }

    private func line(_ entry: XPExplanation.Entry) -> String {
        let amount = aligned(ExplanationText.signed(entry.amount))
        let colour: Style.Colour = entry.amount > 0 ? .green : entry.amount < 0 ? .red : .dim
        let text = "\(title(entry))  \(reason(entry))"
        return "\(style.paint(amount, colour))  \(entry.amount == 0 ? style.paint(text, .dim) : text)"
    }

    private func aligned(_ text: String) -> String {
        String(repeating: " ", count: max(0, Self.amountWidth - text.count)) + text
    }

    /// The rule or achievement, and its bucket where that is called otherwise.
    private func title(_ entry: XPExplanation.Entry) -> String {
        let name =
            switch entry.cause {
            case .award(let id, _, _, _), .withheld(let id, _, _), .outOfPeriod(let id, _, _): id
            case .adjustment, .declaration: "adjustment"
            case .reward(let id, _, _), .rewardTakenBack(let id, _, _): id
            }
        return Visible.text(name == entry.bucket ? name : "\(name) (\(entry.bucket))")
    }

    private func reason(_ entry: XPExplanation.Entry) -> String {
        switch entry.cause {
        case .award(_, let award, let whole, let cap):
            return ExplanationText.chain(award) + rounding(award, whole) + capping(whole, entry.amount, cap)
        case .withheld(_, let when, let award):
            return "withheld by \(ExplanationText.condition(when)); it would be \(ExplanationText.chain(award))"
        case .outOfPeriod(_, let obstacle, let award):
            return "\(obstacle ?? ""); it would be \(ExplanationText.chain(award))"
        case .adjustment(let reason): return Visible.text(reason ?? "")
        case .declaration(let total): return declaration(total, entry.amount)
        case .reward(let id, let tiers, let language):
            return "unlocked \(name(id))\(tier(id, tiers))\(suffix(language))"
        case .rewardTakenBack(let id, _, let language): return "reward of \(name(id)) taken back\(suffix(language))"
        }
    }

    private func declaration(_ total: Int, _ amount: Int) -> String {
        let declared = "\(Numbers.grouped(total)) XP declared"
        return amount > 0
            ? "\(declared), of which \(Numbers.grouped(amount)) lacked" : "\(declared), there were as many"
    }

    private func rounding(_ award: ExplainedExpression, _ whole: Int) -> String {
        guard let value = award.value.number else { return ", so 0" }
        if value == Double(whole) { return "" }
        return value < 0 ? ", not below 0" : ", floor \(Numbers.grouped(whole))"
    }

    private func capping(_ whole: Int, _ amount: Int, _ cap: Int?) -> String {
        guard let cap, amount < whole else { return "" }
        let (left, lost) = (Numbers.grouped(amount), Numbers.grouped(whole - amount))
        return ", the daily cap of \(Numbers.grouped(cap)) leaves \(left) and withholds \(lost)"
    }

    private func name(_ id: String) -> String {
        Visible.text(rules.achievement(id)?.name ?? id)
    }

    private func tier(_ id: String, _ tiers: ClosedRange<Int>) -> String {
        let count = rules.achievement(id)?.tiers ?? 1
        return count > 1 ? ", \(ExplanationText.tiers(tiers)) of \(count)" : ""
    }

    private func suffix(_ language: String?) -> String { language.map { " in \(Visible.text($0))" } ?? "" }

    private var sums: [String] {
        guard !explanation.events.isEmpty else { return ["  no XP, and no event that an XP rule applies to"] }
        let rows = explanation.xpBreakdown.map {
            aligned(Numbers.grouped($0.value, places: 2)) + "  " + Visible.text($0.name)
        }
        let total = aligned(Numbers.grouped(explanation.totalXP)) + "  total"
        return [style.paint("Sums", .bold)] + rows + [style.paint(total, .bold)]
    }
}
