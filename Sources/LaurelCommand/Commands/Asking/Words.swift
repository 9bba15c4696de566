// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let words = Command(
        "words",
        "A learner's vocabulary with its schedule, due words first",
        details: """
            Due words come first, the longest overdue at the top. With --prefix, words are in
            alphabetical order, whatever their case and diacritics, and the default limit is 20.
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
    static let bucket = CommandOption(
        "bucket",
        "B",
        "only new, learning, reviewing or mastered words",
        completes: .words(["new", "learning", "reviewing", "mastered"])
    )
    static let category = CommandOption("category", "C", "only words of this category")
    static let tag = CommandOption("tag", "T", "only words that have this tag")
    static let favourite = CommandOption("favourite", nil, "only the learner's favourites")
    static let prefix = CommandOption(
        "prefix",
        "P",
        "only words with this beginning; case and diacritics do not matter"
    )

    /// The default limit of a search by prefix, in words.
    private static let prefixLimit = 20

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let limit = try arguments.limit() ?? (arguments.has(Self.prefix) ? Self.prefixLimit : nil)
        let at = try arguments.at()
        let filter = try filter()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        // If the learner has no such language, the command fails with a list of the learner's languages.
        if let language { _ = try engine.existingProgress(of: learner, language: language, at: at) }
        let known = try engine.existingLearner(learner, at: at).words(language: language, at: at.date)
        let words = known.matching(filter, order: filter.prefix == nil ? .review : .alphabetical)
        // Rows are made one at a time, so a long list does not fill the memory.
        let shown = words.prefix(limit ?? .max)
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for word in shown { try list.add(word) }
            try list.finish()
        } else {
            try showTable(shown)
            try console.output.flush()
            console.message(summary(shown: shown.count, of: words.count, known: known.count))
        }
        return .done
    }

    private func filter() throws(UsageError) -> WordFilter {
        var filter = WordFilter()
        filter.bucket = try wantedBucket()
        filter.isDue = arguments.has(Self.due)
        filter.isLearned = arguments.has(Self.learned)
        filter.isFavourite = arguments.has(Self.favourite)
        filter.category = arguments.text(Self.category)
        filter.tag = arguments.text(Self.tag)
        filter.prefix = arguments.text(Self.prefix)
        return filter
    }

    private func wantedBucket() throws(UsageError) -> MasteryBucket? {
        guard let name = arguments.text(Self.bucket) else { return nil }
        guard let bucket = MasteryBucket(rawValue: name) else {
            let names = MasteryBucket.allCases.map(\.rawValue)
            throw arguments.wrong(
                Self.bucket,
                "is not one of \(names.joined(separator: ", "))\(didYouMean(names.nearest(to: name)))"
            )
        }
        return bucket
    }

    private func summary(shown: Int, of found: Int, known: Int) -> String {
        if known == 0 { return "no words are known" }
        let words =
            shown < found
            ? "\(Numbers.grouped(shown)) of \(Numbers.count(found, "word"))" : Numbers.count(found, "word")
        return found < known ? "\(words), of \(Numbers.grouped(known)) known" : words
    }

    private func showTable(_ words: some Collection<Word>) throws {
        guard !words.isEmpty else { return }
        let hasLanguages = arguments.text(.language) == nil
        let isFSRS = !words.contains { $0.easeFactor != nil }
        var columns: [Table.Column] = [.prose("word"), .prose("text"), .prose("translation"), .text("mastery")]
        columns += [.number("reviews").spare, .number("correct").spare, .number("interval").spare]
        columns += isFSRS ? [.number("stability").spare, .number("difficulty").spare] : [.number("ease").spare]
        columns += [.text("next review (UTC)").spare, .prose("")]
        let hasTags = words.contains { !$0.tags.isEmpty }
        if hasTags { columns.append(.prose("tags").spare) }
        let rows = words.lazy.map { word in
            (hasLanguages ? [word.language ?? ""] : []) + cells(word, isFSRS)
                + (hasTags ? [word.tags.joined(separator: ", ")] : [])
        }
        try Table((hasLanguages ? [.prose("language")] : []) + columns)
            .write(rows, to: console.output, style: console.style)
    }

    private func cells(_ word: Word, _ isFSRS: Bool) -> [String] {
        func rounded(_ number: Double?) -> String { number.map { Numbers.grouped($0, decimals: 2) } ?? "" }
        let schedule = isFSRS ? [rounded(word.stability), rounded(word.difficulty)] : [rounded(word.easeFactor)]
        let state = [word.isDue ? "due" : nil, word.isLearned ? "learned" : nil, word.isFavourite ? "favourite" : nil]
            .compactMap(\.self).joined(separator: ", ")
        return [word.id, word.text ?? "", word.translation ?? "", mastery(word.mastery)]
            + [
                Numbers.grouped(word.reviews), Numbers.grouped(word.correctReviews),
                "\(Numbers.grouped(word.intervalDays)) d",
            ]
            + schedule + [TimeText.minute(word.nextReviewAt), state]
    }

    private func mastery(_ mastery: Int) -> String {
        let (full, empty) = console.style.isTerminal ? ("●", "○") : ("*", ".")
        return String(repeating: full, count: mastery) + String(repeating: empty, count: max(0, 5 - mastery))
    }
}
