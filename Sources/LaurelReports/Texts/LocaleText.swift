// SPDX-License-Identifier: Apache-2.0

import Foundation
package import LaurelWire
import Synchronization

/// Numbers, dates and durations in the form that is usual in a locale, together with the words around them.
package final class LocaleText: Sendable {
    enum DateStyle: Hashable {
        /// The styles in order: Sun 8 Feb 2026; 8 February 2026; 8 Feb; Sun; 8; Feb; February 2026; Sunday, 8 February;
        /// Sunday, 8 February 2026.
        case full, long, short, weekday, day, month, monthOfYear, weekdayAndDay, weekdayOfYear

        var template: String {
            switch self {
            case .full: "EEEdMMMy"
            case .long: "dMMMMy"
            case .short: "dMMM"
            case .weekday: "EEE"
            case .day: "d"
            case .month: "MMM"
            case .monthOfYear: "MMMMy"
            case .weekdayAndDay: "EEEEdMMMM"
            case .weekdayOfYear: "EEEEdMMMMy"
            }
        }
    }

    static let defaultIdentifier = "en_GB"

    package let identifier: String
    /// The language tag of the texts, such as `pt-BR`.
    package var language: String { texts.language }
    /// The words around numbers and dates.
    let texts: TextTable
    private let locale: Locale
    private let memory = Mutex(Memory())

    package static let english = LocaleText()
    /// English texts with numbers in the form that programs read, without separators of thousands.
    package static let plain = LocaleText(identifier: "en_US_POSIX")
    /// The texts for the reader of the page that is being written.
    @TaskLocal package static var current = LocaleText.english

    /// The languages in which Laurel has texts. Each has its tag, and its name in the language itself.
    package static let languages: [(tag: String, name: String)] = (["en"] + ShippedLanguage.all.keys.sorted()).map {
        (tag: $0, name: Locale(identifier: $0).localizedString(forIdentifier: $0) ?? $0)
    }

    /// The texts for a locale, such as `de_AT`; nil if Laurel has no texts in the locale's language.
    package static func shipped(for locale: String) -> LocaleText? {
        let texts = TextTable.shipped.table(for: locale)
        guard !texts.isEnglish || ReportLocale.isEnglish(locale) else { return nil }
        return LocaleText(identifier: locale, texts: texts)
    }

    /// - Parameters:
    ///   - wanted: the reader's locale. If Laurel has no texts in its language, numbers and dates are also English.
    init(identifier wanted: String = LocaleText.defaultIdentifier, texts: TextTable = .english) {
        identifier = ReportLocale.isEnglish(wanted) || !texts.isEnglish ? wanted : LocaleText.defaultIdentifier
        self.texts = texts
        locale = Locale(identifier: identifier)
    }

    // MARK: Cache

    private enum Key: Hashable {
        case number(Int), date(LocalDay, DateStyle), period(LocalDay, LocalDay), language(String)
    }

    /// Formatters and finished texts. They are cached, because both take long to make.
    private struct Memory {
        var numberFormatters: [Int: NumberFormatter] = [:]
        var dateFormatters: [DateStyle: DateFormatter] = [:]
        var texts: [Key: String] = [:]
        /// The maximum number of cached texts. It is limited, because a service may run for years.
        static let mostTexts = 10_000
    }

    /// The text of a key. The text is made on first use, and then cached.
    private func kept(_ key: Key, _ write: (inout Memory) -> String) -> String {
        memory.withLock { memory in
            if let text = memory.texts[key] { return text }
            let text = write(&memory)
            if memory.texts.count >= Memory.mostTexts { memory.texts = [:] }
            memory.texts[key] = text
            return text
        }
    }

    // MARK: Cells

    /// A value with its unit, for texts and headlines.
    func text(_ cell: Cell, _ column: DataTable.Column) -> String {
        let value = self.value(cell, column)
        guard let unit = column.unit, let number = cell.number, column.type == .number else { return value }
        return unit.counted(rounded(number, column.decimals), value)
    }

    /// A number with its unit.
    func counted(_ number: Double, _ unit: ColumnUnit, decimals: Int? = nil) -> String {
        unit.counted(rounded(number, decimals), self.number(number, decimals: decimals))
    }

    /// Rounds a number to the digits that are shown.
    private func rounded(_ number: Double, _ decimals: Int?) -> Double {
        if number == number.rounded() { return number }
        let scale = pow(10, Double(decimals ?? 2))
        return (number * scale).rounded() / scale
    }

    /// A sentence which says that only some rows are shown.
    func shown(_ count: Int, of all: Int) -> String {
        texts(.shown, ["shown": number(Double(count)), "all": number(Double(all))])
    }

    /// A value without its unit, for a column whose heading contains the unit.
    func value(_ cell: Cell, _ column: DataTable.Column) -> String {
        switch (cell, column.type) {
        case (.null, _): return "–"
        case (.text(let text), .date):
            return LocalDay(parsing: text.utf8).map { date($0, .full) } ?? text
        case (.text(let text), .month):
            return LocalDay(startOfMonth: text).map { date($0, .monthOfYear) } ?? text
        case (.text(let text), .language): return language(text)
        case (.text(let text), .phrase): return texts.text(text)
        case (.text(let text), _): return text
        case (.number(let number), .percent): return percent(number, decimals: column.decimals ?? 0)
        case (.number(let number), .duration): return duration(number)
        case (.number(let number), _): return self.number(number, decimals: column.decimals)
        }
    }

    // MARK: Numbers

    /// - Parameter decimals: the maximum number of digits after the point; nil for two.
    package func number(_ number: Double, decimals: Int? = nil) -> String {
        if let whole = Int(exactly: number) { return kept(.number(whole)) { formatted(number, decimals: 0, &$0) } }
        return memory.withLock { formatted(number, decimals: decimals ?? 2, &$0) }
    }

    /// - Parameter percent: a percentage, 0 … 100. A value below 100 is never shown as 100 %.
    package func percent(_ percent: Double, decimals: Int = 0) -> String {
        let scale = pow(10, Double(decimals))
        var rounded = (percent * scale).rounded() / scale
        if rounded >= 100, percent < 100 { rounded = (percent * scale).rounded(.down) / scale }
        return memory.withLock { formatted(rounded / 100, decimals: -1 - decimals, &$0) }
    }

    /// The duration as `2 h 05 min`, `12 min` or `40 s`.
    package func duration(_ milliseconds: Double) -> String {
        let seconds = (milliseconds / 1000).rounded(.down)
        guard seconds.isFinite, seconds.magnitude < 1e12 else { return "–" }
        if seconds != 0, seconds.magnitude < 60 { return whole(.seconds, ["n": number(seconds)]) }
        let minutes = (seconds / 60).rounded(.towardZero)
        if minutes.magnitude < 60 { return whole(.minutes, ["n": number(minutes)]) }
        let hours = (minutes / 60).rounded(.towardZero)
        let rest = Int((minutes - hours * 60).magnitude)
        let padded = (rest < 10 ? number(0) : "") + number(Double(rest))
        return whole(.hoursAndMinutes, ["hours": number(hours), "minutes": padded])
    }

    /// A phrase with spaces at which lines are not broken.
    private func whole(_ phrase: Phrase, _ values: KeyValuePairs<String, String>) -> String {
        String(texts(phrase, values).map { $0 == " " ? "\u{A0}" : $0 })
    }

    /// - Parameter decimals: the number of digits after the point. A negative number means a percentage: −1 for no
    ///   digits, −2 for one digit.
    private func formatted(_ number: Double, decimals: Int, _ memory: inout Memory) -> String {
        let formatter = memory.numberFormatters[decimals] ?? makeNumberFormatter(decimals)
        memory.numberFormatters[decimals] = formatter
        return formatter.string(from: NSNumber(value: number == 0 ? 0 : number)) ?? "\(number)"
    }

    private func makeNumberFormatter(_ decimals: Int) -> NumberFormatter {
        let formatter = NumberFormatter()
        formatter.locale = locale
        formatter.numberStyle = decimals < 0 ? .percent : .decimal
        formatter.maximumFractionDigits = decimals < 0 ? -1 - decimals : decimals
        formatter.roundingMode = .halfUp
        return formatter
    }

    // MARK: Languages

    /// A language's name, such as `Portuguese (Brazil)`; the tag itself if the language has no name.
    func language(_ tag: String) -> String {
        let isTag =
            tag.utf8.count <= 35 && tag.utf8.allSatisfy { $0 == UInt8(ascii: "-") || LocaleText.isLetterOrDigit($0) }
        guard isTag, !tag.isEmpty else { return tag }
        return kept(.language(tag)) { _ in
            let names = Locale(identifier: texts.isEnglish ? LocaleText.defaultIdentifier : texts.language)
            return names.localizedString(forIdentifier: tag) ?? tag
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte >= 48 && byte <= 57) || (byte | 0x20 >= 97 && byte | 0x20 <= 122)
    }

    // MARK: Dates

    /// A day: `Thu 2 Apr 2026`.
    package func day(_ day: LocalDay) -> String { date(day, .full) }

    func date(_ day: LocalDay, _ style: DateStyle) -> String {
        kept(.date(day, style)) { formatter(style, &$0).string(from: LocaleText.instant(day)) }
    }

    /// A day and a time of day, in the time zone offset with which the time was written.
    func moment(_ time: Timestamp) -> String {
        let text = "\(time)"
        let day = LocalDay(parsing: text.prefix(10).utf8).map { date($0, .long) } ?? String(text.prefix(10))
        return "\(day), \(text.dropFirst(11).prefix(5))"
    }

    /// The span between two days, such as `2–8 February 2026`.
    package func period(_ first: LocalDay, _ last: LocalDay) -> String {
        kept(.period(first, last)) { _ in
            let formatter = DateIntervalFormatter()
            formatter.locale = locale
            formatter.calendar = Calendar(identifier: .gregorian)
            formatter.timeZone = Foundation.TimeZone(secondsFromGMT: 0)
            formatter.dateTemplate = DateStyle.long.template
            return formatter.string(from: LocaleText.instant(first), to: LocaleText.instant(last))
        }
    }

    private static func instant(_ day: LocalDay) -> Date { Date(timeIntervalSince1970: Double(day.number) * 86_400) }

    /// A weekday's short name: `Thu`.
    /// - Parameter weekday: 1 for Monday to 7 for Sunday.
    package func weekdayName(_ weekday: Int) -> String {
        let names = memory.withLock { formatter(.full, &$0).shortStandaloneWeekdaySymbols }
        return names.count == 7 ? names[weekday % 7] : ""
    }

    private func formatter(_ style: DateStyle, _ memory: inout Memory) -> DateFormatter {
        if let formatter = memory.dateFormatters[style] { return formatter }
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.timeZone = Foundation.TimeZone(secondsFromGMT: 0)
        formatter.setLocalizedDateFormatFromTemplate(style.template)
        // In British English, only the date with a year has a comma. A comma is added to the date without a year, so
        // that both look alike.
        if formatter.dateFormat == "EEEE d MMMM", texts.isEnglish { formatter.dateFormat = "EEEE, d MMMM" }
        // Days in the data are Gregorian, even if the locale has another calendar.
        formatter.calendar = Calendar(identifier: .gregorian)
        memory.dateFormatters[style] = formatter
        return formatter
    }
}

extension LocalDay {
    /// - Parameter month: a month, `YYYY-MM`.
    init?(startOfMonth month: String) {
        guard month.utf8.count == 7 else { return nil }
        self.init(parsing: "\(month)-01".utf8)
    }
}

/// The known locales.
public enum ReportLocale {
    /// The default locale.
    public static var usual: String { LocaleText.defaultIdentifier }

    /// The locale in Foundation's spelling; nil if it is unknown.
    public static func known(_ identifier: String) -> String? {
        let wanted = identifier.replacingOccurrences(of: "-", with: "_")
        return Locale.availableIdentifiers.contains(wanted) ? wanted : nil
    }

    /// True if the language of the locale is English.
    static func isEnglish(_ identifier: String) -> Bool {
        Locale.Language(identifier: identifier).languageCode?.identifier == "en"
    }

    /// The known locale that the user probably meant; nil if no locale is similar.
    public static func nearest(to identifier: String) -> String? {
        nearestName(
            to: identifier.replacingOccurrences(of: "-", with: "_"),
            among: Locale.availableIdentifiers.sorted()
        )
    }
}
