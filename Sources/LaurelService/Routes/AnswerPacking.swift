// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelHTTP

extension HTTPResponse {
    /// The minimum size of an answer that is compressed, in bytes: about one network packet.
    private static let leastPacked = 1400

    /// The answer, compressed in the best coding that the client accepts. Streams, small answers and images are not
    /// compressed.
    func packed(for head: HTTPRequestHead) -> HTTPResponse {
        guard case .bytes(let bytes) = body, bytes.count >= Self.leastPacked, isText,
            headers["Content-Encoding"] == nil
        else { return self }
        var answer = self
        answer.headers.add("Vary", "Accept-Encoding")
        guard let accepted = head.headers["Accept-Encoding"],
            let coding = ContentCoding.allCases.first(where: { Self.accepts($0.rawValue, accepted) }),
            let packed = coding.pack(bytes)
        else { return answer }
        answer.body = .bytes(packed)
        answer.headers["Content-Encoding"] = coding.rawValue
        // The compressed bytes differ from those that a strong tag identifies, so the tag becomes weak.
        if let tag = headers["ETag"], !tag.hasPrefix("W/") { answer.headers["ETag"] = "W/" + tag }
        return answer
    }

    private var isText: Bool {
        let type = headers["Content-Type"]?.prefix { $0 != ";" } ?? ""
        return type.hasPrefix("text/")
            || ["json", "javascript", "ndjson", "xml", "yaml"].contains { type.hasSuffix($0) }
    }

    /// True if a list such as `gzip, zstd;q=0.5` contains a coding with a quality above 0.
    private static func accepts(_ coding: String, _ list: String) -> Bool {
        list.lowercased().split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == coding else { return false }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            return quality.map { Double($0) ?? 0 > 0 } ?? true
        }
    }
}
