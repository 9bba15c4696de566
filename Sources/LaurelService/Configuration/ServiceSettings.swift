// SPDX-License-Identifier: Apache-2.0

public import LaurelHTTP
import LaurelStore

/// THE list of settings, in the order of help. To add a setting, add a property here. The configuration file, the
/// option, the environment variable, help and `laurel config show` derive from the property. Its value is a property of
/// ``ServiceOptions`` with the same name.
public struct ServiceSettings: Sendable {
    private static let address = "be an address, such as 127.0.0.1:8080"
    private static let megabyte = 1 << 20

    public let store = Setting(
        "store",
        "STORE",
        "the store: a file, or postgresql://…",
        "laurel.db",
        must: "be a file or an address",
        show: \.self,
        read: { $0.isEmpty ? nil : $0 }
    )
    /// The role of this node, if several nodes use one store.
    public let role = Setting(
        "role",
        "ROLE",
        "what this node is for: all, frontend or worker",
        ServiceRole.all,
        must: "be all, frontend (it answers, and leaves the work to others) or worker (it only works)"
    )
    public let listen = Setting(
        "listen",
        "ADDRESS",
        "where to listen",
        ListenAddress(host: "127.0.0.1", port: 8080),
        must: address,
        show: { "\($0)" },
        read: { ListenAddress($0) }
    )
    public let metricsListen = Setting(
        "metrics-listen",
        "ADDRESS",
        "where /metrics is answered without a key",
        ListenAddress?.none,
        must: address,
        show: { $0.map { "\($0)" } ?? "" },
        read: { ListenAddress($0).map { .some($0) } }
    )
    public let isOpen = Setting<Bool>(
        "open",
        "answer without a key on this machine alone, as long as the store has none"
    )
    public let signingKeyFile = Setting<String?>(
        "signing-key-file",
        "FILE",
        "a secret that learners' tokens are signed with, in place of the store's"
    )
    public let log = Setting(
        "log",
        "FORMAT",
        "a line per request: text, json or none",
        RequestLog.Format.text,
        must: "be text, json or none"
    )
    public let corsOrigins = Setting(
        "cors-origins",
        "LIST",
        "origins whose pages may ask, such as https://app.example",
        [String](),
        must: "be origins such as https://app.example, separated by commas, without a slash at the end",
        show: { $0.joined(separator: ",") },
        read: { text in
            let origins = text.split(separator: ",").map { String($0.filter { $0 != " " }) }
            let areOrigins = origins.allSatisfy {
                ($0.hasPrefix("https://") || $0.hasPrefix("http://")) && !$0.hasSuffix("/")
            }
            return areOrigins ? origins : nil
        }
    )
    public let requestsPerSecond = Setting<Int>(
        "requests-per-second",
        0...1_000_000,
        "requests of a key; a learner's token gets a tenth; 0: no limit",
        1000
    )
    public let queueBytes = Setting<Int>(
        "queue-megabytes",
        1...65_536,
        "events that may wait to be stored",
        64,
        unit: megabyte
    )
    /// The memory for learners' states, in bytes. The state of any other learner is computed again from events. If many
    /// learners are active, this computation takes most of the time of an event.
    public let learnerBytes = Setting<Int>(
        "learner-megabytes",
        1...65_536,
        "memory for cached states of learners",
        128,
        unit: megabyte
    )
    /// The maximum size of quarantine in bytes; nil for 1 GiB, or a tenth of the free disk space.
    public let quarantineBytes = Setting(
        "quarantine-megabytes",
        "N",
        "the largest size of quarantine, at most a tenth of the free disk",
        Int64?.none,
        must: "be a whole number from 1 to 1048576",
        show: { "\(Int($0 ?? QuarantineBudget.most) / megabyte)" },
        read: { text in Int64(text).flatMap { (1...1_048_576).contains($0) ? .some($0 << 20) : nil } }
    )
    public let mostConnections = Setting<Int>("most-connections", 16...1_000_000, "connections at once", 16_384)
    public let mostStreams = Setting<Int>("most-streams", 0...1_000_000, "live streams at once", 10_000)
    public let threads = Setting<Int>("threads", 1...64, "threads that read requests", 1)
    public let reportsFolder = Setting<String?>("reports", "FOLDER", "a folder of reports of your own")
    public let analyticsMapping = Setting<String?>(
        "analytics-mapping",
        "FILE",
        "a mapping for calls of analytics SDKs, in place of the format `analytics`"
    )
    public let allowsPrivateWebhooks = Setting<Bool>(
        "allow-private-webhooks",
        value: "BOOL",
        "webhooks may go to addresses of this network"
    )
    public let streakAtRiskDays = Setting<Int>(
        "streak-at-risk-days",
        1...10_000,
        "the shortest streak that is said to be at risk",
        3
    )
    public let keepQuarantineDays = Setting<Int?>(
        days: "keep-quarantine-days",
        "days after which quarantined lines are removed",
        nil
    )
    public let keepJobsDays = Setting<Int?>(days: "keep-jobs-days", "days to keep the results of jobs", 30)
    public let keepWebhookMessagesDays = Setting<Int?>(
        days: "keep-webhook-messages-days",
        "days after which webhook messages are removed",
        nil
    )
    public let keepAuditDays = Setting<Int?>(days: "keep-audit-days", "days to keep entries of the audit log", 365)
    public let fitDays = Setting<Int?>(
        days: "fit-days",
        "days between two fits of FSRS's parameters to the reviews of all learners, such as 7",
        nil
    )
    public let leaseSeconds = Setting<Int>(
        "lease-seconds",
        1...3600,
        "seconds after which another node takes over from a silent one",
        30
    )

    static let shared = ServiceSettings()
}
