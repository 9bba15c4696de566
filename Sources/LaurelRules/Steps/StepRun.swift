// SPDX-License-Identifier: Apache-2.0

/// The host of a program of steps. It does the work that steps cannot do.
@usableFromInline
package protocol StepHost: ~Copyable {
    mutating func combine(_ step: UnsafePointer<Step>)
    mutating func countByKey(_ step: UnsafePointer<Step>, _ key: UnsafeBufferPointer<UInt8>)
    /// True if the present day is within the period of an XP rule.
    mutating func isInPeriod(rule: Int) -> Bool
    /// Called if an XP rule's `when` is not true.
    mutating func withhold(rule: Int)
    /// Awards the value that an XP rule computed. Returns the awarded XP, after rounding and caps.
    mutating func award(rule: Int, _ computed: Double) -> Double
    /// Called if an achievement's value exceeds its bound. Returns true if the program should continue with the next
    /// step.
    mutating func reach(achievement: Int) -> Bool
    mutating func judge()
    mutating func credit()
    /// Evaluates the achievements. Returns true if the steps that watch achievements can be skipped.
    mutating func achieve() -> Bool
    mutating func perform(_ builtIn: Int)
}

/// Runs steps until the program ends. Allocates no memory and changes no reference counts.
@inlinable
package func run<Host: StepHost & ~Copyable>(
    _ steps: UnsafePointer<Step>,
    _ memory: StepMemory,
    _ host: inout Host
) {
    let numbers = memory.numbers
    var step = steps
    while true {
        let (result, a, b) = (Int(step.pointee.result), Int(step.pointee.first), Int(step.pointee.second))
        switch step.pointee.opcode {
        case .add: numbers[result] = finite(numbers[a] + numbers[b])
        case .subtract: numbers[result] = finite(numbers[a] - numbers[b])
        case .multiply: numbers[result] = finite(numbers[a] * numbers[b])
        case .divide: numbers[result] = finite(numbers[a] / numbers[b])
        case .remainder: numbers[result] = finite(numbers[a].truncatingRemainder(dividingBy: numbers[b]))
        case .minimum: numbers[result] = pick(numbers[b] < numbers[a], numbers[b], numbers[a])
        case .maximum: numbers[result] = pick(numbers[b] > numbers[a], numbers[b], numbers[a])
        case .equal: numbers[result] = truth(numbers[a] == numbers[b], numbers[a], numbers[b])
        case .notEqual: numbers[result] = truth(numbers[a] != numbers[b], numbers[a], numbers[b])
        case .less: numbers[result] = truth(numbers[a] < numbers[b], numbers[a], numbers[b])
        case .lessOrEqual: numbers[result] = truth(numbers[a] <= numbers[b], numbers[a], numbers[b])
        case .greater: numbers[result] = truth(numbers[a] > numbers[b], numbers[a], numbers[b])
        case .greaterOrEqual: numbers[result] = truth(numbers[a] >= numbers[b], numbers[a], numbers[b])
        case .and: numbers[result] = both(numbers[a], numbers[b])
        case .or: numbers[result] = either(numbers[a], numbers[b])
        case .fallback: numbers[result] = numbers[a] == numbers[a] ? numbers[a] : numbers[b]
        case .sureEqual: numbers[result] = numbers[a] == numbers[b] ? 1 : 0
        case .sureNotEqual: numbers[result] = numbers[a] != numbers[b] ? 1 : 0
        case .sureLess: numbers[result] = numbers[a] < numbers[b] ? 1 : 0
        case .sureLessOrEqual: numbers[result] = numbers[a] <= numbers[b] ? 1 : 0
        case .sureGreater: numbers[result] = numbers[a] > numbers[b] ? 1 : 0
        case .sureGreaterOrEqual: numbers[result] = numbers[a] >= numbers[b] ? 1 : 0
        case .sureAnd: numbers[result] = numbers[a] * numbers[b]
        case .sureOr: numbers[result] = numbers[a] > numbers[b] ? numbers[a] : numbers[b]
        case .andAtLeast: numbers[result] = (numbers[a] >= numbers[b] ? 1 : 0) * numbers[Int(step.pointee.third)]
        case .atLeastAndEqual:
            let isEqual = numbers[Int(step.pointee.third)] == numbers[Int(step.pointee.fourth)]
            numbers[result] = (numbers[a] >= numbers[b] ? 1 : 0) * (isEqual ? 1 : 0)
        case .negate: numbers[result] = -numbers[a]
        case .not: numbers[result] = 1 - numbers[a]
        case .floor: numbers[result] = floored(numbers[a])
        case .ceil: numbers[result] = numbers[a].rounded(.up)
        case .round: numbers[result] = numbers[a].rounded(.toNearestOrAwayFromZero)
        case .abs: numbers[result] = numbers[a].magnitude
        case .has: numbers[result] = numbers[a] == numbers[a] ? 1 : 0
        case .isNull: numbers[result] = numbers[a] == numbers[a] ? 0 : 1
        case .inNumbers: numbers[result] = isAmong(numbers[a], numbers + b, Int(step.pointee.third))
        case .select: numbers[result] = numbers[a] == 1 ? numbers[b] : numbers[Int(step.pointee.third)]
        case .count:
            numbers[result] += 1
            numbers[b] += 1
        case .countIf:
            let one: Double = numbers[a] == 1 ? 1 : 0
            numbers[result] += one
            numbers[b] += one
        case .countHas:
            let one: Double = numbers[a] == numbers[a] ? 1 : 0
            numbers[result] += one
            numbers[b] += one
        case .sumOr:
            let value = numbers[a] == numbers[a] ? numbers[a] : numbers[Int(step.pointee.third)]
            numbers[result] += value
            numbers[b] += value
        case .sum:
            let value = numbers[a] == numbers[a] ? numbers[a] : 0
            numbers[result] += value
            numbers[b] += value
        case .run: continueRun(numbers[a] == 1 ? 1 : 0, numbers + result, numbers + b)
        case .runAtLeast:
            continueRun(numbers[a] >= numbers[b] ? 1 : 0, numbers + result, numbers + Int(step.pointee.third))
        case .runExactly:
            continueRun(numbers[a] == numbers[b] ? 1 : 0, numbers + result, numbers + Int(step.pointee.third))
        case .runEither:
            let (one, other): (Double, Double) = (numbers[a] == 1 ? 1 : 0, numbers[b] == 1 ? 1 : 0)
            continueRun(one > other ? one : other, numbers + result, numbers + Int(step.pointee.third))
        case .runAtLeastOr:
            let (one, other): (Double, Double) = (numbers[a] >= numbers[b] ? 1 : 0, numbers[Int(step.pointee.fourth)])
            continueRun(one > other ? one : other, numbers + result, numbers + Int(step.pointee.third))
        case .runUnlessAtLeast:
            continueRun(numbers[a] >= numbers[b] ? 0 : 1, numbers + result, numbers + Int(step.pointee.third))
        case .runUnless: continueRun(numbers[a] == 0 ? 1 : 0, numbers + result, numbers + Int(step.pointee.third))
        case .last:
            // Adding zero turns −0 into 0.
            guard !numbers[a].isNaN else { break }
            numbers[result] = numbers[a] + 0
            numbers[b] = numbers[a] + 0
        case .combine: host.combine(step)
        case .keyByNumber:
            if numbers[b] == numbers[b] { count(by: numbers[b], step, &host) }
        case .keyByText:
            guard let start = memory.texts[b].start else { break }
            host.countByKey(step, UnsafeBufferPointer(start: start, count: memory.texts[b].count))
        case .periodOfRule: if !host.isInPeriod(rule: Int(step.pointee.third)) { step += b }
        case .whenOfRule:
            if numbers[a] != 1 {
                host.withhold(rule: Int(step.pointee.third))
                step += b
            }
        case .award: numbers[result] += host.award(rule: Int(step.pointee.third), numbers[a])
        case .watch:
            if numbers[a] > numbers[b], !host.reach(achievement: Int(step.pointee.third)) { step += result }
        case .skipUnless: if numbers[a] != 1 { step += b }
        case .set: numbers[result] = numbers[a]
        case .judge: host.judge()
        case .credit:
            numbers[result] = .nan
            host.credit()
        case .achieve: if host.achieve() { step += b }
        case .perform: host.perform(Int(step.pointee.third))
        case .end: return
        case .equalText, .notEqualText, .lessText, .lessOrEqualText, .greaterText, .greaterOrEqualText, .hasText,
            .isNullText, .inTexts, .fallbackText, .selectText, .dayOfText:
            runText(step, memory)
        }
        step += 1
    }
}

