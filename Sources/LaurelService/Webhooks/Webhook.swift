import Foundation
import Laurel
import LaurelEvents
import LaurelWire

/// Somebody who is told of what happens to learners, by Standard Webhooks.
struct Webhook: Codable, Sendable, Hashable {
    var id: String
    var url: String
    /// Of ``Announcement/Kind``; empty for all.
    var events: [String]
    /// `whsec_` and Base64: readable, since each message is signed with it.
    var secret: String
    var createdAt: Date
    /// When it was turned off, because it answered 410.
    var disabledAt: Date?

    static let secretPrefix = "whsec_"

    static func newSecret() -> String { secretPrefix + Data(Secrets.random(32)).base64EncodedString() }

    /// What messages are signed with.
    private var key: [UInt8] {
        Data(base64Encoded: String(secret.dropFirst(Self.secretPrefix.count))).map { Array($0) } ?? []
    }

    /// The value of `webhook-signature`.
    func signature(_ id: String, _ timestamp: Int, _ body: String) -> String {
        "v1," + Data(Secrets.authenticate(Array("\(id).\(timestamp).\(body)".utf8), key: key)).base64EncodedString()
    }

    func wants(_ kind: Announcement.Kind) -> Bool {
        disabledAt == nil && (events.isEmpty || events.contains(kind.rawValue))
    }

    /// What is told of it: its secret was shown once.
    var listing: JSONValue {
        [
            "id": .string(id), "url": .string(url), "events": .array(events.map { .string($0) }),
            "createdAt": .string(Timestamp.utc(createdAt.milliseconds)),
            "disabledAt": disabledAt.map { .string(Timestamp.utc($0.milliseconds)) } ?? .null,
        ]
    }
}

/// A message on its way to one webhook, as the store keeps it until it is delivered.
struct WebhookMessage: Codable, Sendable, Hashable {
    /// The same at every attempt: who has seen it can tell.
    var id: String
    var webhook: String
    var body: String
    var createdAt: Date
    var attempts = 0
    var notBefore: Date

    init(_ announcement: Announcement, to webhook: Webhook, at date: Date) {
        id = "msg_" + Base64URL.encode(Secrets.random(18))
        self.webhook = webhook.id
        (createdAt, notBefore) = (date, date)
        var data = announcement.data
        data["learner"] = .string(announcement.learner)
        let document: JSONValue = [
            "type": .string(announcement.kind.rawValue), "timestamp": .string(Timestamp.utc(date.milliseconds)),
            "data": .object(data),
        ]
        body = document.json
    }

    /// Where it stands in the store, learner by learner, so that it goes with the learner.
    func name(of learner: String) -> String {
        "\(ProgressEngine.messages)\(webhook)/\(Array(learner.utf8).hexadecimal)/\(id)"
    }

    /// Seconds to wait after so many attempts; after the last, three days and more, nobody is there any more.
    static let waits: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
}
