// SPDX-License-Identifier: Apache-2.0

/// A ring that shows a share of a whole as an arc.
struct RingChart {
    let ring: Ring
    let title: String

    private static let radius = 52.0

    func draw(into markup: inout HTML) {
        let around = 2 * Double.pi * RingChart.radius
        let arc = around * min(max(ring.share, 0), 1)
        markup.element("div", ["class": "ring"]) { body in
            body.element("svg", ["width": "120", "height": "120", "role": "img"]) { svg in
                svg.element("title", text: "\(title): \(ring.percent)")
                svg.shape("circle", ["class": "track", "cx": "60", "cy": "60", "r": "52"])
                if arc > 0 {
                    let dashes = "\(arc.brief) \(around.brief)"
                    let circle: HTML.Attributes = ["class": "arc", "cx": "60", "cy": "60", "r": "52"]
                    svg.shape("circle", circle + ["transform": "rotate(-90 60 60)", "stroke-dasharray": dashes])
                }
                svg.element("text", ["x": "60", "y": "60", "dy": ".35em", "text-anchor": "middle"], text: ring.percent)
            }
            body.element("p", ["dir": "auto"]) { $0.isolated(ring.detail) }
        }
    }
}
