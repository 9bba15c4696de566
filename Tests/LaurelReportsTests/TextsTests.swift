// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelRules
import Testing

@testable import LaurelReports

/// Words in the reader's language.
@Suite struct TextsTests {
    static let languages = ShippedLanguage.all.keys.sorted()

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The names of the starter rules' buckets, as reports show them.
    private static func buckets() throws -> [String] {
        let starter = try Array(Data(contentsOf: root.appending(path: "Rules/starter.yaml")))
        let rules = try Rules(yaml: String(decoding: starter, as: UTF8.self)).ruleSet
        return (rules.xpRules.map(\.bucket) + ["adjustment", "goals", "achievements"]).map(IdentifierTitle.of)
    }

    /// All English texts that a reader may see.
    static func wanted() throws -> Set<String> {
        var wanted = try ReportLibrary().all().reduce(into: Set<String>()) { $0.formUnion($1.textsToTranslate) }
        wanted.formUnion(try ReportLibrary().all().map(\.description))
        // The state of a delivery, the kind of an unknown name, and the link to a table.
        wanted.formUnion(["gone", "attribute", "CSV"])
        wanted.formUnion(Phrase.allCases.map(\.rawValue))
        wanted.formUnion(Phrase.units.map(\.other))
        wanted.formUnion(CardPhrase.allCases.map(\.rawValue) + CardUnit.allCases.map(\.unit.other))
        wanted.formUnion(SpokenTexts.all)
        wanted.formUnion(try buckets())
        return wanted.filter { text in text.contains(where: \.isLetter) }
    }

    @Test("Nothing is missing, and nothing is there for nothing", arguments: languages)
    func whole(language: String) throws {
        let table = try #require(TextTable.shipped[language])
        #expect(table.language == language)
        let wanted = try Self.wanted()
        for text in wanted.subtracting(table.keys).sorted() {
            Issue.record("\(language) lacks “\(text)”")
        }
        for text in Set(table.keys).subtracting(wanted).subtracting(try PageTexts.all(in: Self.root)).sorted() {
            Issue.record("nothing asks \(language) for “\(text)”")
        }
    }

    @Test("What stands in braces is what the English text has", arguments: languages)
    func columns(language: String) throws {
        let table = try #require(TextTable.shipped[language])
        let units =
            Phrase.units.map(\.other) + ["weeks", "words", "learners", "reviews", "seconds"]
            + CardUnit.allCases.map(\.unit.other)
        for text in try Self.wanted().subtracting(units) {
            let (own, english) = (TextTemplate(table.text(text)).columns, TextTemplate(text).columns)
            #expect(Set(own) == Set(english), "\(language): \(text)")
        }
        let places = try PageTexts.all(in: Self.root).intersection(table.keys)
        for text in places.subtracting(try Self.wanted()).subtracting(units) {
            let (own, english) = (TextTemplate(table.text(text)).columns, TextTemplate(text).columns)
            #expect(Set(own) == Set(english), "\(language): \(text)")
        }
    }

    @Test(
        "Words after numbers, by CLDR's rules",
        arguments: [
            ("en", [0: "other", 1: "one", 1.5: "other", 2: "other", 1_000_000: "other"]),
            ("de", [0: "other", 1: "one", 1.5: "other", 2: "other", 1_000_000: "other"]),
            ("es", [0: "other", 1: "one", 1.5: "other", 2: "other", 1_000_000: "many", 1_500_000: "other"]),
            ("fr", [0: "one", 1: "one", 1.5: "one", 2: "other", 1_000_000: "many", 2_000_000: "many"]),
            ("ja", [0: "other", 1: "other", 2: "other", 1_000_000: "other"]),
        ]
    )
    func plurals(language: String, expected: [Double: String]) {
        for (number, category) in expected {
            #expect(PluralCategory.of(number, in: language).rawValue == category, "\(language) \(number)")
        }
    }

