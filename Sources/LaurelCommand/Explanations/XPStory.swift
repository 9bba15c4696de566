import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// Where XP comes from, for people.
struct XPStory {
    let explanation: XPExplanation
    let rules: RuleSet
    let style: Style
    /// Only so many events, the latest, are listed; the sums are of all.
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

    private func lines(_ event: ExplainedEvent) -> [String] {
        let session = event.event.session.map { ", session \(Visible.text($0))" } ?? ""
        let place = event.event.language.map { ", \(Visible.text($0))" } ?? ""
        let name = "\(ExplanationText.name(event.event))\(place)\(session)"
        let heading = "  \(style.paint(ExplanationText.time(event.event), .dim))  \(name)"
        if let void = event.event.void { return ["\(heading)  \(style.paint(ExplanationText.void(void), .red))"] }
        return [heading] + event.entries.map(line)
    }

    private func line(_ entry: XPEntry) -> String {
        let amount = aligned(ExplanationText.signed(entry.amount))
        let colour: Style.Colour = entry.amount > 0 ? .green : entry.amount < 0 ? .red : .dim
        let text = "\(title(entry))  \(reason(entry))"
        return "\(style.paint(amount, colour))  \(entry.amount == 0 ? style.paint(text, .dim) : text)"
    }

    private func aligned(_ text: String) -> String {
        String(repeating: " ", count: max(0, Self.amountWidth - text.count)) + text
    }

    /// The rule or achievement, and its bucket where that is called otherwise.
    private func title(_ entry: XPEntry) -> String {
        let name =
            switch entry.cause {
            case .rule(let id, _, _, _), .withheld(let id, _, _), .resting(let id, _, _): id
            case .adjustment, .declaration: "adjustment"
            case .unlocked(let id, _, _), .revoked(let id, _, _): id
            }
        return Visible.text(name == entry.bucket ? name : "\(name) (\(entry.bucket))")
    }

    private func reason(_ entry: XPEntry) -> String {
        switch entry.cause {
        case .rule(_, let award, let whole, let cap):
            return ExplanationText.chain(award) + rounding(award, whole) + capping(whole, entry.amount, cap)
        case .withheld(_, let when, let award):
            return "withheld by \(ExplanationText.condition(when)); it would be \(ExplanationText.chain(award))"
        case .resting(_, let place, let award):
            return "\(place.obstacle ?? ""); it would be \(ExplanationText.chain(award))"
        case .adjustment(let reason): return Visible.text(reason ?? "")
        case .declaration(let total): return declaration(total, entry.amount)
        case .unlocked(let id, let tiers, let language):
            return "unlocked \(name(id))\(tier(id, tiers))\(suffix(language))"
        case .revoked(let id, _, let language): return "reward of \(name(id)) taken back\(suffix(language))"
        }
    }

    private func declaration(_ total: Double, _ amount: Double) -> String {
        let declared = "\(Numbers.grouped(total)) XP declared"
        return amount > 0
            ? "\(declared), of which \(Numbers.grouped(amount)) lacked" : "\(declared), there were as many"
    }

    private func rounding(_ award: ExplainedExpression, _ whole: Double) -> String {
        guard let value = award.value.number else { return ", so 0" }
        if value == whole { return "" }
        return value < 0 ? ", not below 0" : ", floor \(Numbers.grouped(whole))"
    }

    private func capping(_ whole: Double, _ amount: Double, _ cap: Double?) -> String {
        guard let cap, amount < whole else { return "" }
        let (left, lost) = (Numbers.grouped(amount, places: 2), Numbers.grouped(whole - amount, places: 2))
        return ", the daily cap of \(Numbers.grouped(cap, places: 2)) leaves \(left) and withholds \(lost)"
    }

    private func name(_ id: String) -> String {
        Visible.text(rules.achievements.first { $0.id == id }?.name ?? id)
    }

    private func tier(_ id: String, _ tiers: ClosedRange<Int>) -> String {
        let count = rules.achievements.first { $0.id == id }?.thresholds.count ?? 1
        return count > 1 ? ", \(ExplanationText.tiers(tiers)) of \(count)" : ""
    }

    private func suffix(_ language: String?) -> String { language.map { " in \(Visible.text($0))" } ?? "" }

    private var sums: [String] {
        guard !explanation.events.isEmpty else { return ["  no XP, and no event that an XP rule applies to"] }
        let rows = explanation.buckets.map {
            aligned(Numbers.grouped($0.value, places: 2)) + "  " + Visible.text($0.name)
        }
        let total = aligned(Numbers.grouped(explanation.total, places: 2)) + "  total"
        return [style.paint("Sums", .bold)] + rows + [style.paint(total, .bold)]
    }
}

// MARK: JSON

extension JSONText {
    mutating func members(of explanation: XPExplanation, limit: Int?) {
        list("events", explanation.events.suffix(limit ?? .max)) { json, event in
            json.members(of: event.event)
            json.member("xp", Double?.some(event.xp))
            json.list("entries", event.entries) { $0.members(of: $1) }
        }
        object("xpBreakdown") { $0.members(explanation.buckets) }
        member("totalXP", Double?.some(explanation.total))
    }

    private mutating func members(of entry: XPEntry) {
        member("kind", entry.kind)
        member("bucket", entry.bucket)
        member("amount", Double?.some(entry.amount))
        switch entry.cause {
        case .rule(let id, let award, let whole, let cap):
            member("rule", id)
            expression("award", award)
            member("whole", Double?.some(whole))
            member("dailyCap", cap)
        case .withheld(let id, let when, let award):
            member("rule", id)
            expression("when", when)
            expression("award", award)
        case .resting(let id, let place, let award):
            member("rule", id)
            member("reason", place.obstacle)
            expression("award", award)
        case .adjustment(let reason): member("reason", reason)
        case .declaration(let total): member("total", Double?.some(total))
        case .unlocked(let id, let tiers, let language):
            member("achievement", id)
            member("language", language)
            member("fromTier", tiers.lowerBound)
            member("tier", tiers.upperBound)
        case .revoked(let id, let tiers, let language):
            member("achievement", id)
            member("language", language)
            member("tiers", tiers)
        }
    }
}

extension XPEntry {
    fileprivate var kind: String {
        switch cause {
        case .rule: "award"
        case .withheld: "withheld"
        case .resting: "outOfPeriod"
        case .adjustment: "adjustment"
        case .declaration: "declaration"
        case .unlocked: "reward"
        case .revoked: "rewardTakenBack"
        }
    }
}
