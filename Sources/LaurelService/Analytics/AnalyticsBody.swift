// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelHTTP

/// The body of a request of an analytics SDK.
struct AnalyticsBody {
    /// The maximum size in bytes, before and after decompression. The SDKs send at most 5 MB.
    static let limit = 6 << 20
    /// The maximum number of calls.
    private static let mostCalls = 10_000

    private let content: JSONTree
    /// The write key in the body; nil if there is none.
    let key: String?

    /// Reads a body as the SDKs send it: JSON with or without compression, or a form field `data` in Base64.
    init(_ bytes: [UInt8], _ head: HTTPRequestHead) throws(Problem) {
        var json = try Self.unpacked(bytes, head)
        if json.starts(with: "data=".utf8) { json = try Self.formData(json, head) }
        content = try Self.parse(json)
        key = Self.key(in: content)
    }

    static let tooLong = Problem(413, "body-too-large", "the body may have \(limit >> 20) MiB, packed or not")

    private static func unpacked(_ bytes: [UInt8], _ head: HTTPRequestHead) throws(Problem) -> [UInt8] {
        // PostHog's SDK for browsers sends gzip without the header field.
        guard let unpacker = try BodyUnpacker.make(head) ?? BodyUnpacker.make(for: bytes) else { return bytes }
        return try unpacker.unpack(bytes, atMost: limit, else: tooLong)
    }

    private static func formData(_ form: [UInt8], _ head: HTTPRequestHead) throws(Problem) -> [UInt8] {
        let field = form.dropFirst("data=".utf8.count).prefix { $0 != UInt8(ascii: "&") }
        // In a form, a plus sign is a space, but some SDKs send Base64 without percent signs.
        let text = PercentCoding.decode(String(decoding: field, as: UTF8.self)[...]) ?? ""
        guard let data = Data(base64Encoded: text.replacing(" ", with: "+")) else {
            throw Problem(400, "invalid-json", "the form's field data is not Base64")
        }
        return try unpacked(Array(data), HTTPRequestHead(method: head.method, target: head.path, headers: [:]))
    }

    private static func parse(_ json: [UInt8]) throws(Problem) -> JSONTree {
        let isList = json.first { $0 > 0x20 } == UInt8(ascii: "[")
        let text = isList ? Array("{\"batch\":".utf8) + json + [UInt8(ascii: "}")] : json
        let problem = text.withUnsafeBufferPointer { JSONObjectCheck().problem(in: $0) }
        guard problem == nil, let tree = JSONTree(validated: text) else {
            throw Problem(400, "invalid-json", "the body is not the JSON of an SDK: \(problem?.message ?? "not JSON")")
        }
        return tree
    }

    /// The write key in the body. Its place depends on the SDK and on the SDK's version.
    private static func key(in content: JSONTree) -> String? {
        for name in ["writeKey", "api_key", "token"] { if let key = content[name]?.id { return key } }
        guard case .array(let calls)? = content["batch"] else { return content["properties"]?["token"]?.id }
        return calls.first.flatMap { $0["api_key"]?.id ?? $0["token"]?.id ?? $0["properties"]?["token"]?.id }
    }

    /// The calls in the body, in order.
    /// - Parameters:
    ///   - query: the query of the request. PostHog's SDK for browsers sends the time of the request in the query.
    ///   - received: the time of the request, in milliseconds since 1970.
    func messages(
        _ dialect: AnalyticsMessage.Dialect,
        query: String?,
        received: Int64
    ) throws(Problem) -> [AnalyticsMessage] {
        let clock = DeviceClock(received: received, sent: sent(query))
        guard let batch = content["batch"] else {
            var call = content
            for name in Self.envelope { call[name] = nil }
            return [AnalyticsMessage(call, dialect, clock)]
        }
        guard case .array(let calls) = batch else {
            throw Problem(400, "invalid-json", "batch must be a list of calls")
        }
        guard calls.count <= Self.mostCalls else {
            throw Problem(413, "body-too-large", "a batch has at most \(Self.mostCalls) calls")
        }
        return calls.map { call in
            var call = call
            if call["context"] == nil, let context = content["context"] { call["context"] = context }
            for name in ["api_key", "token"] { call[name] = nil }
            return AnalyticsMessage(call, dialect, clock)
        }
    }

    /// The names of members that belong to the whole request, not to a call.
    private static let envelope = ["writeKey", "api_key", "token", "sentAt", "sent_at"]

    private func sent(_ query: String?) -> Timestamp? {
        if let written = content["sentAt"]?.id ?? content["sent_at"]?.id { return try? Timestamp(written) }
        let field = (query ?? "").split(separator: "&").first { $0.hasPrefix("_=") }
        return field.flatMap { Int64($0.dropFirst(2)) }.flatMap {
            Timestamp.range.contains($0) ? Timestamp(milliseconds: $0) : nil
        }
    }
}
