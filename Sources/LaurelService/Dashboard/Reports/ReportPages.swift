// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page that lists all reports. Each report has a form for its parameters.
extension Route {
    static let reportPages = [
        page("/reports", access: .scopes([.read]), reach: .noLearner) { try ReportPages($0).list() },
        page("/reports/{name}", access: .scopes([.read]), reach: .cohort) { try ReportPages($0).one() },
        form("/reports/{name}/messages", access: .scopes([.read]), reach: .cohort, limit: 1 << 20) { visit in
            try ReportMessages(visit).drafts()
        },
    ]
}

private struct ReportPages {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func list() throws -> Page {
        let reports = try visit.service.reports.all().map(\.listing)
        return Page("Reports", .reports) { html in
            html.head("Reports", "Pages to print and to send around: on a learner, a cohort or everyone, for any week.")
            html.element("ul", ["class": "cards"]) { list in
                for report in reports {
                    list.element("li", ["class": "exhibit"]) { item in
                        item.element("h2") { head in
                            head.element("a", ["href": Link("reports", report.name).text]) {
                                $0.write(PageText(english: report.title.shortened))
                            }
                        }
                        item.element("p") { $0.write(PageText(english: report.description.shortened)) }
                        item.element("p", ["class": "small"], text: report.subjects)
                    }
                }
            }
        }
    }

    func one() throws -> Page {
        let definition = try Route.definition(visit.service, visit.request)
        let listing = definition.listing
        let isAsked = visit.fields.has("show")
        var problem: String?
        var report: TimedReport?
        if isAsked {
            do { report = try ReportQuestion(visit.fields, visit).report(definition, visit.service) } catch let found
                as ReportProblem
            {
                problem = Problem(found).detail
            } catch let found as Problem where found.status < 500 {
                problem = found.detail
            } catch let error as EngineError where error.code == .invalidRequest {
                problem = error.message
            }
        }
        let title = PageText(english: listing.title.shortened)
        var page = try Page(title, .reports) { html in
            html.head(title, class: "head no-print", path: { $0.crumb(to: .reports, title) }) {
                $0.write(PageText(english: listing.description.shortened))
            }
            try writeForm(definition, &html)
            if let problem {
                html.element("p", ["class": "notice bad", "role": "alert"]) { $0.data(problem.sentence) }
            }
            if let report {
                writeDownloads(listing.name, &html)
                if definition.isAboutLearners { ReportMessages(visit).writeForm(listing.name, &html) }
                if report.isCached {
                    let time: PageText =
                        "The report is as of \(WrittenText.time(report.time)). Later events follow after ten minutes at most."
                    html.element("p", ["class": "note no-print"], text: time)
                }
                let content = LearnerLinks.$current.withValue(ActiveDays.links(visit)) { report.document.part }
                html.element("div", ["class": "report-part"]) { $0.add(content) }
            } else if problem == nil {
                html.empty(
                    "Choose whom and which week",
                    "The report is made from the events as of the end of that week."
                )
            }
        }
        if problem != nil { page.status = 422 }
        return page
    }

    private func writeForm(_ definition: ReportDefinition, _ html: inout HTML) throws {
        let members = try ClassList.members(visit.service, ClassQuery(for: visit.caller), at: visit.now)
        // The form offers the last week. If the address requests a report without a week, the report is on this week.
        let usual = visit.fields.has("show") ? "this" : "last"
        // The form stays if the address names a wrong week, so that the reader can choose another.
        let week = try (try? WeekChoice(visit.fields["week"] ?? usual, visit)) ?? WeekChoice(usual, visit)
        html.ask(Link("reports", definition.listing.name), class: "filters no-print") { form in
            if definition.isAboutLearners {
                form.learnerField(
                    members,
                    value: visit.fields["learner"],
                    help: definition.isAboutCohorts ? "Empty for many." : "Type a name or an id.",
                    isRequired: !definition.isAboutCohorts
                )
            }
            if definition.isAboutCohorts {
                let cohorts = offered(members.compactMap(\.cohort), visit.fields["cohort"])
                form.choice(
                    "For a class",
                    name: "cohort",
                    (visit.caller.cohorts == nil ? [("", "Everyone")] : []) + cohorts,
                    chosen: visit.fields["cohort"]
                )
            }
            form.choice(week)
            let languages = offered(members.flatMap(\.languages), visit.fields["language"])
            form.choice(
                "Language",
                name: "language",
                [("", "All languages")] + languages,
                chosen: visit.fields["language"]
            )
            form.choice(
                "Report language",
                name: "locale",
                reportLanguages(definition),
                chosen: visit.fields["locale"]
            )
            form.element("div", ["class": "field helped"]) {
                $0.button("Show", class: "primary", name: "show", value: "true")
            }
        }
    }