@inlinable @inline(never)
func count<Host: StepHost & ~Copyable>(by key: Double, _ step: UnsafePointer<Step>, _ host: inout Host) {
    // Adding zero turns −0 into 0.
    withUnsafeBytes(of: (key + 0).bitPattern.littleEndian) {
        host.countByKey(step, $0.assumingMemoryBound(to: UInt8.self))
    }
}

/// Runs the steps of an expression, which need no host.
func run(_ steps: UnsafePointer<Step>, _ memory: StepMemory) {
    var noHost = NoHost()
    run(steps, memory, &noHost)
}

private struct NoHost: StepHost {
    mutating func combine(_ step: UnsafePointer<Step>) {}
    mutating func countByKey(_ step: UnsafePointer<Step>, _ key: UnsafeBufferPointer<UInt8>) {}
    mutating func isInPeriod(rule: Int) -> Bool { true }
    mutating func withhold(rule: Int) {}
    mutating func award(rule: Int, _ computed: Double) -> Double { 0 }
    mutating func reach(achievement: Int) -> Bool { true }
    mutating func judge() {}
    mutating func credit() {}
    mutating func achieve() -> Bool { true }
    mutating func perform(_ builtIn: Int) {}
}

/// Runs an operator on text.
@usableFromInline
func runText(_ step: UnsafePointer<Step>, _ memory: StepMemory) {
    let (numbers, texts) = (memory.numbers, memory.texts)
    let (result, a, b) = (Int(step.pointee.result), Int(step.pointee.first), Int(step.pointee.second))
    switch step.pointee.opcode {
    case .hasText: numbers[result] = texts[a].start == nil ? 0 : 1
    case .isNullText: numbers[result] = texts[a].start == nil ? 1 : 0
    case .inTexts: numbers[result] = TextOperators.isAmong(texts[a], texts + b, Int(step.pointee.third))
    case .fallbackText: texts[result] = texts[a].start == nil ? texts[b] : texts[a]
    case .dayOfText: numbers[result] = TextOperators.day(texts[a])
    case .selectText: texts[result] = texts[numbers[a] == 1 ? b : Int(step.pointee.third)]
    default: numbers[result] = TextOperators.compare(step.pointee.opcode, texts[a], texts[b])
    }
}

