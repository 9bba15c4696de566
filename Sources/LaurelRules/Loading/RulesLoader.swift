// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

/// Reads a rules file into a `RuleSet`. The loader continues after each mistake, so that one run reports all mistakes.
struct RulesLoader: FileLoader {
    typealias Keys = RulesKeys

    let source: SourceText
    /// The expressions that have no mistakes, stored for the warnings.
    var checked = CheckedExpressions()
    var declaredTypeOffsets: [(type: String, offset: Int)] = []
    /// The offset of each item's `price`; nil for an item without a price.
    var priceOffsets: [Int?] = []
    private var ruleParts: [(offset: Int, part: RulePart)] = []
    var found: [FoundDiagnostic] = []
    var scalarEnds: [Int: Int] = [:]
    /// The experiments. A rule test may choose a variant of an experiment.
    var experiments: [Experiment] = []
    var names = NameTable(metrics: [], events: EventFields(declared: [:]))

    /// The parts of the file to read. The first case reads only the parts that affect numbers. Each later case reads
    /// more: tests, and then warnings.
    enum Depth: Comparable {
        case numbers, tests, warnings
    }

    static func load(
        _ bytes: [UInt8],
        file: String,
        depth: Depth,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) -> RuleSet {
        var loader = RulesLoader(source: text(of: bytes, file: file))
        let rules = loader.readDocument().map { loader.readRules($0, bytes, depth, isKnownTimezone) }
        let diagnostics = loader.diagnostics
        guard diagnostics.allSatisfy({ $0.severity == .warning }) else { throw RulesError(diagnostics: diagnostics) }
        return rules ?? RuleSet(source: bytes, fileName: file)
    }

    /// The warnings about a file. The file must be without mistakes.
    static func warnings(_ bytes: [UInt8], file: String) -> [Diagnostic] {
        var loader = RulesLoader(source: text(of: bytes, file: file))
        // An unknown timezone would be an error, not a warning, so every timezone is accepted here.
        if let root = loader.readDocument() { _ = loader.readRules(root, bytes, .warnings) { _ in true } }
        return loader.diagnostics
    }

    private init(source: SourceText) {
        self.source = source
    }

    private mutating func readRules(
        _ root: YAMLNode,
        _ bytes: [UInt8],
        _ depth: Depth,
        _ isKnownTimezone: (String) -> Bool
    ) -> RuleSet {
        var parts = RuleSet(source: bytes, fileName: source.file)
        guard let rules = section(root, .rules) else {
            // An empty file is refused, because rules without content would count nothing.
            if root.isNull { report(root.offset, "`version` is missing: write `version: 1`") }
            return parts
        }
        readVersion(rules, of: "the rules language")
        parts.name = rules["name"].flatMap { text($0, "`name`") } ?? defaultName
        parts.calendar = readCalendar(rules["calendar"], isKnownTimezone)
        parts.declaredTypes = readEvents(rules["events"], isNew: depth > .numbers)
        parts.administered = readAdministered(rules["administered"], parts.declaredTypes)
        parts.experiments = readExperiments(rules["experiments"])
        experiments = parts.experiments
        parts.seasons = readSeasons(rules["seasons"])
        let hasSeasons = rules.has("seasons")
        let metrics = metricEntries(rules["metrics"])
        let currencies = currencyEntries(rules["currencies"])
        let leagues = leagueEntries(rules["leagues"])
        names = NameTable(
            metrics: metrics.map(\.key),
            events: EventFields(declared: parts.declaredTypes),
            windows: FrameLayout.Window.always + (hasSeasons ? [.season] : []),
            trackNames: [.daysSinceActive] + currencies.map { .balance(of: $0.key) }
                + goalIDs(rules["goals"]).map { .goal($0) },
            experiments: experiments.map(\.name),
            leagues: leagues.map(\.key)
        )
        parts.metrics = readMetrics(metrics)
        parts.streak = readStreak(rules["streak"])
        parts.xpRules = readXPRules(rules["xp"])
        readCurrencies(currencies, into: &parts)
        parts.items = readItems(rules["items"], parts.currencies)
        if let levels = readLevels(rules["levels"]) { parts.levels = levels }
        parts.mastery = readMastery(rules["mastery"])
        parts.cefr = readCEFR(rules["cefr"])
        parts.achievements = readAchievements(rules["achievements"], parts.currencies)
        parts.pools = readPools(rules["pools"])
        parts.goals = readGoals(rules["goals"], parts)
        parts.plausible = readPlausible(rules["plausible"])
        parts.groups = readGroups(rules["groups"])
        parts.leagues = readLeagues(leagues)
        if depth >= .tests { parts.readTests = readTests(rules["tests"]) }
        parts.parts = ruleParts.sorted { $0.offset < $1.offset }.map(\.part)
        parts.layout = names.layout
        if depth == .warnings, found.allSatisfy({ $0.diagnostic.severity == .warning }) { warn(about: parts) }
        return parts
    }

    /// Records where a part of the rules is in the file.
    mutating func note(_ kind: RulePart.Kind, _ phrase: String, _ offset: Int) {
        let range = range(at: offset)
        let part = RulePart(kind: kind, phrase: phrase, position: source.position(of: range), range: range)
        ruleParts.append((offset, part))
    }
}
