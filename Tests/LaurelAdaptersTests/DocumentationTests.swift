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

    /// The site of the documents has this table in place of the comment that names it: see `.ci/site`.
    @Test func theTablesOfTheSiteAreWritten() throws {
        #expect(page.contains("<!-- table: functions -->\n"))
        let rows = SQLFunction.all.map { "| `\($0.signature)` | \($0.summary) |\n" }
        let folder = URL(filePath: #filePath).appending(path: "../../../.build/site-tables").standardized
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(("| function | gives |\n|---|---|\n" + rows.joined()).utf8)
            .write(to: folder.appending(path: "functions.md"), options: .atomic)
    }
}
