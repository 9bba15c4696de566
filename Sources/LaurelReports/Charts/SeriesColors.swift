// SPDX-License-Identifier: Apache-2.0

/// The classes of the style sheet that the series of a chart are filled with.
struct SeriesColors {
    let palette: ExhibitPalette
    /// The series, in the order of the chart.
    let names: [String]
    /// The colours that the report's file gives, from 1, by name; empty if colours follow the order of the chart.
    var numbers: [String: Int] = [:]

    static let steps = 6
    static let distinct = 14

    /// The series of all remaining values has a colour of its own.
    static let otherName = ""

    /// - Parameter place: the index of the series, from 0.
    func fill(_ place: Int) -> String {
        guard palette == .distinct else { return step(place) }
        return names.indices.contains(place) ? fill(of: names[place], place: place) : "s1"
    }

    /// - Parameter place: the index that decides the colour if the name has none.
    func fill(of name: String, place: Int) -> String {
        if !numbers.isEmpty, name == SeriesColors.otherName { return "s0" }
        return "s\(SeriesColors.number(numbers[name] ?? place + 1))"
    }

    func stroke(_ place: Int) -> String { "t\(place % 7 + 1)" }

    /// The number of a colour, brought into the range of the palette.
    static func number(_ number: Int) -> Int { (number - 1) % distinct + 1 }

    /// The shade of a series. Shades are spread over the whole range, so that series differ as much as possible.
    private func step(_ place: Int) -> String {
        let last = SeriesColors.steps - 1
        guard names.count > 1 else { return "r4" }
        return "r\(1 + min(last, (2 * place * last + names.count - 1) / (2 * (names.count - 1))))"
    }
}
