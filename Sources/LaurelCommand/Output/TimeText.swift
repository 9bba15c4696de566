import LaurelEvents

/// Instants for people, in UTC.
enum TimeText {
    /// `2026-02-05`.
    static func day(_ milliseconds: Int64) -> String { String(Timestamp.utc(milliseconds).prefix(10)) }

    /// `2026-02-05 18:00`.
    static func minute(_ milliseconds: Int64) -> String {
        let text = Timestamp.utc(milliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// `18:00:07`.
    static func second(_ milliseconds: Int64) -> String { String(Timestamp.utc(milliseconds).dropFirst(11).prefix(8)) }
}
