// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelResults
import LaurelWire

/// Any JSON.
struct AnyJSON: Codable {
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decodeNil() }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encodeNil()
    }
}

// Documents that the service writes without a Swift type. Tests compare these types with the real answers.

/// Problem Details (RFC 9457), with a stable code. Problems of sent events also have the members of RequestReport.
struct ProblemDocument: Codable {
    /// Always about:blank.
    var type: String
    /// The status in words.
    var title: String
    /// HTTP status.
    var status: Int
    /// Stable code, in lower-case words joined by hyphens.
    var code: String
    /// Description of the mistake, and of its correction.
    var detail: String
    /// The same text as in detail.
    var message: String
    /// Number of events that were read.
    var read: Int?
    /// Number of events that were new, and are stored now.
    var stored: Int?
    /// Number of events that were stored already.
    var duplicates: Int?
    /// Number of events with the identity of a stored event, but other content.
    var conflicts: Int?
    /// Number of records that are not valid events.
    var refused: Int?
    /// Number of problems that quarantine had no room for; missing if there are none.
    var notKept: Int?
    /// Refused and conflicting events by index, at most 1,000.
    var problems: [RequestReport.Problem]?
    /// Number of problems that are not listed; missing if all problems are listed.
    var problemsOmitted: Int?
    /// Names that are in neither the catalogue nor the rules; missing if there are none.
    var unknown: [IngestReport.UnknownName]?
    /// Counts of the lines that were stored before the failure, as a text that contains JSON.
    var before: String?
    /// Mistakes in rules or a report; missing for other problems.
    var diagnostics: [Diagnostic]?

    private enum CodingKeys: OmittableKey {
        case type, title, status, code, detail, message, read, stored, duplicates, conflicts, refused, notKept, problems
        case problemsOmitted, unknown, before, diagnostics

        var isOmittedIfNil: Bool { true }
    }
}

/// An operation that takes longer than a request. Its result is the same as that of the command.
struct Job: Codable {
    /// The job's id.
    var id: String
    /// The kind of the job: replay, verify, merge, fit, rules, comparison or leagues.
    var kind: String
    /// The state: waiting, running, done or failed.
    var state: String
    /// Finished share, 0 to 1.
    var share: Double
    /// Number of starts; more than 1 if a process ended while it ran the job.
    var attempts: Int
    /// Time of the latest start; null before the first start.
    var startedAt: Date?
    /// Time at which the job ended; null before.
    var endedAt: Date?
    /// Process that runs or ran the job; missing before the start, or if only one process can run jobs.
    var node: String?
    /// Result as the command prints it; missing in lists, and if the job is not done.
    var result: AnyJSON?
    /// Reason of the failure; missing unless the job failed.
    var problem: ProblemDocument?

    private enum CodingKeys: OmittableKey {
        case id, kind, state, share, attempts, startedAt, endedAt, node, result, problem

        var isOmittedIfNil: Bool { self == .node || self == .result || self == .problem }
    }
}

/// A CloudEvent. Further attributes of the sent event are members, too.
struct CloudEvent: Codable {
    /// The event's id, unique to its learner and source.
    var id: String
    /// Origin of the event, such as an app on a device.
    var source: String
    /// The event's type, such as line.spoken.
    var type: String
    /// The learner's id.
    var subject: String
    /// Time of the event, RFC 3339 as it was sent.
    var time: String
    /// The version of CloudEvents, 1.0.
    var specversion: String?
    /// Language tag, such as es; missing if the event has none.
    var language: String?
    /// The session's id; missing outside sessions.
    var session: String?
    /// IANA name of the learner's time zone; missing if the event has none.
    var timezone: String?
    /// Data of the event, by field.
    var data: [String: AnyJSON]?

    private enum CodingKeys: OmittableKey {
        case id, source, type, subject, time, specversion, language, session, timezone, data

        var isOmittedIfNil: Bool { true }
    }
}

/// A report on a learner, a cohort or everyone, as data.
struct ReportContent: Codable {
    /// The week of a report.
    struct Week: Codable {
        /// The week's name, such as 2026-W06.
        var name: String
        /// First day, YYYY-MM-DD.
        var start: String
        /// Last day, YYYY-MM-DD.
        var end: String
        /// True if the report was made before the week ended.
        var unfinished: Bool
    }

    /// A part of a report.
    struct Section: Codable {
        /// Title for people; null if there is none.
        var title: String?
        /// Tables and charts, in the order of the report.
        var exhibits: [Exhibit]
    }

    /// A table or chart. Its columns describe the members of its rows.
    struct Exhibit: Codable {
        /// Title for people; null if there is none.
        var title: String?
        /// The form: headline, bar, stackedBar, line, histogram, dots, heatmap, funnel, calendar, ring, table or text.
        var show: String
        /// Text to show; null if there is none.
        var text: String?
        /// Note beside the exhibit; null if there is none.
        var note: String?
        /// Column that names the series; null if there is none.
        var series: String?
        /// Columns, each with its name, title and type, and its unit or null.
        var columns: [[String: AnyJSON]]
        /// Rows, each with its values by column name.
        var rows: [[String: AnyJSON]]
    }

    /// Name of the report.
    var report: String
    /// Title for people.
    var title: String
    /// Subject of the report, with the members learner and name, or cohort, or everyone.
    var subject: [String: AnyJSON]
    /// Instant of the report, RFC 3339.
    var asOf: String
    /// Language tag; * for all languages together.
    var language: String
    /// The week of the report.
    var week: Week
    /// Parts of the report, in the order of the page.
    var sections: [Section]
}
