// SPDX-License-Identifier: Apache-2.0

import Testing

/// `rules diff --variant` compares as if every learner were in a variant.
@Suite struct AssumedVariantTests {
    /// Under these rules, anna is in `control`: GrowthBook's share of `pay` and `anna` is 0.1639.
    private static let rules =
        Laurel.rules.replacing("award: 10}", with: "award: \"experiment.pay == 'more' ? 20 : 10\"}") + """
            experiments:
              pay: {variants: {control: 50, more: 50}}

            """
    private static let note =
        "This compares awards, not behaviour: the events stay as they are, but learners in this variant may act differently."

    private func diff(_ words: String...) throws -> Laurel.Outcome {
        let laurel = try Laurel(events: Laurel.events, rules: Self.rules)
        try laurel.write(Self.rules.replacing("'more' ? 20", with: "'more' ? 30"), to: "new.yaml")
        return try laurel.run(["rules", "diff"] + words + ["--at", "2026-02-06T00:00:00Z"])
    }

    @Test func `without other rules, the store's rules are compared with themselves`() throws {
        let report = try diff("--variant", "experiments.pay=more")
        let head = """
            “small” → the same rules, everyone in experiments.pay=more
            2 learners, 9 events, as of 2026-02-06T00:00:00Z
            \(Self.note)

              ~ experiment `pay`: `variants` was control 50, more 50, is more 100

            """
        #expect(report.status == 0 && report.output.hasPrefix(head), "\(report)")
        let csv = try diff("--variant", "experiments.pay=more", "--csv")
        #expect(csv.output.contains("\nanna,*,70,90,"), "\(csv)")
        let same = try diff("--variant", "experiments.pay=control", "--csv")
        #expect(!same.output.contains("\nanna,"), "\(same)")
    }

    @Test func `other rules see everyone in the variant`() throws {
        let report = try diff("new.yaml", "--variant", "experiments.pay=more")
        #expect(report.output.hasPrefix("“small” → new.yaml, everyone in experiments.pay=more\n"), "\(report)")
        let csv = try diff("new.yaml", "--variant", "experiments.pay=more", "--csv")
        #expect(csv.output.contains("\nanna,*,70,110,"), "\(csv)")
    }

    @Test func `the document has the variant and what it cannot show`() throws {
        let json = try diff("--variant", "experiments.pay=more", "--json").output
        let variant = #""variant":{"experiment":"pay","variant":"more","note":"\#(Self.note)"},"events":9,"#
        #expect(json.contains(variant), "\(json)")
        #expect(!(try diff("new.yaml", "--json").output.contains(#""variant":"#)))
    }

    @Test(
        "Mistakes",
        arguments: [
            (
                ["--variant", "experiments.pya=more"],
                "experiments.pya=more: the rules have no experiment `pya`; did you mean `pay`?"
            ),
            (
                ["--variant", "experiments.pay=mroe"],
                "experiments.pay=mroe: the experiment `pay` has no variant `mroe`; did you mean `more`?"
            ),
            (
                ["--variant", "experiments.pay=bonus"],
                "experiments.pay=bonus: the experiment `pay` has no variant `bonus`; use control, more"
            ),
            (["--variant", "pay=more"], "--variant: “pay=more” does not have the form experiments.NAME=VARIANT"),
            (
                ["--variant", "experiments.pay=more", "--from", "2026-02-05"],
                "--from needs other rules: a file, or --version"
            ),
        ]
    )
    func mistakes(words: [String], message: String) throws {
        let laurel = try Laurel(events: Laurel.events, rules: Self.rules)
        let outcome = try laurel.run(["rules", "diff"] + words)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.messages.first == message)
    }
}