    @Test(
        "Numbers with their words",
        arguments: [
            ("de_DE", 1.0, "1 Tag"), ("de_AT", 3, "3 Tage"), ("es_ES", 1, "1 día"),
            ("es_ES", 2_000_000, "2.000.000 de días"),
            ("fr_FR", 0, "0 jour"), ("fr_FR", 1.5, "1,5 jour"), ("ja_JP", 3, "3日"), ("it_IT", 3, "3 days"),
        ]
    )
    func counted(locale: String, number: Double, expected: String) {
        let texts = TextTable.shipped.table(for: locale)
        let text = LocaleText(identifier: locale, texts: texts).counted(number, texts.unit(Phrase.days))
        #expect(text.replacing("\u{A0}", with: " ") == expected)
    }

    @Test("Durations", arguments: [("de_DE", "1 h 05 min"), ("ja_JP", "1 時間 05 分")])
    func durations(locale: String, expected: String) {
        let text = LocaleText(identifier: locale, texts: TextTable.shipped.table(for: locale)).duration(3_900_000)
        #expect(text.replacing("\u{A0}", with: " ") == expected)
    }

    private static let engine = Result { try Class.simulated(learners: 4, days: 21, seed: 4) }

    @Test("A week in the reader's language", arguments: languages)
    func page(language: String) throws {
        let engine = try Self.engine.get()
        for report in try ReportLibrary().all() {
            let request = ReportRequest(
                week: LocalDay(startOfISOWeek: "2026-W03".utf8)!,
                at: try Timestamp("2027-06-01T00:00:00Z"),
                locale: language
            )
            let maker = ReportMaker(report, engine, request)
            let table = try #require(TextTable.shipped[language])
            var documents: [Document] = []
            if report.isAboutLearners { documents.append(try maker.learner("learner-0004")) }
            if report.isAboutCohorts { documents.append(try maker.cohort()) }
            for document in documents {
                let page = try #require(ReportFormat.html.write(document, locale: language))
                #expect(page.contains("<html lang=\"\(language)\">"))
                #expect(document.title == table.text(report.title))
                // English sentences would be keys of the table.
                let sentences = table.keys.filter { $0.contains(" ") && !$0.contains("{") && table.text($0) != $0 }
                let shown = Set(
                    page.utf8.split { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }.map { String($0) }
                )
                #expect(shown.isDisjoint(with: sentences), "\(report.name)")
                let json = try #require(ReportFormat.json.write(document, locale: language))
                #expect(json.contains("\"report\":\"\(report.name)\""))
            }
        }
    }

    @Test func filesAreNamedInEnglishWhateverTheirWords() throws {
        let engine = try Class.simulated(learners: 2, days: 21, seed: 4)
        let request = ReportRequest(
            week: LocalDay(startOfISOWeek: "2026-W03".utf8)!,
            at: try Timestamp("2027-06-01T00:00:00Z"),
            locale: "ja_JP"
        )
        let maker = ReportMaker(try ReportLibrary().report("weekly-xp"), engine, request)
        let names = ReportFormat.csv.files(try maker.cohort(), locale: "ja_JP").map(\.name)
        #expect(names.contains { $0.hasSuffix("-who-and-why.csv") })
    }

    @Test func theStarterRulesNameEachGoalAndAchievementInTheSameLanguages() throws {
        let starter = try Array(Data(contentsOf: Self.root.appending(path: "Rules/starter.yaml")))
        let languages: Set = ["de", "en", "es", "fr", "ja"]
        let rules = try Rules(yaml: String(decoding: starter, as: UTF8.self)).ruleSet
        for goal in rules.goals {
            #expect(try languages.isSubset(of: #require(goal.names).translations.keys), "\(goal.id)")
        }
        for rule in rules.achievements {
            #expect(languages.isSubset(of: rule.names.translations.keys), "\(rule.id)")
            #expect(languages.isSubset(of: rule.descriptions.translations.keys), "\(rule.id)")
        }
    }

