/// Comma-separated values after RFC 4180, with line feeds.
struct CSVText {
    private let output: OutputStream

    /// - Parameter columns: names for the first line.
    init(_ output: OutputStream, _ columns: [String]) throws(SystemError) {
        self.output = output
        try add(columns)
    }

    func add(_ cells: [String]) throws(SystemError) {
        try output.writeLine(cells.map(CSVText.quoted).joined(separator: ","))
    }

    private static func quoted(_ cell: String) -> String {
        // A carriage return and a line feed are one Character, so scalars are looked at.
        guard cell.unicodeScalars.contains(where: { [",", "\"", "\n", "\r"].contains($0) }) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Whole numbers without a point.
    static func number(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? "\(number)" }
}
