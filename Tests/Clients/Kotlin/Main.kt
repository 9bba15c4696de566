// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import java.io.File
import laurel.Configuration
import laurel.LaurelClient
import laurel.PracticeContext
import laurel.openClient

/** Runs the Kotlin client as a check wants: COMMAND OUTBOX and then as the script of that name for Python, such as deliver.py. */
fun main(arguments: Array<String>) {
    val (command, outbox) = arguments
    val rest = arguments.drop(2)
    when (command) {
        "deliver" -> deliver(outbox, rest)
        "every" -> every(outbox, rest[0])
        "buy" -> buy(outbox, rest[0], rest[1])
        "watch" -> watch(outbox, rest[0])
        "repositories" -> repositories(outbox, rest[0], rest[1])
        "journals" -> journals(outbox, rest[0].toLong())
        "recorder" -> recorder(outbox, rest[0], rest[1])
        else -> error("unknown command $command")
    }
}

internal fun open(service: String, outbox: String, configuration: Configuration = Configuration()): LaurelClient =
    openClient(service, "test", File(outbox), configuration = configuration)

internal val ana = PracticeContext("ana", language = "es")
