import Foundation
public import LaurelWire

extension ProgressEngine {
    public func apply(_ rules: Rules, from day: LocalDay? = nil) throws(EngineError) {
        try EngineError.translating {
            _ = try apply(rules.ruleSet, from: day, options: ApplyOptions(clock: Date().milliseconds))
        }
    }
}
