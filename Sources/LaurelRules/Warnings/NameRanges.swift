// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The possible values of the names in rules. They follow from the catalogue's constraints and from the rules.
struct NameRanges {
    let events: EventFields
    /// The possible numbers of metrics, by name. A metric that is not in the dictionary yet can have any number.
    var metrics: [String: NumberRange] = [:]
    /// The highest level; nil if levels have no end.
    var lastLevel: Int?
    var hasStreak = true
    /// The possible texts of some names: the variants of experiments, and the seasons' names.
    var texts: [String: [String]] = [:]

    /// The event types that have the field `word`.
    static let wordTypes = Set(Catalogue.types.filter { $0.field(named: "word") != nil }.map(\.name))

    func range(of name: String, in scope: NameScope, isFirstAward: Bool) -> ValueRange {
        if let field = learnerField(name) { return range(of: field, in: AdministeredEvents.profileType).orNull() }
        if name.hasPrefix("event.") { return field(String(name.dropFirst("event.".count)), scope) }
        if name.hasPrefix("league.") {
            let rank = ValueRange.number(NumberRange(low: 1, isWhole: true), orNull: true)
            return texts[name].map { ValueRange(content: .texts($0), mayBeNull: false) } ?? rank
        }
        if let texts = texts[name] { return ValueRange(content: .texts(texts), mayBeNull: true) }
        if name == FrameLayout.TextName.localDate.name { return .any(.text).with(mayBeNull: false) }
        if FrameLayout.TextName.allCases.contains(where: { $0.name == name }) {
            return isAboutWords(scope) ? .any(.text) : .null
        }
        if let event = FrameLayout.EventName.allCases.first(where: { $0.name.text == name }) {
            return range(of: event, in: scope, isFirstAward: isFirstAward)
        }
        if let range = trackRange(of: name) { return range }
        let metric = name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? name
        if metric == "xp" { return .number(NumberRange(isWhole: true)) }
        return .number(metrics[metric] ?? .any)
    }

    /// The possible values of a track's number outside the windows; nil for other names.
    private func trackRange(of name: String) -> ValueRange? {
        switch FrameLayout.TrackName(name) {
        case .streakCurrent, .streakLongest: .number(hasStreak ? .counts : .one(0))
        case .level: .number(NumberRange(low: 1, high: lastLevel.map(Double.init) ?? .infinity, isWhole: true))
        case .daysSinceActive: hasStreak ? .number(NumberRange(low: 1, isWhole: true), orNull: true) : .null
        case .wordsKnown, .wordsLearned, .wordsMastered: .number(.counts)
        case let other where other.text.hasPrefix(FrameLayout.TrackName.balancePrefix):
            .number(NumberRange(isWhole: true))
        case let other where other.text.hasPrefix(FrameLayout.TrackName.goalPrefix): .number(.counts)
        default: nil
        }
    }

    private func range(
        of name: FrameLayout.EventName,
        in scope: NameScope,
        isFirstAward: Bool
    ) -> ValueRange {
        switch name {
        case .earned: return .number(isFirstAward ? .one(0) : .counts)
        case .n: return .number(NumberRange(low: 1, isWhole: true))
        case .localHour: return .number(NumberRange(low: 0, high: 23, isWhole: true))
        case .localMinute: return .number(NumberRange(low: 0, high: 59, isWhole: true))
        case .localWeekday: return .number(NumberRange(low: 1, high: 7, isWhole: true))
        case .localDay: return .number(NumberRange(isWhole: true))
        default: break
        }
        guard isAboutWords(scope) else { return .null }
        switch name {
        case .wordMastery, .wordMasteryBefore:
            return .number(NumberRange(low: 0, high: 5, isWhole: true), orNull: true)
        case .wordIntervalDays: return .number(NumberRange(low: 0, high: 36_500, isWhole: true), orNull: true)
        case .wordReviews: return .number(.counts, orNull: true)
        default: return .condition
        }
    }

    /// The field in a name of the form `learner.FIELD`; nil for other names.
    private func learnerField(_ name: String) -> EventFields.Field? {
        let parts = name.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, parts[0] == "learner" else { return nil }
        return events.field(String(parts[1]), of: AdministeredEvents.profileType)
    }

    private func isAboutWords(_ scope: NameScope) -> Bool {
        scope.eventTypes.map { !Self.wordTypes.isDisjoint(with: $0) } ?? true
    }

    private func field(_ name: String, _ scope: NameScope) -> ValueRange {
        if let attribute = FrameLayout.TextName.allCases.first(where: { $0.name == "event.\(name)" }) {
            guard attribute == .type else { return .any(.text) }
            return ValueRange(content: .texts(scope.eventTypes), mayBeNull: false)
        }
        let known = Dictionary(events.occurrences(of: name, in: scope.eventTypes).map { ($0.type, $0.field) }) { $1 }
        var result: ValueRange?
        for type in scope.eventTypes ?? events.typeNames {
            let range = known[type].map { self.range(of: $0, in: type) } ?? .null
            result = result?.hull(range) ?? range
        }
        // If `on` is missing, the events may be of any type, including unknown types, which lack the field.
        return (result ?? .null).orNull(scope.eventTypes == nil)
    }

    private func range(of field: EventFields.Field, in type: String) -> ValueRange {
        guard let valueType = field.type.valueType else { return .null }
        guard let known = Catalogue.type(named: type)?.field(named: field.name) else { return .any(valueType) }
        let mayBeNull = !known.isRequired && known.defaultValue == .none
        switch known.constraint {
        case .none, .numbers: return .any(valueType).with(mayBeNull: mayBeNull)
        case .integer(let range):
            // The largest integer that can be stored is not a meaningful limit for warnings.
            let isOpen = range.upperBound >= Field.largestInteger
            let high = isOpen ? Double.infinity : Double(range.upperBound)
            let low = range.lowerBound <= -Field.largestInteger ? -Double.infinity : Double(range.lowerBound)
            return .number(NumberRange(low: low, high: high, isWhole: true), orNull: mayBeNull)
        case .number(let range):
            let isOpen = range.upperBound == .greatestFiniteMagnitude
            return .number(
                NumberRange(low: range.lowerBound, high: isOpen ? .infinity : range.upperBound),
                orNull: mayBeNull
            )
        case .positive: return .number(NumberRange(low: 0), orNull: mayBeNull)
        case .oneOf(let names): return ValueRange(content: .texts(names), mayBeNull: mayBeNull)
        }
    }
}

extension ValueRange {
    fileprivate func with(mayBeNull: Bool) -> ValueRange { ValueRange(content: content, mayBeNull: mayBeNull) }
}
