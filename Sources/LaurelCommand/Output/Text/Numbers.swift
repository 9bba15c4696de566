// SPDX-License-Identifier: Apache-2.0

/// Numbers, times and durations for people.
enum Numbers {
    /// A whole number with grouped digits, such as `1,234,567`.
    static func grouped(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// A whole number without digits after the point; any other number with `decimals` digits.
    static func grouped(_ number: Double, decimals: Int = 1) -> String {
        if let whole = Int64(exactly: number) { return grouped(whole) }
        guard number.isFinite, number.magnitude < 1e15 else { return "\(number)" }
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = Int64((number.magnitude * scale).rounded())
        let fraction = String(scaled % Int64(scale))
        let padding = String(repeating: "0", count: decimals - fraction.count)
        return (number < 0 ? "-" : "") + "\(grouped(scaled / Int64(scale))).\(padding)\(fraction)"
    }

    /// A percentage without digits after the point, rounded down, so that only a complete share is 100%.
    static func percent(_ percent: Double) -> String { "\(Int(min(max(percent, -999), 999)))%" }

    /// A duration, such as `4.2 s`, `3 min 05 s` or `2 h 10 min`.
    static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "?" }
        if seconds < 0.1 { return "\(grouped(max(1, (seconds * 1000).rounded()))) ms" }
        if seconds < 10 { return "\(grouped((seconds * 10).rounded() / 10)) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
        return "\(grouped(whole / 3600)) h \(twoDigits(whole / 60 % 60)) min"
    }

    /// A number and its noun, such as `1 line` or `2 lines`.
    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
