import LaurelEvents
import LaurelYAML

typealias Section = LaurelYAML.Section<RulesKeys>

/// Turns a rules file into a `RuleSet`.
struct RulesLoader: NodeLoader {
    /// What a rules file consists of, filled section by section.
    struct Parts {
        var name = ""
        var calendar = RulesCalendar()
        var declaredTypes: [String: [String: FieldType]] = [:]
        var metrics: [Metric] = []
        var streak: StreakRule?
        var xpRules: [XPRule] = []
        var levels = LevelCurve(table: [0])
        var mastery = MasteryRule()
        var cefr: CEFRRule?
        var achievements: [AchievementRule] = []
        var tests: [RuleTest] = []
        var layout = FrameLayout(metricCount: 0, fields: [], usesByType: [:])
    }

    typealias Keys = RulesKeys

    var diagnostics: DiagnosticList
    var names = NameTable(metrics: [], events: EventFields(declared: [:]))

    static func load(
        _ bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) -> RuleSet {
        var loader = RulesLoader(source: SourceText(file: file, bytes: bytes))
        var parts = Parts()
        do throws(YAMLError) {
            let (root, mistakes) = try YAMLReader.read(loader.source.bytes)
            for mistake in mistakes { loader.report(mistake.offset, mistake.message) }
            parts = loader.readRules(root, isKnownTimezone)
        } catch {
            loader.report(error.offset, error.message)
        }
        let diagnostics = loader.diagnostics.inOrder
        guard diagnostics.allSatisfy({ $0.severity == .warning }) else { throw RulesError(diagnostics: diagnostics) }
        return RuleSet(parts, source: bytes, file: file, warnings: diagnostics)
    }

    private init(source: SourceText) {
        diagnostics = DiagnosticList(source: source)
    }

    private mutating func readRules(_ root: YAMLNode, _ isKnownTimezone: (String) -> Bool) -> Parts {
        var parts = Parts()
        guard let rules = section(root, .rules) else { return parts }
        readVersion(rules)
        parts.name = rules["name"].flatMap { text($0, "`name`") } ?? defaultName
        parts.calendar = readCalendar(rules["calendar"], isKnownTimezone)
        parts.declaredTypes = readEvents(rules["events"])
        let metrics = metricEntries(rules["metrics"])
        names = NameTable(metrics: metrics.map(\.key), events: EventFields(declared: parts.declaredTypes))
        parts.metrics = readMetrics(metrics)
        parts.streak = readStreak(rules["streak"])
        parts.xpRules = readXPRules(rules["xp"])
        if let levels = readLevels(rules["levels"]) { parts.levels = levels }
        parts.mastery = readMastery(rules["mastery"])
        parts.cefr = readCEFR(rules["cefr"])
        parts.achievements = readAchievements(rules["achievements"])
        parts.tests = readTests(rules["tests"])
        parts.layout = names.layout
        return parts
    }

    private mutating func readVersion(_ rules: Section) {
        guard let node = rules["version"] else {
            report(rules.offset, "`version` is missing: write `version: 1`")
            return
        }
        guard let version = integer(node, "`version`", in: 0...Int.max), version != 1 else { return }
        report(node.offset, "version \(version) of the rules language is unknown; this is version 1")
    }

    /// The file's name without folder and extension.
    private var defaultName: String {
        let file = source.file.split(separator: "/").last ?? "rules"
        return file.firstIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
    }
}
