// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let vocabulary = Command(
        "vocabulary",
        "The numbers of a learner's words, by mastery and by category",
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
        let known = try engine.existingLearner(learner, in: language, at: at)
        let vocabulary = try known.vocabulary(language: language, at: at.date)
        if arguments.has(.json) {
            try console.output.writeJSON(vocabulary)
            return .done
        }
        let rows: [(String, Int)] = [
            ("known", vocabulary.known), ("learned", vocabulary.learned), ("due", vocabulary.due),
            ("new", vocabulary.mastery.new), ("learning", vocabulary.mastery.learning),
            ("reviewing", vocabulary.mastery.reviewing), ("mastered", vocabulary.mastery.mastered),
        ]
        for (name, count) in rows {
            try console.output.writeLine(console.style.paint(name.padded(toCells: 12), .dim) + Numbers.grouped(count))
        }
        try showCategories(vocabulary.categories)
        return .done
    }

    private func showCategories(_ categories: [VocabularyCategory]) throws {
        guard !categories.isEmpty else { return }
        let hasLanguages = arguments.text(.language) == nil
        try console.output.writeLine()
        var table = Table(
            (hasLanguages ? [.prose("language")] : [])
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
}
