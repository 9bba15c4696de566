// SPDX-License-Identifier: Apache-2.0

/// A page between the frame's head and foot.
struct Page {
    /// Where one is, for the navigation.
    enum Place: String, CaseIterable {
        case learners, rules, intake, reports, keys, webhooks, jobs, health

        var title: String { self == .learners ? "Class" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
        var link: Link { self == .learners ? Link("class") : Link(rawValue) }
        private static let served = Set(Route.all.filter(\.isPage).map(\.path))
        /// Whether there is a page of it.
        var isServed: Bool { Self.served.contains(link.text) }
        /// Whether only those with the scope admin may go there.
        var isAdministration: Bool { ![.learners, .rules, .reports].contains(self) }
    }

    var title: String
    var place: Place?
    var status = 200
    /// A stream of this service: whenever it tells something, the page is fetched again, and what has changed is put in place.
    var live: Link?
    let content: HTML

    init(_ title: String, _ place: Place? = nil, live: Link? = nil, _ content: (inout HTML) throws -> Void) rethrows {
        (self.title, self.place, self.live) = (title, place, live)
        self.content = try HTML(content)
    }
}
