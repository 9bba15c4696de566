// SPDX-License-Identifier: Apache-2.0

import CEventJSON
import Foundation

/// Events whose data is in `data_base64` (CloudEvents' JSON format, section 3.1.1). Libraries use `data_base64` for
/// data that they hold as bytes, including JSON.
extension EventDecoder {
    /// The event with its `data_base64` decoded into `data`; nil if there is no `data_base64`, or its content is not
    /// JSON.
    /// - Throws: if the content type says JSON but the data are not a JSON object.
    static func plain(_ attributes: Attributes) throws(Refusal) -> [UInt8]? {
        guard let member = attributes.extensions.first(where: { $0.keyBytes.isEqual(to: "data_base64") }),
            member.type == .string, attributes[.data] == nil
        else { return nil }
        let contentType = attributes.extensions.first { $0.keyBytes.isEqual(to: "datacontenttype") }
        let type = contentType.map { String(decoding: $0.textBytes, as: UTF8.self).lowercased() }
        guard type.map(isJSON) ?? true else { return nil }
        guard let data = Data(base64Encoded: Data(member.textBytes)), isObject(data) else {
            guard type != nil else { return nil }
            throw Refusal(
                code: .invalidAttribute,
                message: "data_base64 must be base64 of a JSON object, as datacontenttype says"
            )
        }
        var event: [UInt8] = [UInt8(ascii: "{")]
        for other in attributes.all where !other.keyBytes.isEqual(to: "data_base64") {
            event += other.rawKeyBytes
            event.append(UInt8(ascii: ":"))
            event += other.rawBytes
            event.append(UInt8(ascii: ","))
        }
        return event + Array("\"data\":".utf8) + data + [UInt8(ascii: "}")]
    }

    private static func isJSON(_ type: String) -> Bool {
        let media = type.prefix { $0 != ";" }.filter { $0 != " " }
        return media.hasSuffix("/json") || media.hasSuffix("+json")
    }

    /// True if the bytes are one whole object. If other data were inserted into the event, parts of them would become
    /// attributes.
    /// - Complexity: O(length).
    private static func isObject(_ data: Data) -> Bool {
        (try? JSONSerialization.jsonObject(with: data)) is [String: Any]
    }
}
