// SPDX-License-Identifier: Apache-2.0

/// A page of a list that may be too long for one page.
package struct ListPage<Row: Sendable>: Sendable {
    package let rows: [Row]
    /// The page's number, from 1.
    package let number: Int
    /// The number of pages, at least 1.
    package let count: Int

    /// - Parameters:
    ///   - number: the number of the requested page. If there is no such page, the nearest page is used.
    ///   - all: the rows of all pages.
    ///   - size: the maximum number of rows on a page. This limit does not apply to a table that is exported. Such a
    ///     table has one page.
    package init(_ number: Int, of all: some Collection<Row>, size: Int) {
        let size = TableExport.isRequested ? max(size, all.count) : size
        count = max(1, (all.count + size - 1) / size)
        self.number = min(max(number, 1), count)
        rows = Array(all.dropFirst((self.number - 1) * size).prefix(size))
    }
}

extension HTML {
    /// Writes links to the previous and the next page. If all rows are on one page, writes nothing.
    /// - Parameter address: returns the address of a page by its number.
    package mutating func pages<Row>(_ page: ListPage<Row>, _ locale: LocaleText, address: (Int) -> String) {
        guard page.count > 1 else { return }
        let place: KeyValuePairs = [
            "page": locale.number(Double(page.number)), "pages": locale.number(Double(page.count)),
        ]
        pages(
            locale,
            previous: page.number > 1 ? address(page.number - 1) : nil,
            place: locale.texts(.page, place),
            next: page.number < page.count ? address(page.number + 1) : nil
        )
    }

    /// Writes links to the previous and the next page.
    /// - Parameter place: the text that describes the position of the shown page; nil if the page's number is unknown.
    package mutating func pages(_ locale: LocaleText, previous: String? = nil, place: String? = nil, next: String?) {
        element("nav", ["class": "pages", "aria-label": locale.texts(.pages)]) { nav in
            if let previous { nav.element("a", ["href": previous], text: locale.texts(.earlier)) }
            if let place { nav.element("span", text: place) }
            if let next { nav.element("a", ["href": next], text: locale.texts(.later)) }
        }
    }
}
