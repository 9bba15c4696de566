// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Inputs that are kept: those that once went wrong, and such as lead deep into a target.
enum Corpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus").path

    static func inputs(_ target: String) -> [(name: String, bytes: [UInt8])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(target)")) ?? []
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(target)/\(name)").map { (name, Array($0)) }
        }
    }
}
