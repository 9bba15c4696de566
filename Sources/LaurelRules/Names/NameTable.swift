// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

/// Resolves the names in expressions. Assigns a slot to each event field that an expression reads.
struct NameTable {
    private let metrics: [String]
    private let metricIndexes: [String: Int]
    private let windows: [FrameLayout.Window]
    let events: EventFields
    /// The track's names that have a slot so far.
    private var trackNames = FrameLayout.TrackName.always
    /// The track's names that these rules may read, besides ``FrameLayout/TrackName/always``. A name gets a slot when an
    /// expression first reads it.
    private let otherTrackNames: [FrameLayout.TrackName]
    private var fields: [FrameLayout.FieldSlot] = []
    private var learnerFields: [FrameLayout.FieldSlot] = []
    /// The names of the experiments, and the slots of those that were resolved so far.
    private let experimentNames: [String]
    private var experiments: [FrameLayout.FieldSlot] = []
    /// The names of the leagues, and the slots of the names that were resolved so far.
    private let leagues: [String]
    private var leagueNames: [FrameLayout.FieldSlot] = []

    init(
        metrics: [String],
        events: EventFields,
        windows: [FrameLayout.Window] = FrameLayout.Window.always,
        trackNames: [FrameLayout.TrackName] = [],
        experiments: [String] = [],
        leagues: [String] = []
    ) {
        self.metrics = metrics
        self.windows = windows
        otherTrackNames = trackNames
        experimentNames = experiments
        self.leagues = leagues
        metricIndexes = Dictionary(zip(metrics, metrics.indices), uniquingKeysWith: { first, _ in first })
        self.events = events
    }

    /// The layout, including every field that was resolved so far.
    var layout: FrameLayout {
        var uses: [String: [FrameLayout.FieldUse]] = [:]
        for type in events.typeNames {
            uses[type] = fields.compactMap { slot in
                guard let known = events.field(slot.name, of: type), known.type.valueType == slot.type else {
                    return nil
                }
                return FrameLayout.FieldUse(field: slot, defaultNumber: known.defaultNumber)
            }
        }
        return FrameLayout(
            metricCount: metrics.count,
            windows: windows,
            trackNames: trackNames,
            fields: fields,
            learnerFields: learnerFields,
            experiments: experiments,
            leagueNames: leagueNames,
            usesByType: uses
        )
    }

    mutating func resolve(_ name: String, in scope: NameScope) -> NameResolution {
        if let fixed = fixedName(name, in: scope) { return fixed }
        if let track = trackName(name, in: scope) { return .slot(.track(slot(of: track)), .number, track.mayBeNull) }
        if name.hasPrefix("event."), ![.levels, .cefr, .goal].contains(scope.part) {
            return resolveField(String(name.dropFirst("event.".count)), in: scope)
        }
        if let field = learnerField(name, in: scope), let type = field.type.valueType {
            let slot = slot(ofLearnerField: field.name, type)
            return .slot(type == .text ? .text(slot) : .event(slot), type)
        }
        if let experiment = experiment(name, in: scope) { return .slot(.text(slot(ofExperiment: experiment)), .text) }
        if let league = leagueName(name, in: scope) {
            let slot = slot(ofLeague: league.name, league.type)
            return league.type == .text ? .slot(.text(slot), .text, false) : .slot(.event(slot), league.type)
        }
        if name.hasPrefix("season."), !windows.contains(.season) {
            let message = "unknown name `\(name)`: there are no `seasons:` in these rules"
            return .failure(message: message, suggestion: nil)
        }
        if let reason = reasonNotAllowed(name, in: scope) { return .failure(message: reason, suggestion: nil) }
        let candidates = fixedNames(in: scope) + fieldNames(in: scope)
        // A name without its prefix is more likely than a typing error.
        let nearest =
            candidates.first { $0 == "total.\(name)" || $0 == "event.\(name)" }
            ?? candidates.nearest(to: name)
        let advice = nearest.map { didYouMean(code: $0) } ?? otherNames(than: name, in: scope)
        return .failure(message: "unknown name `\(name)`\(advice)", suggestion: nearest)
    }

