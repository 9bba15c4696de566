import Laurel

extension Command {
    static let vocabulary = Command(
        "vocabulary",
        "How many words a learner knows, by mastery and by category",
        operand: .learner,
        options: .reading + [.language],
        example: "laurel vocabulary anna --language es"
    ) { try VocabularyCommand(arguments: $0, console: $1).run() }
}

private struct VocabularyCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        // Also says which languages there are, where this is none of them.
        let progress = try engine.knownProgress(of: learner, language: language, at: at)
        let words = try engine.words(of: learner, language: language, at: at) ?? .empty
        let rows: [(String, Int)] = [
            ("known", words.count), ("learned", words.count(where: \.learned)), ("due", words.count(where: \.due)),
            ("new", progress.vocabulary.new), ("learning", progress.vocabulary.learning),
            ("reviewing", progress.vocabulary.reviewing), ("mastered", progress.vocabulary.mastered),
        ]
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                json.member("language", language)
                for (name, count) in rows { json.member(name, count) }
                json.list("categories", words.categories) { write($1, to: &$0) }
            }
            return .done
        }
        for (name, count) in rows {
            try console.output.writeLine(console.style.paint(name.padded(toCells: 12), .dim) + Numbers.grouped(count))
        }
        try showCategories(words.categories)
        return .done
    }

    private func showCategories(_ categories: [CategoryRecord]) throws {
        guard !categories.isEmpty else { return }
        let hasLanguages = arguments.text(.language) == nil
        try console.output.writeLine()
        var table = Table(
            (hasLanguages ? [.text("language")] : [])
                + [.prose("category"), .number("known"), .number("learned"), .number(""), .number("due")]
        )
        for category in categories {
            let share = Numbers.percent(100 * Double(category.learned) / Double(category.known))
            table.add(
                (hasLanguages ? [category.language ?? ""] : [])
                    + [category.category ?? "(none)", Numbers.grouped(category.known)]
                    + [Numbers.grouped(category.learned), share, Numbers.grouped(category.due)]
            )
        }
        try table.write(to: console.output, style: console.style)
    }

    private func write(_ category: CategoryRecord, to json: inout JSONText) {
        json.member("language", category.language)
        json.member("category", category.category)
        json.member("known", category.known)
        json.member("learned", category.learned)
        json.member("due", category.due)
    }
}
