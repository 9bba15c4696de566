// SPDX-License-Identifier: Apache-2.0

/// The style sheet's classes that fill the series of a chart.
struct SeriesColors {
    let palette: ExhibitPalette
    /// The names of the series, in the order of the chart.
    let names: [String]
    /// The numbers of the colours that the report's file defines, from 1, by series name. If it is empty, the colours
    /// follow the order of the chart.
    var numbers: [String: Int] = [:]

    static let steps = 6
    static let distinct = 14

    /// The name of the series that contains all other values. It has a separate colour.
    static let otherName = ""

    /// - Parameter place: the index of the series in the chart, from 0.
    func fill(_ place: Int) -> String {
        guard palette == .distinct else { return step(place) }
        return names.indices.contains(place) ? fill(of: names[place], place: place) : "s1"
    }

    /// - Parameter place: the index that decides the colour if ``numbers`` has no colour for the name.
    func fill(of name: String, place: Int) -> String {
        if !numbers.isEmpty, name == SeriesColors.otherName { return "s0" }
        return "s\(SeriesColors.number(numbers[name] ?? place + 1))"
    }

    func stroke(_ place: Int) -> String { "t\(place % 7 + 1)" }

    /// The number of a colour, reduced to the range of the palette, from 1.
    static func number(_ number: Int) -> Int { (number - 1) % distinct + 1 }

    /// The shade of a series. The shades are spread over the whole range, so that the series are easy to distinguish.
    private func step(_ place: Int) -> String {
        let last = SeriesColors.steps - 1
        guard names.count > 1 else { return "r4" }
        return "r\(1 + min(last, (2 * place * last + names.count - 1) / (2 * (names.count - 1))))"
    }
}
