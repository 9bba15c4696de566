// SPDX-License-Identifier: Apache-2.0

/// Finds a minimum of a function within bounds. The method is limited-memory BFGS with projected steps: Nocedal and
/// Wright, "Numerical Optimization", algorithms 7.4 and 7.5. A variable that a step would move out of its bounds stays
/// at the bound. The result depends on the arguments only.
struct BoundedMinimiser {
    /// The number of earlier steps from which the curvature is estimated.
    private static let remembered = 8
    /// The smallest relative decrease. The search ends when a step lowers the value by less than this part of the
    /// value.
    private static let tolerance = 1e-6

    typealias Function = ([Double]) -> (value: Double, gradient: [Double])

    let bounds: [ClosedRange<Double>]
    let iterations: Int

    private struct Correction {
        var step: [Double]
        var change: [Double]
        var product: Double
    }

    private struct Point {
        var place: [Double]
        var value: Double
        var gradient: [Double]
    }

    func minimum(from start: [Double], of function: Function) -> [Double] {
        var point = evaluate(clamped(start), function)
        var corrections: [Correction] = []
        for _ in 0..<iterations {
            let free = freeVariables(point)
            var direction = self.direction(point, free, corrections)
            if dot(direction, point.gradient) >= 0 {
                corrections.removeAll()
                direction = self.direction(point, free, corrections)
            }
            guard let next = search(point, direction, isFirst: corrections.isEmpty, function) else { break }
            let step = zip(next.place, point.place).map(-)
            let change = zip(next.gradient, point.gradient).map(-)
            let product = dot(step, change)
            if product > 1e-10 * dot(change, change) {
                corrections.append(Correction(step: step, change: change, product: product))
                if corrections.count > Self.remembered { corrections.removeFirst() }
            }
            let gain = point.value - next.value
            point = next
            if gain <= Self.tolerance * abs(point.value) { break }
        }
        return point.place
    }

    /// The variables that may change: those that the gradient does not push out of their bounds.
    private func freeVariables(_ point: Point) -> [Bool] {
        point.place.indices.map { index in
            let (place, slope, bounds) = (point.place[index], point.gradient[index], bounds[index])
            return !(place <= bounds.lowerBound && slope > 0) && !(place >= bounds.upperBound && slope < 0)
        }
    }

    /// The direction of the next step, by the two-loop recursion.
    private func direction(_ point: Point, _ free: [Bool], _ corrections: [Correction]) -> [Double] {
        func masked(_ values: [Double]) -> [Double] { zip(values, free).map { $1 ? $0 : 0 } }
        var direction = masked(point.gradient).map { -$0 }
        var parts: [Double] = []
        for correction in corrections.reversed() {
            let part = dot(correction.step, direction) / correction.product
            parts.append(part)
            direction = zip(direction, masked(correction.change)).map { $0 - part * $1 }
        }
        if let last = corrections.last {
            let scale = last.product / dot(last.change, last.change)
            direction = direction.map { $0 * scale }
        }
        for (correction, part) in zip(corrections, parts.reversed()) {
            let other = dot(correction.change, direction) / correction.product
            direction = zip(direction, masked(correction.step)).map { $0 + (part - other) * $1 }
        }
        return direction
    }

    /// The first point along the direction that lowers the value enough; nil if no point does. The distance is halved
    /// at each attempt.
    private func search(_ point: Point, _ direction: [Double], isFirst: Bool, _ function: Function) -> Point? {
        let length = dot(direction, direction).squareRoot()
        guard length > 0 else { return nil }
        var scale = isFirst ? min(1, 1 / length) : 1
        for _ in 0..<20 {
            let place = clamped(zip(point.place, direction).map { $0 + scale * $1 })
            let next = evaluate(place, function)
            let expected = dot(point.gradient, zip(place, point.place).map(-))
            if next.value < point.value, next.value <= point.value + 1e-4 * expected { return next }
            scale /= 2
        }
        return nil
    }

    private func evaluate(_ place: [Double], _ function: Function) -> Point {
        let (value, gradient) = function(place)
        return Point(place: place, value: value, gradient: gradient)
    }

    private func clamped(_ place: [Double]) -> [Double] {
        zip(place, bounds).map { min(max($0, $1.lowerBound), $1.upperBound) }
    }
}

private func dot(_ one: [Double], _ other: [Double]) -> Double {
    var sum = 0.0
    for (a, b) in zip(one, other) { sum += a * b }
    return sum
}
