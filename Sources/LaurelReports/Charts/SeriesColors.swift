// SPDX-License-Identifier: Apache-2.0

/// The classes of the style sheet that the series of a chart are filled with.
struct SeriesColors {
    let palette: ExhibitPalette
    /// The series, in the order of the chart.
    let names: [String]
    /// Colours that the report's file has given, from 1, by name; empty where they go by the order of the chart.
    var numbers: [String: Int] = [:]

    static let steps = 6
    static let distinct = 14

    /// What stands for the rest has a colour of its own.
    static let otherName = ""

    /// - Parameter place: of the series, from 0.
    func fill(_ place: Int) -> String {
        guard palette == .distinct else { return step(place) }
        return names.indices.contains(place) ? fill(of: names[place], place: place) : "s1"
    }

    /// - Parameter place: What the colour goes by where the name has none.
    func fill(of name: String, place: Int) -> String {
        if !numbers.isEmpty, name == SeriesColors.otherName { return "s0" }
        return "s\(SeriesColors.number(numbers[name] ?? place + 1))"
    }

    func stroke(_ place: Int) -> String { "t\(place % 7 + 1)" }

    /// A colour's number among those there are.
    static func number(_ number: Int) -> Int { (number - 1) % distinct + 1 }

    /// Steps spread over all there are: two series are as far apart as can be.
    private func step(_ place: Int) -> String {
        let last = SeriesColors.steps - 1
        guard names.count > 1 else { return "r4" }
        return "r\(1 + min(last, (2 * place * last + names.count - 1) / (2 * (names.count - 1))))"
    }
}
