// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import laurel.Configuration
import laurel.Events

/**
 * Records without end in several tasks, delivers, and prints the mark of each event that is acknowledged. Told to drain, it records
 * nothing, delivers what waits and ends.
 */
internal fun recorder(outbox: String, service: String, name: String) = runBlocking(Dispatchers.Default) {
    val client = open(service, outbox, Configuration(batchEvents = 50, retryBase = 20, retryCap = 200))
    client.start()
    if (name == "drain") {
        client.status.first { it.pending == 0 }
        client.close()
        return@runBlocking
    }
    val numbers = AtomicInteger()
    for (task in 0..2) {
        launch {
            for (turn in generateSequence(0) { it + 1 }) {
                val marks = List(turn % 3 + 1) { "$name-$task-${numbers.getAndIncrement()}" }
                val events = marks.map { Events.lineSpoken(line = it, accuracy = 0.9) }
                client.record(events, ana.copy(learner = "ana-$task"))
                // One write, so that a kill does not tear another task's mark.
                System.out.write(marks.joinToString("") { "$it\n" }.toByteArray())
                System.out.flush()
            }
        }
    }
}
