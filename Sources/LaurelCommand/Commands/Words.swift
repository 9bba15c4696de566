import Laurel
import LaurelProgress

extension Command {
    static let words = Command(
        "words",
        "A learner's vocabulary with its schedule, due words first",
        details: """
            Due words come first, the longest overdue at the top. With --prefix they are in the order of the
            words themselves, without regard to case and diacritics, and 20 where --limit is not given.
            """,
        operand: .learner,
        options: .reading + [
            .language, WordsCommand.due, WordsCommand.learned, WordsCommand.bucket, WordsCommand.category,
            WordsCommand.tag, WordsCommand.favourite, WordsCommand.prefix, .limit,
        ],
        example: "laurel words anna --language es --due --limit 20"
    ) { try WordsCommand(arguments: $0, console: $1).run() }
}

private struct WordsCommand {
    static let due = CommandOption("due", nil, "only words that are due for review")
    static let learned = CommandOption("learned", nil, "only words that are learned")
    static let bucket = CommandOption("bucket", "B", "only new, learning, reviewing or mastered words")
    static let category = CommandOption("category", "C", "only words of this category")
    static let tag = CommandOption("tag", "T", "only words that have this tag")
    static let favourite = CommandOption("favourite", nil, "only the learner's favourites")
    static let prefix = CommandOption("prefix", "P", "only words that begin so; case and diacritics do not matter")

    /// How many are found by prefix where nobody says.
    private static let prefixLimit = 20

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let limit = try arguments.limit() ?? (arguments.has(Self.prefix) ? Self.prefixLimit : nil)
        let at = try arguments.at()
        let bucket = try wantedBucket()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        // Also says which languages there are, where this is none of them.
        if let language { _ = try engine.knownProgress(of: learner, language: language, at: at) }
        guard let known = try engine.words(of: learner, language: language, at: at) else {
            throw try engine.unknownLearner(learner)
        }
        let prefix = arguments.text(Self.prefix).map(FoldedPrefix.init)
        let wanted = known.indices.filter { isWanted(known[$0], bucket, prefix) }
        let words = prefix == nil ? wanted : known.inWordOrder(wanted)
        // Made one after another, however many there are.
        let shown = words.prefix(limit ?? .max).lazy.map { known[$0] }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for word in shown { try list.add { write(word, to: &$0) } }
            try list.finish()
        } else {
            try showTable(shown)
            try console.output.flush()
            console.message(summary(shown: shown.count, of: words.count, known: known.count))
        }
        return .done
    }

    private func isWanted(_ word: WordRecord, _ bucket: MasteryBucket?, _ prefix: FoldedPrefix?) -> Bool {
        if let bucket, word.bucket != bucket { return false }
        if arguments.has(Self.due), !word.due { return false }
        if arguments.has(Self.learned), !word.learned { return false }
        if let category = arguments.text(Self.category), word.category != category { return false }
        if let tag = arguments.text(Self.tag), !word.tags.contains(tag) { return false }
        if arguments.has(Self.favourite), !word.favourite { return false }
        return prefix?.begins(word) ?? true
    }

    private func wantedBucket() throws(UsageError) -> MasteryBucket? {
        guard let name = arguments.text(Self.bucket) else { return nil }
        let names = MasteryBucket.allCases.map { "\($0)" }
        guard let index = names.firstIndex(of: name) else {
            throw arguments.wrong(
                Self.bucket,
                "is none of new, learning, reviewing, mastered\(didYouMean(names.nearest(to: name)))"
            )
        }
        return MasteryBucket.allCases[index]
    }

    private func summary(shown: Int, of found: Int, known: Int) -> String {
        if known == 0 { return "no words are known" }
        let words =
            shown < found
            ? "\(Numbers.grouped(shown)) of \(Numbers.count(found, "word"))" : Numbers.count(found, "word")
        return found < known ? "\(words), of \(Numbers.grouped(known)) known" : words
    }

    private func showTable(_ words: some Collection<WordRecord>) throws {
        guard !words.isEmpty else { return }
        let hasLanguages = arguments.text(.language) == nil
        let isFSRS = !words.contains { $0.easeFactor != nil }
        var columns: [Table.Column] = [.prose("word"), .prose("text"), .prose("translation"), .text("mastery")]
        columns += [.number("reviews"), .number("correct"), .number("interval")]
        columns += isFSRS ? [.number("stability"), .number("difficulty")] : [.number("ease")]
        columns += [.text("next review (UTC)"), .text("")]
        let hasTags = words.contains { !$0.tags.isEmpty }
        if hasTags { columns.append(.prose("tags")) }
        let rows = words.lazy.map { word in
            (hasLanguages ? [word.language ?? ""] : []) + cells(word, isFSRS)
                + (hasTags ? [word.tags.joined(separator: ", ")] : [])
        }
        try Table((hasLanguages ? [.text("language")] : []) + columns)
            .write(rows, to: console.output, style: console.style)
    }

    private func cells(_ word: WordRecord, _ isFSRS: Bool) -> [String] {
        func rounded(_ number: Double?) -> String { number.map { Numbers.grouped($0, places: 2) } ?? "" }
        let schedule = isFSRS ? [rounded(word.stability), rounded(word.difficulty)] : [rounded(word.easeFactor)]
        let state = [word.due ? "due" : nil, word.learned ? "learned" : nil, word.favourite ? "favourite" : nil]
            .compactMap(\.self).joined(separator: ", ")
        return [word.word, word.text ?? "", word.translation ?? "", mastery(word.mastery)]
            + [Numbers.grouped(word.reviews), Numbers.grouped(word.correct), "\(Numbers.grouped(word.intervalDays)) d"]
            + schedule + [TimeText.minute(word.nextReviewAt), state]
    }

    private func mastery(_ mastery: Int) -> String {
        let (full, empty) = console.style.isTerminal ? ("●", "○") : ("*", ".")
        return String(repeating: full, count: mastery) + String(repeating: empty, count: max(0, 5 - mastery))
    }

    private func write(_ word: WordRecord, to json: inout JSONText) {
        json.member("language", word.language)
        json.member("word", word.word)
        json.member("text", word.text)
        json.member("translation", word.translation)
        json.member("partOfSpeech", word.partOfSpeech)
        json.member("category", word.category)
        json.strings("tags", word.tags)
        json.member("favourite", word.favourite)
        json.member("bucket", "\(word.bucket)")
        json.member("mastery", word.mastery)
        json.member("reviews", word.reviews)
        json.member("correct", word.correct)
        json.member("intervalDays", word.intervalDays)
        if let easeFactor = word.easeFactor {
            json.member("easeFactor", easeFactor)
        } else {
            json.member("stability", word.stability)
            json.member("difficulty", word.difficulty)
        }
        json.member("nextReviewAt", instant: word.nextReviewAt)
        json.member("learned", word.learned)
        json.member("due", word.due)
        json.member("firstSeenAt", instant: word.firstSeenAt)
        json.member("lastReviewedAt", instant: word.lastReviewedAt)
        json.member("learnedAt", instant: word.learnedAt)
        json.member("encounters", word.encounters)
    }
}
