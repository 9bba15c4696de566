// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// The names in the catalogue of event types, and in the rules that this engine read last.
    var cachedNames: KnownNames { plan.knownNames }

    /// The names in the catalogue of event types, and in all versions of the store's rules.
    func knownNames() throws -> KnownNames {
        var known = cachedNames
        let read = plan.versions.map(\.rules.source)
        for record in try store.read({ try $0.rulesHistory() }) where !read.contains(record.source) {
            // Versions that this program cannot read are left out.
            if let rules = try? RuleSet(applied: record) { known.declare(rules.declaredTypes) }
        }
        return known
    }

    /// Reports names that are in neither the catalogue nor the rules, and learners' ids that look the same.
    func reportUnknownNames(_ names: UnknownNames, in report: inout IngestReport) throws {
        guard !names.isEmpty else { return }
        // The cached names are tried first. Reading all versions of the rules takes longer than a small ingest.
        let cached = cachedNames
        let isKnown = names.others == 0 && names.names.allSatisfy(cached.knows)
        let known = isKnown ? cached : try knownNames()
        let namesakes = try namesakes(among: names)
        report.unknownNotListed = names.others
        report.unknown = names.names.compactMap { name in
            guard let use = names.uses[name] else { return nil }
            if let namesake = namesakes[name] { return IngestReport.UnknownName(name, use, nearest: namesake) }
            if case .field(let type) = name.kind, !known.knows(type: type) { return nil }
            return known.knows(name) ? nil : IngestReport.UnknownName(name, use, nearest: known.nearest(to: name))
        }
    }

    /// Learners whose ids differ from another learner's id only in their Unicode normal form, each with that other id.
    /// They stay separate learners, because ids are compared as bytes.
    private func namesakes(among names: UnknownNames) throws -> [UnknownName: String] {
        let learners = names.names.filter { $0.kind == .learner }
        guard !learners.isEmpty else { return [:] }
        return try store.read { reader in
            var found: [UnknownName: String] = [:]
            for name in learners {
                let known = try NormalForms(of: Array(name.name.utf8)).all.filter {
                    try reader.learner(named: $0) != nil
                }
                if known.count > 1 { found[name] = String(decoding: known[1], as: UTF8.self) }
            }
            return found
        }
    }
}

extension IngestReport.UnknownName {
    fileprivate init(_ name: UnknownName, _ use: UnknownNames.Use, nearest: String?) {
        self.init(
            kind: "field",
            name: name.name,
            type: nil,
            count: use.count,
            file: use.file,
            line: use.line,
            nearest: nearest
        )
        switch name.kind {
        case .type: kind = "type"
        case .attribute: kind = "attribute"
        case .achievement: kind = "achievement"
        case .learner: kind = "learner"
        case .field(let type): self.type = type
        }
    }
}
