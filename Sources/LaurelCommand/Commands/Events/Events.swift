// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let events = Command(
        "events",
        "The event types that Laurel knows, with their fields",
        options: [.json],
        example: "laurel events --json"
    ) { arguments, console in
        if arguments.has(.json) {
            try console.output.write(Catalogue.json.json + "\n")
        } else {
            try console.output.writeLine(Catalogue.listing)
        }
        return .done
    }
}
