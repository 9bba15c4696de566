// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The parts of an event that the columns of a sample probably contain.
struct ColumnRoles {
    enum Role: CaseIterable {
        case learner, time, grade, word, translation, language, duration, category, partOfSpeech, tags, number

        /// The words in a column's name that show the role, in the languages of Laurel's pages. A name has the role if
        /// one of its words is in the list.
        var words: [String] {
            switch self {
            case .learner:
                ["learner", "student", "pupil", "user", "schüler", "lernende", "alumno", "alumna", "élève", "生徒"]
            case .time:
                [
                    "time", "date", "timestamp", "at", "when", "day", "created", "added", "datum", "zeit", "fecha",
                    "hora", "heure", "日付",
                ]
            case .grade:
                [
                    "grade", "rating", "score", "result", "mark", "correct", "right", "answer", "bewertung", "ergebnis",
                    "nota", "resultado", "résultat", "評価",
                ]
            case .word:
                [
                    "word", "term", "phrase", "front", "vocabulary", "expression", "card", "wort", "begriff", "palabra",
                    "mot", "単語",
                ]
            case .translation:
                [
                    "translation", "meaning", "definition", "back", "hint", "übersetzung", "bedeutung", "traducción",
                    "significado", "traduction", "意味",
                ]
            case .language: ["language", "lang", "sprache", "idioma", "langue", "言語"]
            case .duration:
                [
                    "duration", "seconds", "minutes", "ms", "milliseconds", "dauer", "minuten", "duración", "minutos",
                    "durée",
                ]
            case .category: ["category", "topic", "deck", "lesson", "unit", "kategorie", "categoría", "catégorie"]
            case .partOfSpeech: ["pos", "wortart"]
            case .tags: ["tags", "labels"]
            case .number: ["id", "key", "nr", "no", "uuid"]
            }
        }
    }

    private(set) var columns: [Role: Int] = [:]
    /// The form of the times; nil if no column contains times.
    private(set) var time: TimeForm?
    let table: SampleTable

    init(_ table: SampleTable) {
        self.table = table
        for role in Role.allCases {
            columns[role] = table.columns.indices.first { index in
                !columns.values.contains(index)
                    && Self.words(in: table.columns[index]).contains(where: role.words.contains)
                    && fits(index, role)
            }
        }
        if columns[.time] == nil {
            columns[.time] = free.first { TimeForm.of(table.values($0)).map { $0.pattern != nil } ?? false }
        }
        time = columns[.time].flatMap { TimeForm.of(table.values($0)) }
        if columns[.grade] == nil { columns[.grade] = free.first { GradeForm.of(table.values($0))?.isNamed == true } }
        guard columns[.word] == nil, columns[.duration] == nil || columns[.time] == nil else { return }
        // The first column of text is the word, and the next is its translation.
        let texts = free.filter { !isNumeric($0) && !table.values($0).isEmpty }
        columns[.word] = texts.first
        if columns[.translation] == nil { columns[.translation] = texts.dropFirst().first }
    }

    subscript(_ role: Role) -> String? { columns[role].map { table.columns[$0] } }

    /// The columns without a role.
    var free: [Int] { table.columns.indices.filter { !columns.values.contains($0) } }

    private func fits(_ column: Int, _ role: Role) -> Bool {
        let values = table.values(column)
        switch role {
        case .time: return TimeForm.of(values) != nil
        case .grade: return GradeForm.of(values) != nil
        case .duration: return isNumeric(column)
        case .language: return values.allSatisfy { $0.prefix { $0 != "-" && $0 != "_" }.count <= 3 }
        case .number: return values.count == table.rows.count && Set(values).count == values.count
        default: return true
        }
    }

    func isNumeric(_ column: Int) -> Bool {
        let values = table.values(column)
        return !values.isEmpty
            && values.allSatisfy { DecimalText(Array($0.utf8), sign: Array(sign(column).utf8)) != nil }
    }

    /// The decimal sign of a column. It is a comma if a value of the column has more or fewer than three digits after
    /// its last comma. Otherwise it is a point.
    func sign(_ column: Int) -> String {
        let hasComma = table.values(column).contains { value in
            value.split(separator: ",", omittingEmptySubsequences: false).dropFirst().last.map { $0.count != 3 }
                ?? false
        }
        return hasComma ? "," : "."
    }

    /// The words of a name, without digits: `user_id`, `User ID` and `userId2` have the words user and id.
    private static func words(in name: String) -> [String] {
        var words: [String] = [""]
        var previous: Character = " "
        for character in name {
            if !character.isLetter {
                words.append("")
            } else {
                if character.isUppercase, previous.isLowercase { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            previous = character
        }
        return words.filter { !$0.isEmpty }
    }
}

/// A way of writing grades.
enum GradeForm {
    /// The four grades of reviews, by name.
    case names
    /// The numbers 1 (again), 2 (hard), 3 (good) and 4 (easy).
    case numbers
    /// Two answers: right and wrong.
    case answers
    /// A number up to a maximum.
    case score(most: Double)

    static let right = ["1", "true", "yes", "y", "ok", "right", "correct", "richtig", "ja", "sí", "si", "oui", "x"]
    private static let wrong = ["0", "false", "no", "n", "wrong", "incorrect", "falsch", "nein", "non"]
    private static let grades = ["again", "hard", "good", "easy"]

    /// True if the values themselves show that they are grades.
    var isNamed: Bool { if case .names = self { true } else { false } }

    /// The form that fits all values; nil if there is none.
    static func of(_ values: [String]) -> GradeForm? {
        let texts = Set(values.map { $0.lowercased().filter { $0 != " " } })
        guard !texts.isEmpty else { return nil }
        if texts.isSubset(of: grades) { return .names }
        if texts.isSubset(of: right + wrong) { return .answers }
        if texts.isSubset(of: ["1", "2", "3", "4"]) { return .numbers }
        let numbers = values.compactMap { value in
            DecimalText(Array(value.utf8), sign: [UInt8(ascii: value.contains(".") ? "." : ",")])?.value
        }
        guard numbers.count == values.count, let most = numbers.max(), let least = numbers.min(), least >= 0,
            most <= 100
        else { return nil }
        return .score(most: most <= 1 ? 1 : most <= 10 ? 10 : 100)
    }
}
