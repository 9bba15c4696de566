// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The version is defined in one place, and the release documents agree with it.
@Suite struct VersionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    @Test func `the changelog begins with the version that the tool tells`() throws {
        let outcome = try Laurel().run("--version")
        let version = try #require(outcome.output.split(separator: " ").last).dropLast()
        #expect(outcome == .init(output: "laurel \(version)\n"))
        let heading = try text("CHANGELOG.md").split(separator: "\n").first {
            $0.hasPrefix("## [") && !$0.hasPrefix("## [Unreleased]")
        }
        #expect(heading?.hasPrefix("## [\(version)] - 20") == true, "\(heading ?? "")")
    }
}