    /// The languages of the report. The reader's language comes first, if the report has it.
    private func reportLanguages(_ definition: ReportDefinition) -> [(value: String, title: PageText)] {
        let known = definition.languages
        let usual = known.first { $0 == LocaleText.current.language } ?? "en"
        let others = known.filter { $0 != usual }.map { $0 == "en" ? ReportLocale.usual : $0 }
        let chosen = [visit.fields["locale"]].compactMap(\.self).filter { !others.contains($0) }
        return [("", Self.title(of: usual))] + (others + chosen).map { ($0, Self.title(of: $0)) }
    }

    /// The name of a locale's language in that language.
    private static func title(of locale: String) -> PageText {
        let name = LocaleText.languages.first { $0.tag == locale || (locale == ReportLocale.usual && $0.tag == "en") }?
            .name
        return "\(name ?? locale.shortened)"
    }

    /// The options of a field: the given values, and the value that the address contains.
    private func offered(_ values: [String], _ chosen: String?) -> [(value: String, title: PageText)] {
        Set(values + [chosen].compactMap(\.self)).sorted().prefix(500).map { ($0, "\($0.shortened)") }
    }

    private func writeDownloads(_ name: String, _ html: inout HTML) {
        let link = ReportQuestion.names.reduce(Link("v1", "reports", name)) { $0.with($1, visit.fields[$1]) }
            .with("locale", visit.fields["locale"] ?? visit.reportLocale)
        html.element("p", ["class": "actions no-print"]) { row in
            let formats: [(name: String, title: PageText, ending: String)] = [
                ("html", "Page to print", "html"), ("md", "\("Markdown")", "md"), ("json", "\("JSON")", "json"),
            ]
            for (format, title, ending) in formats {
                row.element(
                    "a",
                    [
                        "href": link.with("format", format).text, "class": "button",
                        "download": format == "html" ? nil : "\(name).\(ending)",
                    ],
                    text: title
                )
            }
        }
    }
}

extension Visit {
    /// The locale of a report if the reader has chosen none. It is the dashboard's locale; nil if reports do not
    /// support that locale.
    ///
    /// The export of a report's table has the same locale as the page, because the table's name depends on it.
    fileprivate var reportLocale: String? {
        let reader = ReaderLanguage.texts(for: request.head)
        return ReportLocale.known(reader.identifier) ?? ReportLocale.known(reader.language)
    }
}

extension ReportQuestion {
    /// The names of a page's fields that choose a report's subject.
    static let names = ["learner", "cohort", "week", "language", "locale"]

    init(_ fields: Fields, _ visit: Visit) {
        self.init(
            learner: fields["learner"],
            cohort: fields["cohort"],
            week: fields["week"],
            language: fields["language"],
            locale: fields["locale"] ?? visit.reportLocale,
            at: Timestamp(milliseconds: visit.now.milliseconds)
        )
    }
}

extension String {
    /// The text as a sentence: with a capital first letter and a full stop.
    var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}

extension ReportListing {
    /// The subjects of the report, in words.
    fileprivate var subjects: PageText {
        switch (about.contains("learner"), about.contains("cohort")) {
        case (true, true): "About a learner or a cohort"
        case (true, false): "About a learner"
        default: "About a cohort"
        }
    }
}
