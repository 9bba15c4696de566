// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// The content of a page, without the parts that every page has.
struct Page {
    /// The entry of the navigation to which the page belongs.
    enum Section: String, CaseIterable {
        case home, learners, leaderboard, achievements, rules, intake, reports, keys, webhooks, jobs, audit, health

        var title: PageText {
            switch self {
            case .home: "Home"
            case .learners: "Learners"
            case .leaderboard: "Leaderboard"
            case .achievements: "Achievements"
            case .rules: "Rules"
            case .intake: "Intake"
            case .reports: "Reports"
            case .keys: "Keys"
            case .webhooks: "Webhooks"
            case .jobs: "Jobs"
            case .audit: "Audit"
            case .health: "Health"
            }
        }
        var link: Link { Link(rawValue) }
        private static let pages = Dictionary(
            Route.all.filter { $0.isPage && $0.method == "GET" }.map { ($0.path, $0) }
        ) { first, _ in first }
        /// True if the caller may see the pages of this entry.
        func isShown(to caller: Caller) -> Bool { Self.pages[link.text]?.isOpen(to: caller) ?? false }
    }

    var title: PageText
    var section: Section?
    var status = 200
    /// A stream of this service; nil for a page that does not change. For each message of the stream, the browser loads
    /// the page again and applies the changes.
    var live: Link?
    let content: HTML

    init(_ title: PageText, _ section: Section? = nil, live: Link? = nil, _ content: (inout HTML) throws -> Void)
        rethrows
    {
        (self.title, self.section, self.live) = (title, section, live)
        self.content = try HTML(content)
    }
}
