// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelEvents
import LaurelYAML

/// The source of a setting.
public struct SettingSource: Sendable, Hashable {
    /// The source's name for people, such as `--listen`, `LAUREL_LISTEN` or `laurel.yaml`.
    public var name: String

    public init(_ name: String) { self.name = name }
}

/// A setting's value, and its source.
public struct GivenSetting: Sendable, Hashable {
    public var setting: String
    public var value: String
    public var source: SettingSource

    public init(_ setting: String, _ value: String, from source: SettingSource) {
        (self.setting, self.value, self.source) = (setting, value, source)
    }
}

extension ServiceOptions {
    /// - Parameter settings: the settings; if a setting occurs more than once, the first value applies.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest``.
    public init(_ settings: [GivenSetting]) throws(EngineError) {
        self.init()
        for setting in ServiceSetting.all {
            guard let given = settings.first(where: { $0.setting == setting.name }) else { continue }
            if let problem = setting.set(&self, given.value) {
                throw EngineError(.invalidRequest, "\(given.source.name): “\(given.value)” \(problem)")
            }
        }
        guard self.role == .all || StoreLocation(self.store).isDatabase else {
            let source = settings.first { $0.setting == "role" }?.source.name ?? "role"
            throw EngineError(
                .invalidRequest,
                "\(source): “\(self.role)” is for one of several nodes that share a store in PostgreSQL; \(shownStore) is a file,"
                    + " which one machine reaches, and the service there has to do everything: leave the role out"
            )
        }
    }
}

/// A service's configuration file: YAML with a key for each ``ServiceSetting``, checked like rules.
public enum ConfigurationFile {
    /// Reads a file.
    /// - Throws: ``EngineError``, whose diagnostics contain all mistakes in the file.
    public static func read(_ path: String) throws(EngineError) -> [GivenSetting] {
        try EngineError.translating {
            try read(ProgressEngine.read(path, limit: 1 << 20), file: path)
        }
    }

    static func read(_ bytes: [UInt8], file: String) throws -> [GivenSetting] {
        var loader = ConfigurationLoader(source: ConfigurationLoader.text(of: bytes, file: file))
        let settings = loader.readDocument().map { loader.read($0) } ?? []
        let diagnostics = loader.diagnostics
        guard diagnostics.allSatisfy({ $0.severity == .warning }) else {
            let text = diagnostics.map(\.description).joined(separator: "\n")
            throw EngineError(.invalidRequest, text, diagnostics: diagnostics)
        }
        return settings
    }
}

private struct ConfigurationKeys: SectionKeys {
    let names = ServiceSetting.all.map(\.name)
    let phrase = "a service's configuration"
}

private struct ConfigurationLoader: FileLoader {
    typealias Keys = ConfigurationKeys

    let source: SourceText
    var found: [FoundDiagnostic] = []
    var scalarEnds: [Int: Int] = [:]

    mutating func read(_ root: YAMLNode) -> [GivenSetting] {
        guard let top = section(root, ConfigurationKeys()) else { return [] }
        var settings: [GivenSetting] = []
        for setting in ServiceSetting.all {
            guard let node = top[setting.name] else { continue }
            // A list in this file has the same meaning as values separated by commas elsewhere.
            let parts = oneOrMore(node, "`\(setting.name)`").compactMap { text($0, "`\(setting.name)`") }
            let value = parts.joined(separator: ",")
            var scratch = ServiceOptions()
            if let problem = setting.set(&scratch, value) { report(node.offset, "`\(setting.name)` \(problem)") }
            settings.append(GivenSetting(setting.name, value, from: SettingSource(source.file)))
        }
        return settings
    }
}
