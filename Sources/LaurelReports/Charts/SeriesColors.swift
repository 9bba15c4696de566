/// The classes of the style sheet that colour the series of a chart.
struct SeriesColors {
    let palette: ExhibitPalette
    /// How many series there are.
    let count: Int

    static let shades = 6
    static let distinct = 7

    /// - Parameter place: of the series, from 0.
    func fill(_ place: Int) -> String { palette == .distinct ? "s\(place % SeriesColors.distinct + 1)" : shade(place) }

    func stroke(_ place: Int) -> String { "t\(place % SeriesColors.distinct + 1)" }

    /// Shades spread over all there are: two series are as far apart as can be.
    private func shade(_ place: Int) -> String {
        guard count > 1 else { return "r\(SeriesColors.shades / 2)" }
        let last = SeriesColors.shades - 1
        return "r\(1 + min(last, (2 * place * last + count - 1) / (2 * (count - 1))))"
    }
}