    private func otherNames(than name: String, in scope: NameScope) -> String {
        guard scope.part != .levels, name.hasPrefix(Self.learner) else {
            return "; names you can use here: \(namesPhrase(in: scope))"
        }
        let field = name.dropFirst(Self.learner.count)
        return "; declare the field: `events: {\(AdministeredEvents.profileType): {\(field): text}}`"
    }

    /// The first parts of the names that are allowed in a place, for messages: "event.…, total.…, level".
    private func namesPhrase(in scope: NameScope) -> String {
        var beginnings: [String] = []
        for name in fieldNames(in: scope) + fixedNames(in: scope) {
            let parts = name.split(separator: ".", maxSplits: 1)
            let beginning = parts.count > 1 ? "\(parts[0]).…" : name
            if !beginnings.contains(beginning) { beginnings.append(beginning) }
        }
        return beginnings.joined(separator: ", ")
    }
}

// MARK: - Names that are always there

extension NameTable {
    private static let eventNames = Dictionary(
        uniqueKeysWithValues: FrameLayout.EventName.allCases.map { ($0.name.text, $0) }
    )
    private static let textNames = Dictionary(uniqueKeysWithValues: FrameLayout.TextName.allCases.map { ($0.name, $0) })

    /// The meaning of a name that has a slot under all rules, and is not an event field. Nil if the name is unknown, or
    /// not allowed in that place.
    private func fixedName(_ name: String, in scope: NameScope) -> NameResolution? {
        if scope.part == .levels {
            return name == "n" ? .slot(.event(FrameLayout.EventName.n.rawValue), .number) : nil
        }
        let layout = FrameLayout(metricCount: metrics.count, windows: windows)
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let window = window(parts[0]), parts.count == 2, name != FrameLayout.TextName.seasonName.name {
            guard scope.part != .cefr || window == .total, scope.part != .goal || window != .session else { return nil }
            if parts[1] == "xp" { return .slot(.track(layout.slotOfXP(in: window)), .number, false) }
            guard let index = metricIndexes[parts[1]], index < visibleMetrics(in: scope) else { return nil }
            return .slot(.track(layout.slot(ofMetric: index, in: window)), .number, false)
        }
        if let slot = layout.slot(of: FrameLayout.TrackName(name)) { return .slot(.track(slot), .number, false) }
        guard scope.part != .cefr else { return nil }
        if let text = Self.textNames[name] {
            let isOfDay = text == .localDate || text == .seasonName
            return isKnown(text) && (scope.part != .goal || isOfDay) ? .slot(.text(text.rawValue), .text) : nil
        }
        if scope.part == .goal, name != FrameLayout.EventName.localDay.name.text { return nil }
        guard let event = Self.eventNames[name], event != .n, event != .earned || scope.part == .xp else { return nil }
        return .slot(.event(event.rawValue), event.name.type)
    }

    /// The name of a track's number that only some rules have. Nil if the name is unknown, or not allowed in that
    /// place.
    private func trackName(_ name: String, in scope: NameScope) -> FrameLayout.TrackName? {
        scope.part == .levels ? nil : otherTrackNames.first { $0.text == name }
    }

    private mutating func slot(of name: FrameLayout.TrackName) -> Int {
        if !trackNames.contains(name) { trackNames.append(name) }
        return layout.slot(of: name)!
    }

    /// True if the name is known and allowed in that place, and is not an event field.
    private func isAllowed(_ name: String, in scope: NameScope) -> Bool {
        fixedName(name, in: scope) != nil || trackName(name, in: scope) != nil
            || learnerField(name, in: scope) != nil || experiment(name, in: scope) != nil
            || leagueName(name, in: scope) != nil
    }

    /// False for the name of the season if the rules have no seasons.
    private func isKnown(_ text: FrameLayout.TextName) -> Bool { text != .seasonName || windows.contains(.season) }

    private func window(_ name: String) -> FrameLayout.Window? { windows.first { $0.name == name } }

    private func visibleMetrics(in scope: NameScope) -> Int {
        if case .metric(let index) = scope.part { index } else { metrics.count }
    }

