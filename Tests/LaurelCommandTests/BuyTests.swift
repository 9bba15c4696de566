// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct BuyTests {
    private static let rules = """
        version: 1
        currencies: {gems: {start: 10}, hearts: {hold: 5, refill: {every: 4h, by: 1}}}
        items: {potion: {price: {gems: 7}, gives: {hearts: 2}}}
        """

    @Test func buysOnceAndRefusesWithWhatIsMissing() throws {
        let laurel = try Laurel()
        try laurel.write(Self.rules, to: "rules.yaml")
        let event = #"{"id":"1","source":"a","type":"hint.used","subject":"anna","time":"2026-02-05T10:00:00Z"}"#
        try laurel.run("ingest", "--rules", "rules.yaml", input: event)
        let purchase = ["buy", "anna", "potion", "--id", "7", "--at", "2026-02-05T11:00:00Z"]
        #expect(try laurel.run(purchase).output == "1 × “potion” is bought; balances: 3 gems, 2 hearts\n")
        #expect(try laurel.run(purchase).output == "1 × “potion” was bought before; balances: 3 gems, 2 hearts\n")
        let refused = try laurel.run("buy", "anna", "potion", "--at", "2026-02-05T12:00:00Z")
        #expect(refused.status == 1)
        #expect(refused.messages.first == "the price is 7 gems, the balance is 3: 4 are missing")
        let unknown = try laurel.run("buy", "anna", "sword")
        #expect(unknown.status == 2 && unknown.messages.first == "there is no such item; the rules have potion")
        let incomplete = try laurel.run("buy", "anna")
        #expect(incomplete.status == 2 && incomplete.messages.first == "buy: ITEM is missing")
    }
}
