// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

extension TestService {
    /// Adds a webhook to an address where no server listens, so messages stay waiting.
    func addSilentWebhook(_ events: String = "[]") throws {
        let body = #"{"url":"http://127.0.0.1:9/","events":\#(events)}"#
        #expect(try send("POST", "/v1/webhooks", body).status == 201)
    }

    /// The waiting messages about a learner, each as its type and its sorted data without the learner, in byte order.
    /// - Parameter member: the member of the data with the id; `group` for messages about a group.
    func waitingMessages(about id: String = "ana", as member: String = "learner") throws -> [String] {
        let records = try service.engine.serviceRecords(prefix: "outbox/").values
        return try records.compactMap { record -> String? in
            let kept = try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any]
            let body = try #require(kept?["body"] as? String)
            #expect(DescribedAnswer.problems(ofMessage: Array(body.utf8)) == [])
            let message = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            var data = try #require(message?["data"] as? [String: Any])
            guard data.removeValue(forKey: member) as? String == id else { return nil }
            let text = try JSONSerialization.data(withJSONObject: data, options: .sortedKeys)
            return "\(message?["type"] ?? "") \(String(decoding: text, as: UTF8.self))"
        }.sorted()
    }
}
