// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Laurel
import LaurelEvents
import LaurelRules
import Synchronization

/// The available reports: the built-in reports, and those in the user's folder.
///
/// A report is read and checked once. A file in the user's folder is read again when it has changed.
public final class ReportLibrary: Sendable {
    private struct CachedReport {
        var modified: Date
        var size: Int
        var report: ReportDefinition
    }

    /// The files in the user's folder. They take precedence over built-in reports.
    private let files: [String]
    /// The texts in the user's folder, together with the built-in texts. The user's texts take precedence.
    private let texts: [String: TextTable]
    /// The reports that were read from the user's folder, by file.
    private let known = Mutex<[String: CachedReport]>([:])

    /// - Parameter folder: the folder of the user's own reports; nil for none.
    /// - Throws: `EngineError` of code `cannotOpen`.
    public init(folder: String? = nil) throws(EngineError) {
        guard let folder else {
            files = []
            texts = [:]
            return
        }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            files = ReportLibrary.files(names, in: folder)
        } catch {
            throw EngineError(.cannotOpen, "cannot open the folder \(folder): \(error.localizedDescription)")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/texts")) ?? []
        var tables: [String: TextTable] = [:]
        for file in ReportLibrary.files(names, in: "\(folder)/texts") {
            let table = try ReportLibrary.texts(file)
            tables[table.language] = table
        }
        texts = tables
    }

    private static func files(_ names: [String], in folder: String) -> [String] {
        names.filter { isFile($0) && $0 != "schema.json" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { "\(folder)/\($0)" }
    }

    private static func texts(_ file: String) throws(EngineError) -> TextTable {
        let source = try EngineError.translating { try ProgressEngine.read(file, limit: 1 << 20) }
        do {
            return try TextsLoader.load(source, file: file)
        } catch {
            throw EngineError(.invalidReport, error.description, diagnostics: error.diagnostics)
        }
    }

    /// The report with the texts in the user's folder added.
    private func translated(_ report: ReportDefinition) -> ReportDefinition {
        var report = report
        report.texts = texts.over(report.texts)
        return report
    }

    /// The reports of `Reports/` at build time, by name.
    private static let builtIn = Result { () throws(EngineError) -> [ReportDefinition] in
        var reports: [ReportDefinition] = []
        for (name, yaml) in BuiltInReports.sources { reports.append(try read(yaml, file: "Reports/\(name).yaml")) }
        return reports
    }

    /// All reports, ordered by name.
    /// - Throws: `EngineError` of code `invalidReport`, whose diagnostics contain all mistakes in a file.
    public func all() throws(EngineError) -> [ReportDefinition] {
        var found = try ReportLibrary.builtIn.get()
        for file in files {
            let definition = try own(file)
            found.removeAll { $0.name == definition.name }
            found.append(definition)
        }
        return found.sorted { $0.name < $1.name }.map(translated)
    }

    /// A report.
    /// - Parameter name: a report's name, or a file. A text with a slash, or with the ending `.yaml`, `.yml` or
    ///   `.json`, names a file.
    /// - Throws: `EngineError` of code `invalidReport`, whose diagnostics contain all mistakes in the file;
    ///    ``ReportProblem/unknownReport(_:nearest:known:)``.
    public func report(_ name: String) throws -> ReportDefinition {
        if name.contains("/") || ReportLibrary.isFile(name) {
            return translated(try ReportLibrary.load(file: name))
        }
        for file in files where ReportLibrary.base(file) == name { return translated(try own(file)) }
        let builtIn = try ReportLibrary.builtIn.get()
        for report in builtIn where report.name == name { return translated(report) }
        let names = Set(builtIn.map(\.name) + files.map(ReportLibrary.base)).sorted()
        let nearest = names.nearest(to: name)
        throw ReportProblem.unknownReport(name, nearest: nearest, known: names)
    }

    /// A report from a file in the user's folder. The file is read again if it has changed.
    private func own(_ file: String) throws(EngineError) -> ReportDefinition {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard let modified = attributes?[.modificationDate] as? Date, let size = attributes?[.size] as? Int else {
            return try ReportLibrary.load(file: file)
        }
        if let known = known.withLock({ $0[file] }), known.modified == modified, known.size == size {
            return known.report
        }
        let report = try ReportLibrary.load(file: file)
        known.withLock { $0[file] = CachedReport(modified: modified, size: size, report: report) }
        return report
    }

    /// Reads the report in a file.
    /// - Throws: `EngineError` of code `invalidReport`, whose diagnostics contain all mistakes in the file.
    public static func load(file: String) throws(EngineError) -> ReportDefinition {
        try read(try EngineError.translating { try ProgressEngine.read(file, limit: 1 << 20) }, file: file)
    }

    private static func read(_ source: [UInt8], file: String) throws(EngineError) -> ReportDefinition {
        do {
            return try ReportLoader.load(source, file: file)
        } catch let error as RulesError {
            throw EngineError(.invalidReport, error.description, diagnostics: error.diagnostics)
        } catch {
            throw EngineError(.ioError, "\(error)")
        }
    }

    private static func isFile(_ name: String) -> Bool {
        [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) }
    }

    private static func base(_ file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