    private static let own = """
        version: 1
        title: Minutes
        cohort:
          sections:
            - exhibits:
                - title: All of it
                  show: text
                  query: SELECT 3 AS days, 1 AS one
                  columns: {days: {unit: [day, days]}, one: {unit: [word, words]}}
                  text: "Practice on {days}, and {one}."
        """

    private func said(_ yaml: String, _ locale: String) throws -> (text: String, warnings: [String]) {
        let definition = try ReportLoader.load(Array(yaml.utf8), file: "own.yaml")
        let request = ReportRequest(
            week: LocalDay(startOfISOWeek: "2026-W06".utf8)!,
            at: try Timestamp("2026-06-01T00:00:00Z"),
            locale: locale
        )
        let document = try ReportMaker(definition, Class.engine([]), request).cohort()
        let text = document.sections[0].exhibits[0].text ?? ""
        return (text.replacing("\u{A0}", with: " "), definition.warnings.map(\.description))
    }

    @Test func aReportBringsItsOwnWords() throws {
        let texts = """

            texts:
              de:
                Minutes: Minuten
                All of it: Alles
                "Practice on {days}, and {one}.": "Geübt an {days|one Tag|other Tagen}, und {one}."
                words: {one: Vokabel, other: Vokabeln}
              it: {Minutes: Minuti, Hours: Ore}
            """
        let german = try said(Self.own + texts, "de_AT")
        #expect(german.text == "Geübt an 3 Tagen, und 1 Vokabel.")
        #expect(try said(Self.own + texts, "en_GB").text == "Practice on 3 days, and 1 word.")
        #expect(
            german.warnings.map { $0.split(separator: "warning: ").last ?? "" } == [
                "“All of it” is not translated", "“Practice on {days}, and {one}.” is not translated",
                "“days” is not translated", "“words” is not translated", "the report has no text “Hours”",
            ]
        )
    }

    @Test(
        "What is wrong with texts",
        arguments: [
            ("A: \"{x}\"", "own.yaml:12:8: error: the English text has no `{x}`"),
            ("days: {one: Tag}", "own.yaml:12:11: error: the form `other` is missing"),
            ("days: {on: Tag, other: Tage}", "own.yaml:12:12: error: there is no form `on`; did you mean `one`?"),
        ]
    )
    func mistakes(text: String, expected: String) throws {
        do {
            _ = try said(Self.own + "\ntexts:\n  de:\n    \(text)", "de_DE")
            Issue.record("accepted")
        } catch let error as RulesError {
            #expect(error.description.contains(expected.replacing(":12:", with: ":13:")), "\(error.description)")
        }
    }

    @Test func aFolderBringsALanguage() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-texts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "texts"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let italian = "version: 1\nlanguage: it\ntexts: {The week in XP: La settimana in XP}\n"
        try Data(italian.utf8).write(to: folder.appending(path: "texts/it.yaml"))
        let report = try ReportLibrary(folder: folder.path).report("weekly-xp")
        #expect(report.texts.table(for: "it_IT").text("The week in XP") == "La settimana in XP")
        #expect(report.texts.table(for: "de_DE").text("Streak") != "Streak")
        #expect(report.isWritten(for: "it_IT") && report.isWritten(for: "en_US") && !report.isWritten(for: "ar_EG"))
        #expect(report.languages == (Self.languages + ["en", "it"]).sorted())
    }

    @Test func aReportOfOnesOwnIsReadAgainWhenItHasChanged() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "mine.yaml")
        func write(_ title: String) throws {
            let report = """
                version: 1
                name: mine
                title: \(title)
                description: A number
                cohort: {sections: [{title: S, exhibits: [{show: headline, query: SELECT 1 AS a}]}]}
                """
            try Data(report.utf8).write(to: file)
        }
        try write("One")
        let library = try ReportLibrary(folder: folder.path)
        #expect(try library.report("mine").title == "One" && library.all().count == 7)
        try write("Another")
        #expect(try library.report("mine").title == "Another")
        #expect(try library.all().contains { $0.title == "Another" })
        try FileManager.default.removeItem(at: file)
        #expect(throws: EngineError.self) { try library.report("mine") }
    }
}