    /// All names except event fields that are allowed in that place, for suggestions.
    private func fixedNames(in scope: NameScope) -> [String] {
        let windows = windows.flatMap { window in
            (metrics + ["xp"]).map { "\(window.name).\($0)" }
        }
        let tracks = (FrameLayout.TrackName.always + otherTrackNames).map(\.text)
        let others = tracks + FrameLayout.EventName.allCases.map(\.name.text)
        let experiments = experimentNames.map { Self.experiment + $0 }
        return (windows + others + learnerNames + experiments + allLeagueNames).filter {
            isAllowed($0, in: scope)
        }
    }

    /// The reason why a name is not allowed here although it is allowed elsewhere; nil for an unknown name.
    private func reasonNotAllowed(_ name: String, in scope: NameScope) -> String? {
        if name == "earned" { return "`earned` is what the XP rules above awarded: only XP rules and awards see it" }
        if name == "n" { return "`n` is the number of a level: only `levels.xp_for` sees it" }
        let prefix = String(name.prefix { $0 != "." })
        guard prefix == "event" || isAllowed(name, in: NameScope(.xp)) else { return nil }
        switch scope.part {
        case .levels:
            return "`\(name)` cannot be used in the level curve: a level's start depends on `n` alone"
        case .cefr:
            let reason = window(prefix) != nil ? "there is no current \(prefix)" : "there is no event"
            return "`\(name)` cannot be used in the CEFR score: it is read at the end of the fold, where \(reason)"
        case .metric:
            return "`\(name)` is not above: a metric sees only the metrics defined before it"
        case .goal:
            return "`\(name)` cannot be used here: a goal's value and target are also read when there is no event"
        case .streak, .xp, .achievement:
            return nil
        }
    }
}

// MARK: - Fields of events

extension NameTable {
    private static let unreadable = [
        "id": "which event it is does not matter to progress",
        "source": "from which device an event came does not matter to progress",
        "subject": "rules are the same for every learner",
        "time": "use `local.date`, `local.hour`, `local.minute` or `local.weekday`",
        "timezone": "use `local.date`, `local.hour`, `local.minute` or `local.weekday`",
    ]

    private mutating func resolveField(_ field: String, in scope: NameScope) -> NameResolution {
        let occurrences = events.occurrences(of: field, in: scope.eventTypes)
        guard let first = occurrences.first else { return unknownField(field, in: scope) }
        guard let type = first.field.type.valueType else {
            return .failure(
                message: "`event.\(field)` is \(first.field.type.phrase), which expressions cannot read",
                suggestion: nil
            )
        }
        if let other = occurrences.first(where: { $0.field.type.valueType != type }) {
            let message =
                "`event.\(field)` is \(type.phrase) in `\(first.type)` but \(other.field.type.phrase) in `\(other.type)`"
            return .failure(message: message, suggestion: nil)
        }
        let slot = slot(of: field, type)
        return .slot(type == .text ? .text(slot) : .event(slot), type)
    }

    private mutating func slot(of field: String, _ type: ValueType) -> Int {
        if let known = fields.first(where: { $0.name == field && $0.type == type }) { return known.slot }
        fields.append(FrameLayout.FieldSlot(name: field, type: type, slot: nextSlot(type)))
        return fields[fields.count - 1].slot
    }

    /// The first unused slot for a value of a type.
    private func nextSlot(_ type: ValueType) -> Int {
        let sameKind = (fields + learnerFields + experiments + leagueNames).count {
            ($0.type == .text) == (type == .text)
        }
        return sameKind + (type == .text ? FrameLayout.TextName.allCases.count : FrameLayout.EventName.allCases.count)
    }

    private func unknownField(_ field: String, in scope: NameScope) -> NameResolution {
        if let reason = Self.unreadable[field] {
            return .failure(message: "`event.\(field)` cannot be read in expressions: \(reason)", suggestion: nil)
        }
        let nearest = fieldNames(in: scope).nearest(to: "event.\(field)")
        let holders = scope.eventTypes.map { $0.map { "`\($0)`" }.joined(separator: ", ") }
        let problem =
            switch holders {
            case nil: "no event type has a field `\(field)`"
            case .some(let one) where scope.eventTypes?.count == 1: "\(one) has no field `\(field)`"
            case .some(let several): "none of \(several) has a field `\(field)`"
            }
        return .failure(
            message: problem + (nearest.map { didYouMean(code: $0) } ?? known(in: scope)),
            suggestion: nearest
        )
    }

