import LaurelEvents

/// Turns a rules file into a `RuleSet`, going on after each mistake so that all of them are reported at once.
struct RulesLoader {
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
        /// In the order of the file.
        var parts: [RulePart] = []
        var layout = FrameLayout(metricCount: 0, fields: [], usesByType: [:])
    }

    /// After so many, further mistakes are not worth reading.
    static let maximumDiagnostics = 500

    let source: SourceText
    /// For the warnings.
    var checked = CheckedExpressions()
    var declaredTypeOffsets: [(type: String, offset: Int)] = []
    private var ruleParts: [(offset: Int, part: RulePart)] = []
    private(set) var found: [(offset: Int, diagnostic: Diagnostic)] = []
    /// See ``YAMLDocument/scalarEnds``.
    private var scalarEnds: [Int: Int] = [:]
    var names = NameTable(metrics: [], events: EventFields(declared: [:]))

    static func load(
        _ bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) -> RuleSet {
        // A byte order mark is no content, and editors do not count it.
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var loader = RulesLoader(source: SourceText(file: file, bytes: content))
        var parts = Parts()
        do throws(YAMLError) {
            let document = try YAMLReader.read(content)
            loader.scalarEnds = document.scalarEnds
            for mistake in document.mistakes { loader.report(mistake.offset, mistake.message) }
            parts = loader.readRules(document.root, isKnownTimezone)
        } catch {
            loader.report(error.offset, error.message)
        }
        let diagnostics = loader.found.sorted { $0.offset < $1.offset }.map(\.diagnostic)
        guard diagnostics.allSatisfy({ $0.severity == .warning }) else { throw RulesError(diagnostics: diagnostics) }
        return RuleSet(parts, source: bytes, file: file, warnings: diagnostics)
    }

    private init(source: SourceText) {
        self.source = source
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
        parts.parts = ruleParts.sorted { $0.offset < $1.offset }.map(\.part)
        parts.layout = names.layout
        if found.allSatisfy({ $0.diagnostic.severity == .warning }) { warn(about: parts) }
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

    /// Reports something about the key or value that starts at `offset`.
    mutating func report(
        _ offset: Int,
        _ message: String,
        suggestion: String? = nil,
        _ severity: Diagnostic.Severity = .error
    ) {
        report(range(at: offset), message, suggestion: suggestion, severity)
    }

    mutating func report(
        _ range: Range<Int>,
        _ message: String,
        suggestion: String? = nil,
        _ severity: Diagnostic.Severity = .error
    ) {
        guard !isFull else { return }
        let place = source.place(of: range)
        let diagnostic = Diagnostic(severity, file: source.file, at: place, message, suggestion: suggestion)
        found.append((range.lowerBound, diagnostic))
    }

    /// Keeps in mind where a part of the rules stands.
    mutating func note(_ kind: RulePart.Kind, _ phrase: String, _ offset: Int) {
        let range = range(at: offset)
        let part = RulePart(kind: kind, phrase: phrase, place: source.place(of: range), range: range)
        ruleParts.append((offset, part))
    }

    /// The bytes of the key or value that starts at `offset`; of a mapping or a list, its start.
    func range(at offset: Int) -> Range<Int> { offset..<max(offset, scalarEnds[offset] ?? offset) }

    /// Whether so much is wrong that looking for suggestions is a waste.
    var isFull: Bool { found.count >= Self.maximumDiagnostics }
}
