// SPDX-License-Identifier: Apache-2.0

import LaurelRules
import LaurelYAML

/// THE list of keys that a report's file may contain, by section.
enum ReportKeys: String, CaseIterable, SectionKeys {
    case report, view, section, exhibit, column

    var names: [String] {
        switch self {
        case .report: ["version", "name", "title", "description", "parameters", "learner", "mail", "cohort", "texts"]
        case .view: ["weeks", "sections"]
        case .section: ["title", "exhibits"]
        case .exhibit:
            [
                "title", "note", "show", "width", "query", "columns", "rows", "series", "color", "target", "palette",
                "counted", "empty", "optional", "text", "emphasis",
            ]
        case .column:
            ["title", "type", "unit", "values", "decimals", "previous", "note", "better", "learner", "active"]
        }
    }

    var phrase: String {
        switch self {
        case .report: "a report"
        case .view: "what a report shows"
        case .section: "a section"
        case .exhibit: "an exhibit"
        case .column: "a column"
        }
    }
}
