// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The doc comments of types and of their members, read from the sources. Members have the names of their JSON.
struct DocComments {
    private(set) var texts: [String: String] = [:]
    /// The names of members in JSON, if a case of `CodingKeys` changes them.
    private var renamed: [String: String] = [:]
    /// The comments on cases of `CodingKeys`, which take precedence over those on properties.
    private var ofKeys: [String: String] = [:]

    /// - Parameter folders: folders of Swift sources.
    init(_ folders: [URL]) throws {
        for folder in folders {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in files! where file.pathExtension == "swift" {
                read(try String(contentsOf: file, encoding: .utf8))
            }
        }
        for (name, json) in renamed { texts[json] = texts[name] }
        texts.merge(ofKeys) { $1 }
    }

    /// Reads a file. The indentation of a line shows the type that it belongs to.
    private mutating func read(_ source: String) {
        var (path, comment): ([String], [Substring]) = ([], [])
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            let depth = (line.count - text.count) / 4
            if text.hasPrefix("///") {
                comment.append(text.dropFirst(3).drop { $0 == " " })
                continue
            }
            if text.hasPrefix("@") { continue }
            let isType = ["struct ", "enum ", "class ", "extension "].contains { text.contains($0) }
            if isType, let match = text.prefixMatch(of: /(?:\w+ )*(struct|enum|class|extension) ([\w.]+)/) {
                path = path.prefix(depth) + [String(match.2)]
                if match.1 != "extension" { texts[path.joined(separator: ".")] = Self.text(comment) }
            } else if path.last?.hasSuffix("CodingKeys") ?? false, text.hasPrefix("case "), depth == path.count {
                readKeys(text.dropFirst(5), path.dropLast().joined(separator: "."), Self.text(comment))
            } else if let comment = Self.text(comment),
                let match = text.prefixMatch(of: /(?:[\w()]+ )*(?:var|let) (\w+)/)
            {
                texts[path.prefix(depth).joined(separator: ".") + ".\(match.1)"] = comment
            }
            comment = []
        }
    }

    private mutating func readKeys(_ cases: Substring, _ owner: String, _ comment: String?) {
        for one in cases.split(separator: ",") {
            let parts = one.split { " =\"".contains($0) }
            guard let name = parts.first, let json = parts.last else { continue }
            if name != json { renamed["\(owner).\(name)"] = "\(owner).\(json)" }
            if let comment { ofKeys["\(owner).\(json)"] = comment }
        }
    }

    /// The comment for readers of JSON, in which nil is null.
    private static func text(_ lines: [Substring]) -> String? {
        let text = lines.prefix { $0.first != "-" }.joined(separator: " ").replacing("``", with: "`")
        return text.isEmpty ? nil : text.replacing(/\bnil\b/, with: "null")
    }
}
