// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// The content of a learner's message. The plain-text part and the HTML part are both written from it.
struct Letter {
    /// A link with its words.
    struct Link: Equatable {
        var words: String
        var address: String
    }

    /// The maximum number of headlines.
    private static let mostNumbers = 3
    /// The number of days after which a date is written with its year.
    private static let daysWithoutYear: Int32 = 180

    /// The learner's name without unsafe characters; nil if the learner has no name that can be shown.
    var name: String?
    /// The report's title, with the last day that it covers: `The week in XP: up to Sunday, 29 March`.
    var title: String
    var greeting: String
    /// The first text of the report.
    var sentence: String?
    /// The first headlines of the report.
    var numbers: [Headline]
    /// The link to the app, shown as a button.
    var button: Link?
    /// The link to the whole report.
    var page: Link?
    var unsubscribe: Link?
    /// The words in the message's language.
    let texts: TextTable

    /// - Parameter sent: the time of the message.
    init(_ document: Document, _ facts: LearnerFacts, _ locale: LocaleText, _ links: MailLinks, sent: Timestamp) {
        let texts = document.texts
        self.texts = texts
        let exhibits = document.sections.flatMap(\.exhibits).filter { !$0.isLeftOut }
        func link(_ link: MailLink?, _ words: Phrase) -> Link? {
            link.map { Link(words: texts(words), address: $0.address(of: facts.learner)) }
        }
        name = facts.displayName.flatMap(Letter.shown)
        title = texts.named(document.title, Letter.period(document, facts.today, locale, sent))
        greeting = name.map { texts(.helloNamed, ["name": $0]) } ?? texts(.hello)
        sentence = exhibits.first { $0.show == .text }?.text.map(EncodedWord.clean)
        let headline = exhibits.first { $0.show == .headline }
        numbers = headline.map { Array(Headline.all(of: $0, locale).prefix(Letter.mostNumbers)) } ?? []
        button = link(links.app, .practise)
        page = link(links.page, .wholeReport)
        unsubscribe = link(links.unsubscribe, .unsubscribe)
    }

    /// The phrase for the last day that the report covers, such as `up to Sunday, 29 March`.
    private static func period(_ document: Document, _ last: LocalDay, _ locale: LocaleText, _ sent: Timestamp)
        -> String
    {
        let age = LocalDay(containing: sent.milliseconds).number - last.number
        let day = locale.date(last, age > daysWithoutYear ? .weekdayOfYear : .weekdayAndDay)
        if document.language == "*" { return document.texts(.upTo, ["day": day]) }
        return document.texts(.upToInLanguage, ["day": day, "language": locale.language(document.language)])
    }

    // MARK: Names

    /// The maximum number of a name's Unicode scalars.
    private static let mostScalars = 80

    /// A learner's name, in the form that a message shows. Learners choose their names, but messages are sent in the
    /// name of the school. So a name that mail programs would show as a link is left out. A name without visible
    /// characters is also left out.
    /// - Returns: nil if the name cannot be shown.
    static func shown(_ name: String) -> String? {
        let clean = EncodedWord.clean(name)
        let isVisible = clean.unicodeScalars.contains(where: isVisible)
        let small = clean.lowercased()
        let isLink = ["://", "www.", "@", "mailto:"].contains(where: small.contains)
        guard isVisible, !isLink else { return nil }
        guard clean.unicodeScalars.count > mostScalars else { return clean }
        var cut = ""
        for character in clean {
            guard cut.unicodeScalars.count + character.unicodeScalars.count < mostScalars else { break }
            cut.append(character)
        }
        return cut.isEmpty ? nil : cut + "…"
    }

    private static func isVisible(_ scalar: UnicodeScalar) -> Bool {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return false }
        return properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .otherSymbol
    }
}
