// SPDX-License-Identifier: Apache-2.0

/// A vertical axis. It begins at 0 or below, and ends at a round number.
struct Axis {
    let low: Double
    let high: Double
    let step: Double
    /// The distance of the axis from the top of the drawing, in pixels.
    let top: Double
    let height: Double

    /// - Parameter limit: the largest possible value, such as 100 for percentages; nil for none. If a value is above
    ///   half of the limit, the axis ends at the limit.
    init(values: [Double], limit: Double? = nil, isWhole: Bool = true, top: Double = 34, height: Double = 170) {
        let least = min(0, values.min() ?? 0)
        let most = max(0, values.max() ?? 0)
        var step = NiceNumber.atLeast((most - least) / 4)
        // A count is a whole number, so its axis has whole steps.
        if isWhole { step = max(1, step) }
        if step == 0 { step = 1 }
        if let limit, most <= limit, most > limit / 2 { step = limit / 4 }
        self.step = step
        low = (least / step).rounded(.down) * step
        high = max((most / step - 1e-9).rounded(.up) * step, low + step)
        self.top = top
        self.height = height
    }

    var bottom: Double { top + height }
    func y(_ value: Double) -> Double { top + height * (high - value) / (high - low) }

    var ticks: [Double] {
        (0...Int(((high - low) / step).rounded())).map { low + Double($0) * step }
    }

    /// The number of letters of the longest label, from 1 to 16. The style sheet reserves room for them.
    static func room(_ labels: [String]) -> Int { min(max(labels.map(\.count).max() ?? 1, 1), 16) }
    /// The width reserved for a number of letters, in pixels.
    static func pixels(_ letters: Int) -> Int { 12 + 7 * letters }
}

extension Double {
    /// The number as text for an SVG attribute, with at most two digits after the point.
    var brief: String {
        let hundredths = (self * 100).rounded()
        guard hundredths.isFinite, hundredths.magnitude < 1e15 else { return "0" }
        let whole = Int(hundredths)
        let (units, rest) = (whole.magnitude / 100, whole.magnitude % 100)
        let sign = whole < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(units)" }
        if rest % 10 == 0 { return "\(sign)\(units).\(rest / 10)" }
        return "\(sign)\(units).\(rest < 10 ? "0" : "")\(rest)"
    }
}
