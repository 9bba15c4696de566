// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import kotlinx.coroutines.runBlocking
import laurel.Document
import laurel.Events
import laurel.InvalidEvent
import laurel.Moment
import laurel.ServiceError

private const val LEARNER = "ana/1"
private val context = ana.copy(learner = LEARNER)

/** Buys from a service, and offline. Prints the results, like buy.py. */
internal fun buy(outbox: String, service: String, unreachable: String) = runBlocking {
    val result = online(outbox, service)
    val later = checkNotNull(Moment.parse("2026-04-06T18:00:00Z"))
    val offline = open(unreachable, outbox)
    result["offline"] = problem { offline.buy("potion", LEARNER) }
    val pending = mutableListOf(offline.status.value.pending)
    offline.record(Events.lineSpoken(), context, later)
    result["queued"] = listOf(
        offline.buy("potion", LEARNER, at = later, queue = true),
        offline.buy("potion", LEARNER, at = later, id = "poor", queue = true),
    )
    offline.record(Events.lineSpoken(), context, later)
    pending += offline.status.value.pending
    offline.close()

    val again = open(service, outbox)
    again.flush()
    result["pending"] = pending + again.status.value.pending
    result["told"] = again.refused().map { listOf(it.id, it.code, it.event["data"]["item"].text) }
    again.close()
    println(Document(result))
}

private suspend fun online(outbox: String, service: String): MutableMap<String, Any?> {
    val result = mutableMapOf<String, Any?>()
    val at = Moment.parse("2026-04-05T18:00:00Z")
    val client = open(service, outbox)
    client.record(Events.lineSpoken(), context, at)
    val bought = checkNotNull(client.buy("potion", LEARNER, at = at, id = "first"))
    val again = checkNotNull(client.buy("potion", LEARNER, at = at, id = "first"))
    val gems = bought["progress"]["balances"]["gems"]
    result["bought"] = listOf(bought["count"], bought["duplicate"], gems, again["duplicate"]).map { it.value }
    result["refused"] = problem { client.buy("potion", LEARNER, count = 9) }
    result["unknown"] = problem { client.buy("sword", LEARNER) }
    result["invalid"] = problem { client.buy("potion", LEARNER, count = 0) }
    client.close()
    return result
}

private suspend fun problem(buy: suspend () -> Unit): Any? = try {
    buy()
    null
} catch (error: ServiceError) {
    listOf(error.status, error.code)
} catch (error: InvalidEvent) {
    error::class.simpleName
}
