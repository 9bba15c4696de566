// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import kotlinx.coroutines.runBlocking
import laurel.Configuration

/** Prints a learner's number of events, each time that it changes. */
internal fun watch(outbox: String, service: String) = runBlocking {
    val client = open(service, outbox, Configuration(retryBase = 20, retryCap = 100))
    client.progress("ana/1").collect { println(it["events"].integer ?: 0) }
}
