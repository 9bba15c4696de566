internal import LaurelEvents
internal import LaurelProgress

/// The rows of `daily_rows` for a projection: each language's days, and the overall track's where they are not just the
/// sum of the languages' (with the day active where it is in one of them).
struct DailyRows {
    /// With the language's code; 0 for the overall track.
    private(set) var rows: [(language: Int64, row: DayProjection)] = []
    /// Days that languages have and the overall track has not.
    private(set) var withoutOverall: [Int32] = []
    /// All days there are, ascending.
    private(set) var days: [Int32] = []

    init(_ projection: LearnerProjection, code: (String?) throws -> Int64) rethrows {
        var sums: [Int32: DayProjection] = [:]
        var tracks: [(code: Int64, days: [DayProjection])] = []
        var overall: [DayProjection] = []
        for track in projection.tracks {
            if track.language == nil {
                overall = track.days
            } else {
                tracks.append((try code(track.language), track.days))
            }
        }
        // In the order in which the rows are read back, so that sums of doubles are the same.
        tracks.sort { $0.code < $1.code }
        for (code, days) in tracks {
            for day in days {
                rows.append((code, day))
                DailyRows.add(day, to: &sums)
            }
        }
        var present: Set<Int32> = []
        for day in overall {
            present.insert(day.day.number)
            if sums[day.day.number] != day { rows.append((0, day)) }
        }
        withoutOverall = sums.keys.filter { !present.contains($0) }.sorted()
        days = Set(sums.keys).union(present).sorted()
    }

    private static func add(_ day: DayProjection, to sums: inout [Int32: DayProjection]) {
        var sum = sums[day.day.number] ?? DayProjection(day: day.day)
        sum.xp += day.xp
        sum.practiceMilliseconds &+= day.practiceMilliseconds
        sum.lines &+= day.lines
        sum.reviews &+= day.reviews
        sum.correctReviews &+= day.correctReviews
        sum.newWords &+= day.newWords
        sum.learnedWords &+= day.learnedWords
        sum.isActive = sum.isActive || day.isActive
        sums[day.day.number] = sum
    }

    /// Fills in the days of a projection's tracks.
    /// - Parameter codes: of the tracks' languages.
    static func read(
        into projection: inout LearnerProjection,
        codes: [Int64],
        _ learner: Int64,
        _ connection: Connection
    ) throws {
        let statement = try connection.statement(
            """
            SELECT day, language, xp, practice_ms, lines, reviews, correct_reviews, new_words, learned_words, active
            FROM daily_rows WHERE learner = ? ORDER BY day, language
            """
        )
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        let places = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($0.element, $0.offset) })
        var sums: [Int32: DayProjection] = [:]
        var overall: [Int32: DayProjection?] = [:]
        while try statement.step() {
            let day = row(statement)
            let code = statement.integer(1)
            if code == 0 {
                overall[day.day.number] = .some(statement.isNull(2) ? nil : day)
            } else {
                add(day, to: &sums)
                if let place = places[code] { projection.tracks[place].days.append(day) }
            }
        }
        guard let place = places[0] else { return }
        projection.tracks[place].days = Set(sums.keys).union(overall.keys).sorted().compactMap { day in
            overall[day] ?? sums[day]
        }
    }

    private static func row(_ statement: Statement) -> DayProjection {
        var day = DayProjection(day: CivilDay(number: Int32(truncatingIfNeeded: statement.integer(0))))
        day.xp = statement.real(2)
        day.practiceMilliseconds = statement.integer(3)
        day.lines = statement.count(4)
        day.reviews = statement.count(5)
        day.correctReviews = statement.count(6)
        day.newWords = statement.count(7)
        day.learnedWords = statement.count(8)
        day.isActive = statement.integer(9) != 0
        return day
    }
}

/// Codes of names that repeat in many rows, remembered for the time of a transaction.
struct NameCodes {
    private var codes: [String: [[UInt8]: Int64]] = [:]
    /// The language asked for last.
    private var recent: (tag: [UInt8], code: Int64)?

    /// 0 for the overall track.
    mutating func languageCode(_ tag: String?, _ connection: Connection) throws -> Int64 {
        guard let tag else { return 0 }
        if let recent, recent.tag.elementsEqual(tag.utf8) { return recent.code }
        let code = try code(tag, "languages", "language", "tag", connection)
        recent = (Array(tag.utf8), code)
        return code
    }

    mutating func code(
        _ name: String,
        _ table: String,
        _ column: String,
        _ text: String,
        _ connection: Connection
    ) throws -> Int64 {
        // Bytes, for Swift takes texts for equal that are spelled differently in Unicode.
        let key = Array(name.utf8)
        if let code = codes[table]?[key] { return code }
        var code = try connection.number("SELECT \(column) FROM \(table) WHERE \(text) = ?", .text(key))
        if code == nil {
            try connection.run("INSERT INTO \(table)(\(text)) VALUES (?)", .text(key))
            code = connection.lastID
        }
        codes[table, default: [:]][key] = code!
        return code!
    }

    mutating func removeAll() {
        codes.removeAll()
        recent = nil
    }
}
