// SPDX-License-Identifier: Apache-2.0

/// The fill patterns of the style sheet. A chart with many series or steps needs patterns, because colours alone are
/// not enough to distinguish them.
enum ChartPatterns {
    /// Defines the patterns. A page must contain the definitions once, before the elements that use them.
    static func define(in markup: inout HTML) {
        markup.element("svg", ["class": "patterns", "width": "0", "height": "0", "aria-hidden": "true"]) { svg in
            svg.element("defs") { defs in
                pattern(&defs, "r2", size: 5) {
                    $0.shape("rect", ["class": "paper", "width": "5", "height": "5"])
                    $0.shape("circle", ["class": "r4", "cx": "2.5", "cy": "2.5", "r": "1.1"])
                }
                hatch(&defs, "r3", ground: "paper", line: "r4")
                hatch(&defs, "r5", ground: "r4", line: "r6")
                // Most of a pattern has the colour of the series. A part whose main colour is that of the paper would
                // look like a gap.
                for color in 1...7 { hatch(&defs, "s\(color + 7)", ground: "s\(color)", line: "paper", width: "1.25") }
            }
        }
    }

    private static func hatch(_ defs: inout HTML, _ id: String, ground: String, line: String, width: String = "2.25") {
        pattern(&defs, id, size: 5, turned: true) {
            $0.shape("rect", ["class": "\(ground)", "width": "5", "height": "5"])
            $0.shape("rect", ["class": "\(line)", "width": width, "height": "5"])
        }
    }

    private static func pattern(
        _ defs: inout HTML,
        _ id: String,
        size: Int,
        turned: Bool = false,
        _ body: (inout HTML) -> Void
    ) {
        let attributes: HTML.Attributes = [
            "id": id, "width": "\(size)", "height": "\(size)", "patternUnits": "userSpaceOnUse",
            "patternTransform": turned ? "rotate(45)" : nil,
        ]
        defs.element("pattern", attributes, content: body)
    }

    /// The sample of a fill in a chart's key.
    static func swatch(_ fill: String, in markup: inout HTML) {
        markup.element("svg", ["class": "swatch", "width": "14", "height": "14", "aria-hidden": "true"]) { svg in
            svg.shape("rect", ["class": fill, "x": "1", "y": "1", "width": "12", "height": "12", "rx": "2"])
        }
    }
}
