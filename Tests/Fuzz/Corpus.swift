// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The stored inputs: those that failed once, and those that reach deep into a target.
enum Corpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus").path

    static func inputs(_ target: String) -> [(name: String, bytes: [UInt8])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(target)")) ?? []
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(target)/\(name)").map { (name, Array($0)) }
        }
    }
}
