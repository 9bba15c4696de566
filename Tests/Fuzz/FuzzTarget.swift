// SPDX-License-Identifier: Apache-2.0

/// A function that reads untrusted bytes.
struct FuzzTarget: Sendable {
    let name: String
    /// The inputs to start from, besides those of the corpus.
    let seeds: @Sendable () -> [[UInt8]]
    /// Texts that are meaningful to the target, which mutations insert.
    let tokens: [String]
    /// Creates a reader for any number of inputs. The reader must return for any input. A forbidden result ends the
    /// process by a trap, or by ``FuzzTarget/expect(_:_:)``.
    let make: @Sendable () throws -> (([UInt8]) throws -> Void)

    init(
        _ name: String,
        seeds: @escaping @Sendable () -> [[UInt8]],
        tokens: [String] = [],
        make: @escaping @Sendable () throws -> (([UInt8]) throws -> Void)
    ) {
        (self.name, self.seeds, self.tokens, self.make) = (name, seeds, tokens, make)
    }

    static func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition { fatalError(what()) }
    }

    static let all =
        TextTargets.all + StoreTargets.all + FileTargets.all
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
