// SPDX-License-Identifier: Apache-2.0

import LaurelWire
import LaurelYAML

/// The description of a table in a mapping, and the columns that the mapping reads.
struct TableSettings: Sendable {
    /// A column that an expression of the mapping names.
    struct Use: Sendable {
        var column: String
        var position: SourcePosition
        /// The entry or key that contains the expression.
        var place: String
    }

    /// The separator; nil to recognise it.
    var separator: UInt8?
    /// The encoding; nil to recognise it.
    var encoding: String?
    /// The names of the columns of a table without a header; empty if the first row is the header.
    var columns: [String] = []
    /// The columns that a file may lack.
    var optional: [String] = []
    var uses: [Use] = []

    /// The name in the mapping for a column of a file. Names are compared without regard to case.
    func name(of column: String) -> String {
        let known = uses.map(\.column) + optional
        if known.contains(column) { return column }
        let folded = column.lowercased()
        return known.first { $0.lowercased() == folded } ?? column
    }

    /// Throws an error about the first column that a file lacks.
    /// - Parameters:
    ///   - columns: the columns of the file.
    ///   - marks: the columns by which the format is recognised.
    func check(_ columns: [String], marks: [String]) throws(AdapterError) {
        let listed = columns.prefix(12).joined(separator: ", ") + (columns.count > 12 ? ", …" : "")
        if let mark = marks.first(where: { mark in !columns.contains { $0.lowercased() == mark.lowercased() } }) {
            let hint = didYouMean(aside: nearestName(to: mark, among: columns))
            throw AdapterError(message: "it has no column \(mark)\(hint); its columns are \(listed)")
        }
        guard let use = uses.first(where: { !columns.contains($0.column) && !optional.contains($0.column) }) else {
            return
        }
        let position = use.position
        let hint = didYouMean(code: nearestName(to: use.column, among: columns))
        throw AdapterError(
            message: "\(position.file):\(position.line):\(position.column): \(use.place): the file has no column "
                + "`\(use.column)`\(hint.isEmpty ? "; its columns are \(listed)" : hint)"
        )
    }
}
