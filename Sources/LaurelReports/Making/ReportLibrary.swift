import Laurel
import LaurelEvents
import LaurelRules

/// Where reports are found: those built in, and one's own.
package struct ReportLibrary: Sendable {
    /// A folder of one's own reports, looked into first.
    private let folder: String?

    package init(folder: String?) { self.folder = folder }

    /// `Reports/` as it was when this was built.
    private static let builtIn: [(file: String, source: [UInt8])] = [
        ("Reports/mastery.yaml", PackageResources.mastery_yaml),
        ("Reports/weekly-xp.yaml", PackageResources.weekly_xp_yaml),
    ]

    /// All there are, by name.
    /// - Parameter files: of the folder.
    package func all(files: [String]) throws -> [ReportDefinition] {
        var found = try ReportLibrary.builtIn.map { try ReportLoader.load($0.source, file: $0.file) }
        for file in files {
            let definition = try ReportLibrary.load(file: file)
            found.removeAll { $0.name == definition.name }
            found.append(definition)
        }
        return found.sorted { $0.name < $1.name }
    }

    /// - Parameters:
    ///   - name: A report's name, or a file: one with a slash, or that ends in `.yaml`, `.yml` or `.json`.
    ///   - files: of the folder.
    /// - Throws: ``RulesError`` with all that is wrong in it; ``UnknownReport``.
    package func report(_ name: String, files: [String]) throws -> ReportDefinition {
        if name.contains("/") || ReportLibrary.isFile(name) { return try ReportLibrary.load(file: name) }
        for file in files where ReportLibrary.base(file) == name { return try ReportLibrary.load(file: file) }
        for report in ReportLibrary.builtIn where ReportLibrary.base(report.file) == name {
            return try ReportLoader.load(report.source, file: report.file)
        }
        let names = Set((ReportLibrary.builtIn.map(\.file) + files).map(ReportLibrary.base)).sorted()
        throw UnknownReport(
            name: name,
            nearest: nearestName(to: name, among: names, takesBeginnings: true),
            known: names
        )
    }

    package static func load(file: String) throws -> ReportDefinition {
        try ReportLoader.load(try ProgressEngine.read(file, limit: 1 << 20), file: file)
    }

    package static func isFile(_ name: String) -> Bool {
        [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) }
    }

    private static func base(_ file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}

/// No report has that name.
package struct UnknownReport: Error {
    package let name: String
    package let nearest: String?
    package let known: [String]
}
