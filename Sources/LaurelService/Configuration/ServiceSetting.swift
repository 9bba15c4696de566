// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP
import LaurelStore

/// One thing that can be set: as a key of the configuration file, as an option of the command, and as a variable of the environment.
public struct ServiceSetting: Sendable {
    /// As in the file; `listen` is `--listen` and `LAUREL_LISTEN`.
    public let name: String
    /// The placeholder of its value in help; nil for a switch, which a file and the environment set to `true` or `false`.
    public let value: String?
    public let summary: String
    /// Sets it; nil, or what it must be instead.
    let set: @Sendable (inout ServiceOptions, String) -> String?
    private let get: @Sendable (ServiceOptions) -> String

    /// Its value, as it would be set; empty where there is none.
    public func value(in options: ServiceOptions) -> String { get(options) }

    /// The variable of the environment.
    public var variable: String { "LAUREL_" + name.uppercased().replacing("-", with: "_") }

    private init(
        _ name: String,
        _ value: String?,
        _ summary: String,
        get: @escaping @Sendable (ServiceOptions) -> String,
        set: @escaping @Sendable (inout ServiceOptions, String) -> String?
    ) { (self.name, self.value, self.summary, self.get, self.set) = (name, value, summary, get, set) }

    /// THE list of settings.
    public static let all = [
        ServiceSetting("store", "STORE", "the store: a file, or postgresql://… (default: laurel.db)", get: \.store) {
            $0.store = $1
            return $1.isEmpty ? "must be a file or an address" : nil
        },
        ServiceSetting(
            "role",
            "ROLE",
            "what this node is for: all, frontend or worker (default: all)",
            get: \.role.rawValue
        ) { options, text in
            guard let role = ServiceRole(rawValue: text) else {
                return "must be all, frontend (it answers, and leaves the work to others) or worker (it only works)"
            }
            options.role = role
            return nil
        },
        address("listen", "where to listen (default: 127.0.0.1:8080)", { $0.listen }) { $0.listen = $1 },
        address("metrics-listen", "where /metrics is answered without a key", { $0.metricsListen }) {
            $0.metricsListen = $1
        },
        flag("open", "answer without a key on this machine alone, as long as the store has none", \.isOpen) {
            $0.isOpen = $1
        },
        ServiceSetting(
            "signing-key-file",
            "FILE",
            "a secret that learners' tokens are signed with, in place of the store's",
            get: { $0.signingKeyFile ?? "" }
        ) {
            $0.signingKeyFile = $1.isEmpty ? nil : $1
            return nil
        },
        ServiceSetting("log", "FORMAT", "a line per request: text, json or none (default: text)", get: \.log.rawValue) {
            options,
            text in
            guard let format = RequestLog.Format(rawValue: text) else { return "must be text, json or none" }
            options.log = format
            return nil
        },
        ServiceSetting(
            "cors-origins",
            "LIST",
            "origins whose pages may ask, such as https://app.example",
            get: { $0.corsOrigins.joined(separator: ",") }
        ) { options, text in
            let origins = text.split(separator: ",").map { String($0.filter { $0 != " " }) }
            guard origins.allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") }),
                !origins.contains(where: { $0.hasSuffix("/") })
            else {
                return "must be origins such as https://app.example, separated by commas, without a slash at the end"
            }
            options.corsOrigins = origins
            return nil
        },
        number(
            "requests-per-second",
            0...1_000_000,
            "requests of a key, and ten times those of a learner's token; 0: no limit (default: 1000)",
            \.requestsPerSecond
        ) {
            $0.requestsPerSecond = $1
        },
        number(
            "queue-megabytes",
            1...65_536,
            "events that may wait to be stored (default: 64)",
            { $0.queueBytes >> 20 }
        ) {
            $0.queueBytes = $1 << 20
        },
        number(
            "learner-megabytes",
            1...65_536,
            "states of learners that are kept at hand (default: 128)",
            { $0.learnerBytes >> 20 }
        ) {
            $0.learnerBytes = $1 << 20
        },
        number(
            "quarantine-megabytes",
            1...1_048_576,
            "what refused events may take, a tenth of the free disk at most (default: 1024)",
            { options in Int(options.quarantineBytes ?? QuarantineBudget.most) >> 20 }
        ) {
            $0.quarantineBytes = Int64($1) << 20
        },
        number("most-connections", 16...1_000_000, "connections at once (default: 16384)", \.mostConnections) {
            $0.mostConnections = $1
        },
        number("most-streams", 0...1_000_000, "live streams at once (default: 10000)", \.mostStreams) {
            $0.mostStreams = $1
        },
        number("threads", 1...64, "threads that read requests (default: 1)", \.threads) { $0.threads = $1 },
        ServiceSetting("reports", "FOLDER", "a folder of reports of your own", get: { $0.reportsFolder ?? "" }) {
            $0.reportsFolder = $1
            return nil
        },
        flag(
            "allow-private-webhooks",
            value: "BOOL",
            "webhooks may go to addresses of this network (default: false)",
            \.allowsPrivateWebhooks
        ) {
            $0.allowsPrivateWebhooks = $1
        },
        number(
            "streak-at-risk-days",
            1...10_000,
            "the shortest streak that is said to be at risk (default: 3)",
            \.streakAtRiskDays
        ) {
            $0.streakAtRiskDays = $1
        },
        days("keep-quarantine-days", "days after which quarantined lines are removed (default: never)", \.quarantine),
        days("keep-jobs-days", "days to keep the results of jobs (default: 30)", \.jobs),
        days(
            "keep-webhook-messages-days",
            "days after which webhook messages are removed (default: never)",
            \.webhookMessages
        ),
        days("keep-audit-days", "days to keep entries of the audit log (default: 365)", \.audit),
        number(
            "lease-seconds",
            1...3600,
            "after so many another node does the work of one that is silent (default: 30)",
            \.leaseSeconds
        ) {
            $0.leaseSeconds = $1
        },
    ]