/// Rounds down, as `rounded(.down)` does, but is inlined instead of called.
@inlinable @inline(__always)
package func floored(_ x: Double) -> Double {
    guard x > 0, x < 0x1p52 else { return x.rounded(.down) }
    // From 2⁵² on, all doubles are whole numbers. Adding 2⁵² therefore rounds the sum to a whole number.
    let nearest = (x + 0x1p52) - 0x1p52
    return nearest > x ? nearest - 1 : nearest
}

/// The number, or null if the number is not finite.
@inlinable @inline(__always)
func finite(_ x: Double) -> Double { x - x == 0 ? x : .nan }

@inlinable @inline(__always)
func truth(_ holds: Bool, _ a: Double, _ b: Double) -> Double { a == a && b == b ? (holds ? 1 : 0) : .nan }

/// Updates a run in two windows. Adds 1 to the run if `factor` is 1, and resets it to 0 if `factor` is 0. A
/// multiplication is faster than an unpredictable branch.
@inlinable @inline(__always)
func continueRun(_ factor: Double, _ one: UnsafeMutablePointer<Double>, _ other: UnsafeMutablePointer<Double>) {
    one.pointee = (one.pointee + 1) * factor
    other.pointee = (other.pointee + 1) * factor
}

/// Returns `b` if `picksB` is true, else `a`; null if either is null.
@inlinable @inline(__always)
func pick(_ picksB: Bool, _ b: Double, _ a: Double) -> Double { a == a && b == b ? (picksB ? b : a) : .nan }

@inlinable @inline(__always)
func both(_ a: Double, _ b: Double) -> Double { a == 0 || b == 0 ? 0 : (a == 1 && b == 1 ? 1 : .nan) }

@inlinable @inline(__always)
func either(_ a: Double, _ b: Double) -> Double { a == 1 || b == 1 ? 1 : (a == 0 && b == 0 ? 0 : .nan) }

@usableFromInline
func isAmong(_ number: Double, _ numbers: UnsafePointer<Double>, _ count: Int) -> Double {
    guard !number.isNaN else { return .nan }
    for index in 0..<count where numbers[index] == number { return 1 }
    return 0
}
