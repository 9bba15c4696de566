// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let events = Command(
        "events",
        "The event types that Laurel knows, with their fields",
        options: [.json],
        example: "laurel events --json"
    ) { arguments, console in
        try console.output.writeLine(arguments.has(.json) ? Catalogue.json.json : Catalogue.listing)
        return .done
    }
}
