// SPDX-License-Identifier: Apache-2.0

/// The arrangement of a section's exhibits: below each other, or in two columns.
enum PageLayout {
    enum Row {
        case full(Exhibit)
        /// Two columns, each with at least one exhibit.
        case columns([[Exhibit]])
    }

    /// The rows of a section, without omitted exhibits. Consecutive exhibits of half width fill two columns. Each
    /// exhibit is added to the shorter column, so that cards need no empty space. A single exhibit of half width
    /// becomes as wide as the page.
    static func rows(_ exhibits: [Exhibit]) -> [Row] {
        var rows: [Row] = []
        var halves: [Exhibit] = []
        func close() {
            if halves.count == 1 {
                rows.append(.full(halves[0]))
            } else if !halves.isEmpty {
                rows.append(columns(halves))
            }
            halves = []
        }
        for exhibit in exhibits where !exhibit.isLeftOut {
            if exhibit.width == .half {
                halves.append(exhibit)
            } else {
                close()
                rows.append(.full(exhibit))
            }
        }
        close()
        return rows
    }

    private static func columns(_ exhibits: [Exhibit]) -> Row {
        var columns: [[Exhibit]] = [[], []]
        var heights = [0, 0]
        for exhibit in exhibits {
            let shorter = heights[1] < heights[0] ? 1 : 0
            columns[shorter].append(exhibit)
            heights[shorter] += height(exhibit)
        }
        return .columns(columns)
    }

    /// The approximate height of a card on a page with two columns, in pixels.
    private static func height(_ exhibit: Exhibit) -> Int {
        let frame = 90 + (exhibit.note == nil ? 0 : 30)
        if exhibit.text != nil { return frame }
        let rows = min(exhibit.table.rows.count, exhibit.rows ?? .max)
        return switch exhibit.show {
        case .headline, .text: frame
        case .table: frame + 36 * rows
        case .ring: frame + 120
        case .calendar: frame + 220
        case .bar where !exhibit.table.columns[0].type.isUpright: frame + 38 * rows
        case .dots: frame + 300
        case .heatmap: frame + 70 + 36 * Set(exhibit.table.rows.map { $0[0].key }).count
        case .funnel: frame + 44 * rows
        case .stackedBar where !exhibit.table.columns[0].type.isUpright: frame + 70 + 34 * rows
        case .bar, .stackedBar, .line, .histogram: frame + 260
        }
    }

    /// True if an exhibit's card may continue on the next printed page.
    static func isLong(_ exhibit: Exhibit) -> Bool {
        guard exhibit.text == nil else { return false }
        let isList = exhibit.show == .table || exhibit.show == .bar && !exhibit.table.columns[0].type.isUpright
        return isList && min(exhibit.table.rows.count, exhibit.rows ?? .max) > 8
    }
}
