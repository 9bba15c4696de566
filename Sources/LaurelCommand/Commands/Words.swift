import Laurel
import LaurelProgress

extension Command {
    static let words = Command(
        "words",
        "A learner's vocabulary with its schedule, due words first",
        operand: .learner,
        options: .reading + [
            .language, WordsCommand.due, WordsCommand.learned, WordsCommand.bucket, WordsCommand.category,
            WordsCommand.prefix, .limit,
        ],
        example: "laurel words anna --language es --due --limit 20"
    ) { try WordsCommand(arguments: $0, console: $1).run() }
}

private struct WordsCommand {
    static let due = CommandOption("due", nil, "only words that are due for review")
    static let learned = CommandOption("learned", nil, "only words that are learned")
    static let bucket = CommandOption("bucket", "B", "only new, learning, reviewing or mastered words")
    static let category = CommandOption("category", "C", "only words of this category")
    static let prefix = CommandOption("prefix", "P", "only words that begin so; case and diacritics do not matter")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let limit = try arguments.limit()
        let at = try arguments.at()
        let bucket = try wantedBucket()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        // Also says which languages there are, where this is none of them.
        if let language { _ = try engine.knownProgress(of: learner, language: language, at: at) }
        guard let known = try engine.words(of: learner, language: language, at: at) else {
            throw try engine.unknownLearner(learner)
        }
        let words = known.filter { isWanted($0) && (bucket == nil || $0.bucket == bucket) }
        let shown = words.prefix(limit ?? .max)
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

    private func isWanted(_ word: WordRecord) -> Bool {
        if arguments.has(Self.due), !word.due { return false }
        if arguments.has(Self.learned), !word.learned { return false }
        if let category = arguments.text(Self.category), word.category != category { return false }
        guard let prefix = arguments.text(Self.prefix) else { return true }
        return FoldedPrefix(prefix).begins(word)
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

    private func showTable(_ words: ArraySlice<WordRecord>) throws {
        guard !words.isEmpty else { return }
        let hasLanguages = arguments.text(.language) == nil
        let isFSRS = !words.contains { $0.easeFactor != nil }
        var columns: [Table.Column] = [.prose("word"), .prose("text"), .prose("translation"), .text("mastery")]
        columns += [.number("reviews"), .number("correct"), .number("interval")]
        columns += isFSRS ? [.number("stability"), .number("difficulty")] : [.number("ease")]
        columns += [.text("next review (UTC)"), .text("")]
        var table = Table((hasLanguages ? [.text("language")] : []) + columns)
        for word in words {
            table.add((hasLanguages ? [word.language ?? ""] : []) + cells(word, isFSRS))
        }
        try table.write(to: console.output, style: console.style)
    }

    private func cells(_ word: WordRecord, _ isFSRS: Bool) -> [String] {
        func rounded(_ number: Double?) -> String { number.map { Numbers.grouped($0, places: 2) } ?? "" }
        let schedule = isFSRS ? [rounded(word.stability), rounded(word.difficulty)] : [rounded(word.easeFactor)]
        let state = [word.due ? "due" : nil, word.learned ? "learned" : nil].compactMap(\.self).joined(separator: ", ")
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
