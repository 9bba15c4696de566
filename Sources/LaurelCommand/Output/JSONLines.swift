// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A list as a document, an element a line, written as its elements come.
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
