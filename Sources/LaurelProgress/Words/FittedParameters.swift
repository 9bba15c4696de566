// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The FSRS parameters that `scheduler.fitted` events gave to a learner.
struct FittedParameters: Sendable, Equatable {
    struct Fit: Sendable, Equatable {
        /// The language whose words the parameters are for; empty for all languages.
        var language: [UInt8]
        /// The weights w0 … w20.
        var weights: [Double]
    }

    /// The fits in force. The first is the fit for all languages, if there is one. The fits for single languages follow
    /// in byte order, at most one for each language.
    private(set) var fits: [Fit] = []

    var isEmpty: Bool { fits.isEmpty }

    init() {}

    /// Returns nil if ``add(_:)`` can never produce such a list of fits.
    init?(_ fits: [Fit]) {
        let languages = fits.map(\.language)
        guard fits.allSatisfy({ $0.weights.count == FSRS.weightCount }),
            zip(languages, languages.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) })
        else { return nil }
        self.fits = fits
    }

    /// Adds a later fit. A fit for all languages replaces all others.
    mutating func add(_ fit: Fit) {
        fits.removeAll { fit.language.isEmpty || $0.language == fit.language }
        let index = fits.firstIndex { fit.language.lexicographicallyPrecedes($0.language) } ?? fits.endIndex
        fits.insert(fit, at: index)
    }

    /// The weights for a language's words; nil if the rules' weights are in force.
    func weights(language: [UInt8]) -> [Double]? {
        (fits.last { $0.language == language } ?? fits.first { $0.language.isEmpty })?.weights
    }

    /// The scheduler of a language's words. It is the version's scheduler, with the parameters that were fitted to the
    /// learner.
    fileprivate func scheduler(_ language: [UInt8], usual: Scheduler) -> Scheduler {
        guard !isEmpty, case .fsrs(let fsrs) = usual, let weights = weights(language: language) else { return usual }
        return .fsrs(fsrs.with(weights))
    }
}

extension FoldCore {
    /// Stores the parameters of a `scheduler.fitted` event. The words do not change until their next review.
    /// - Parameter track: the track of the event's language; nil if the event has no language.
    mutating func keepFit(_ track: UnsafeMutablePointer<TrackValues>?) {
        guard let weights = scratch.numbers(.parameters, columns), weights.count == FSRS.weightCount else { return }
        learner.fitted.add(FittedParameters.Fit(language: track?.pointee.language ?? [], weights: weights))
    }

    /// The scheduler of a language's words.
    /// - Parameter track: the language's track; nil for words without a language.
    func scheduler(of track: UnsafeMutablePointer<TrackValues>?) -> Scheduler {
        learner.fitted.scheduler(track?.pointee.language ?? [], usual: plan.scheduler)
    }
}

extension LearnerState {
    /// The scheduler of a language's words.
    /// - Parameter language: empty for words without a language.
    package func scheduler(language: [UInt8]) -> Scheduler { fitted.scheduler(language, usual: plan.scheduler) }
}

extension CurrentEvent {
    /// The elements of a list of numbers; nil if the field is anything else.
    fileprivate func numbers(_ role: FieldRole, _ columns: EventColumns) -> [Double]? {
        guard let value = value(role), case .json = value.kind,
            case .array(let elements)? = JSONTree(validated: columns.bytes(UInt32(truncatingIfNeeded: value.payload)))
        else { return nil }
        let numbers = elements.compactMap { element -> Double? in
            switch element {
            case .integer(let number): Double(number)
            case .double(let number): number
            case .spelled(let spelling): Double(String(decoding: spelling, as: UTF8.self))
            default: nil
            }
        }
        return numbers.count == elements.count ? numbers : nil
    }
}
