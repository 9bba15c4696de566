// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LaurelAdapters

/// `docs/adapters.md` is the reference of the mapping language.
@Suite struct DocumentationTests {
    private let page = try! String(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/adapters.md"),
        encoding: .utf8
    )

    @Test(arguments: MappingKeys.allCases) func `every key is told`(keys: MappingKeys) {
        for key in keys.names { #expect(page.contains("`\(key)`"), "\(key) of \(keys.phrase)") }
    }

    @Test(arguments: SQLFunction.all.map { [$0.signature, $0.summary] })
    func `every function is told, with what it gives`(texts: [String]) {
        #expect(page.contains("| `\(texts[0])` | \(texts[1]) |"), "\(texts[0])")
    }
}
