// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A JSON list with one element per line. Each element is written when it is produced.
struct JSONLines {
    private let output: OutputStream
    private var isEmpty = true

    init(_ output: OutputStream) { self.output = output }

    mutating func add(_ element: some Encodable) throws {
        try output.write(isEmpty ? "[\n" : ",\n")
        try output.write(LaurelJSON.encode(element))
        isEmpty = false
    }

    func finish() throws(SystemError) { try output.write(isEmpty ? "[]\n" : "\n]\n") }
}