    private static func address(
        _ name: String,
        _ summary: String,
        _ get: @escaping @Sendable (ServiceOptions) -> ListenAddress?,
        _ set: @escaping @Sendable (inout ServiceOptions, ListenAddress) -> Void
    ) -> ServiceSetting {
        ServiceSetting(name, "ADDRESS", summary, get: { options in get(options).map { "\($0)" } ?? "" }) {
            options,
            text in
            guard let address = ListenAddress(text) else { return "must be an address, such as 127.0.0.1:8080" }
            set(&options, address)
            return nil
        }
    }

    private static func flag(
        _ name: String,
        value: String? = nil,
        _ summary: String,
        _ get: @escaping @Sendable (ServiceOptions) -> Bool,
        _ set: @escaping @Sendable (inout ServiceOptions, Bool) -> Void
    ) -> ServiceSetting {
        ServiceSetting(name, value, summary, get: { "\(get($0))" }) { options, text in
            guard let value = Bool(text) else { return "must be true or false" }
            set(&options, value)
            return nil
        }
    }

    private static let mostDays = 36_500

    private static func days(
        _ name: String,
        _ summary: String,
        _ value: any WritableKeyPath<Retention, Int?> & Sendable
    ) -> ServiceSetting {
        ServiceSetting(
            name,
            "N",
            summary,
            get: { options in options.retention[keyPath: value].map { "\($0)" } ?? "never" }
        ) { options, text in
            guard text != "never", text != "0" else {
                options.retention[keyPath: value] = nil
                return nil
            }
            guard let days = Int(text), (1...mostDays).contains(days) else {
                return "must be a number of days from 1 to \(mostDays), or never"
            }
            options.retention[keyPath: value] = days
            return nil
        }
    }

    private static func number(
        _ name: String,
        _ range: ClosedRange<Int>,
        _ summary: String,
        _ get: @escaping @Sendable (ServiceOptions) -> Int,
        _ set: @escaping @Sendable (inout ServiceOptions, Int) -> Void
    ) -> ServiceSetting {
        ServiceSetting(name, "N", summary, get: { "\(get($0))" }) { options, text in
            guard let number = Int(text), range.contains(number) else {
                return "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
            set(&options, number)
            return nil
        }
    }
}