    /// A list of known fields for a message, such as "; it has `a`, `b`". Empty if the event types are unknown.
    private func known(in scope: NameScope) -> String {
        guard let types = scope.eventTypes else { return "" }
        var names: [String] = []
        for name in events.names(in: types) where !names.contains(name) { names.append(name) }
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return names.isEmpty ? "" : types.count == 1 ? "; it has \(list)" : "; they have \(list)"
    }

    private func fieldNames(in scope: NameScope) -> [String] {
        guard ![.levels, .cefr, .goal].contains(scope.part) else { return [] }
        let attributes = FrameLayout.TextName.allCases.filter(isKnown).map(\.name)
        return events.names(in: scope.eventTypes).map { "event.\($0)" } + attributes
    }
}

// MARK: - Fields of the learner

extension NameTable {
    private static let learner = "learner."

    /// The field in a name of the form `learner.FIELD`. Nil for names of another form, and where the name is not
    /// allowed.
    private func learnerField(_ name: String, in scope: NameScope) -> EventFields.Field? {
        guard scope.part != .levels, name.hasPrefix(Self.learner) else { return nil }
        return events.field(String(name.dropFirst(Self.learner.count)), of: AdministeredEvents.profileType)
    }

    private var learnerNames: [String] {
        events.names(in: [AdministeredEvents.profileType]).map { Self.learner + $0 }
    }

    private mutating func slot(ofLearnerField field: String, _ type: ValueType) -> Int {
        if let known = learnerFields.first(where: { $0.name == field }) { return known.slot }
        learnerFields.append(FrameLayout.FieldSlot(name: field, type: type, slot: nextSlot(type)))
        return learnerFields[learnerFields.count - 1].slot
    }
}

// MARK: - Experiments

extension NameTable {
    private static let experiment = "experiment."

    /// The experiment in a name of the form `experiment.NAME`. Nil for names of another form, and where the name is not
    /// allowed.
    private func experiment(_ name: String, in scope: NameScope) -> String? {
        guard scope.part != .levels, scope.part != .cefr, name.hasPrefix(Self.experiment) else { return nil }
        return experimentNames.first { name.dropFirst(Self.experiment.count).elementsEqual($0) }
    }

    private mutating func slot(ofExperiment name: String) -> Int {
        if let known = experiments.first(where: { $0.name == name }) { return known.slot }
        experiments.append(FrameLayout.FieldSlot(name: name, type: .text, slot: nextSlot(.text)))
        return experiments[experiments.count - 1].slot
    }
}

// MARK: - Leagues

extension NameTable {
    private static let league = "league."

    private var allLeagueNames: [String] {
        leagues.flatMap { ["\(Self.league)\($0).tier", "\(Self.league)\($0).rank"] }
    }

    /// The name without `league.`, and its type. Nil for names of another form, and where the name is not allowed.
    private func leagueName(_ name: String, in scope: NameScope) -> (name: String, type: ValueType)? {
        guard scope.part != .levels, let known = allLeagueNames.first(where: { $0 == name }) else { return nil }
        return (String(known.dropFirst(Self.league.count)), known.hasSuffix(".tier") ? .text : .number)
    }

    private mutating func slot(ofLeague name: String, _ type: ValueType) -> Int {
        if let known = leagueNames.first(where: { $0.name == name }) { return known.slot }
        leagueNames.append(FrameLayout.FieldSlot(name: name, type: type, slot: nextSlot(type)))
        return leagueNames[leagueNames.count - 1].slot
    }
}

extension FieldType {
    /// The type in messages, such as "a number".
    fileprivate var phrase: String {
        valueType?.phrase ?? (self == .numberList ? "a list of numbers" : "a list of text")
    }
}
