// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.jvm.JvmStatic
import kotlin.random.Random
import kotlin.uuid.ExperimentalUuidApi
import kotlin.uuid.Uuid
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext

/**
 * Records learners' events, and delivers them to a Laurel service. A recorded event is durable before [record] returns. The client
 * works offline for any time. The service counts each event once.
 *
 * Tasks and threads may share a client. Only one client at a time can open an outbox.
 *
 * @param service the address of the service, such as `https://progress.example`.
 * @param events the journal of waiting events.
 * @param refusals the journal of refused events.
 * @param transport sends requests.
 * @param clock the learner's clock.
 * @param credential returns the key or token to send, or null. It is called before each request, and may block. If it
 * throws, the client tries again later.
 * @param dispatcher runs blocking calls of the journals and the transport. Each open live stream needs one of its threads.
 */
class LaurelClient(
    service: String,
    events: Journal,
    refusals: Journal,
    transport: Transport,
    private val clock: () -> Moment,
    credential: () -> String? = { null },
    configuration: Configuration = Configuration(),
    private val dispatcher: CoroutineDispatcher = Dispatchers.Default,
) {
    private val scope = CoroutineScope(SupervisorJob() + dispatcher)
    private val outbox = Outbox(events, refusals, configuration)
    private val service = Service(service, transport, credential, scope, dispatcher, configuration.timeout)
    private val backoff = Backoff(configuration.retryBase, configuration.retryCap)
    private val sender = Sender(outbox, this.service, backoff, scope, Status(pending = events.count, pendingBytes = events.bytes))
    private val ids = Ids()

    /** The `source` of all events: this installation of the app. */
    val source: String get() = outbox.source

    /** The state of delivery: the present state, and the latest state after each change. */
    val status: StateFlow<Status> get() = sender.status

    /**
     * Records an event. When the function returns, the event survives a kill of the process and a power cut.
     *
     * @param at the time of the event; null for now.
     * @param id the id of an event from another system. An event that is recorded again with the same id and time counts once.
     * @throws InvalidEvent if the service would refuse the event.
     * @throws OutboxError after which the event may be lost.
     */
    suspend fun record(event: Event, context: PracticeContext, at: Moment? = null, id: String? = null): Identity {
        val identity = Identity(source, id ?: ids.next())
        keep(listOf(line(event, identity, context, at)))
        return identity
    }

    /** Records events with the same time: all of them or none. */
    suspend fun record(events: List<Event>, context: PracticeContext, at: Moment? = null): List<Identity> {
        val time = at ?: clock()
        val identities = events.map { Identity(source, ids.next()) }
        keep(events.zip(identities) { event, identity -> line(event, identity, context, time) })
        return identities
    }

    private fun line(event: Event, identity: Identity, context: PracticeContext, at: Moment?): String {
        val now = clock()
        return lineOf(event, identity, context, at ?: now, now)
    }

    private suspend fun keep(lines: List<String>) {
        if (lines.isEmpty()) return
        withContext(dispatcher) { outbox.add(lines) }
        sender.wake()
    }

    /**
     * Buys an item at the service, after the events that wait, and returns its receipt.
     *
     * @param id the id of the purchase. The same purchase again, with the same [id] and [at], is stored once.
     * @param queue true to keep a purchase that does not reach the service in the outbox, and to return null. If the service
     * refuses the purchase later, [refused] lists it.
     * @throws ServiceError if the service refuses the purchase, or was not reached.
     */
    suspend fun buy(
        item: String,
        learner: String,
        count: Int = 1,
        timezone: String? = null,
        at: Moment? = null,
        id: String? = null,
        queue: Boolean = false,
    ): Document? {
        val context = PracticeContext(learner, timezone = timezone)
        val line = line(Events.itemBought(item, count), Identity(SHOP, id ?: ids.next()), context, at)
        try {
            flush()
            return purchase(service, line)
        } catch (error: ServiceError) {
            if (!queue || !error.isRetryable) throw error
        }
        keep(listOf(line))
        return null
    }

    /** Starts delivery in the background, until [stop] or [close]. */
    fun start() = sender.start()

    /** Stops delivery in the background. Undelivered events stay in the outbox. */
    suspend fun stop() = sender.stop()

    /**
     * Delivers the events that wait now, for example when the app goes to the background. Failures are not retried.
     *
     * @throws ServiceError if delivery fails. Undelivered events stay in the outbox.
     */
    suspend fun flush() = withContext(dispatcher) { sender.flush() }

    /** Stops delivery and live streams, and closes the outbox. After that, recording throws. */
    suspend fun close() {
        sender.stop()
        withContext(dispatcher) { sender.close() }
        scope.cancel()
    }

    /** The latest refused events and purchases, each with its problem; up to 1000. */
    suspend fun refused(): List<RefusedEvent> = withContext(dispatcher) { outbox.refused() }

    /** Forgets refused events, by their ids. */
    suspend fun forget(ids: Collection<String>) = withContext(dispatcher) { outbox.forget(ids.toSet()) }

    /**
     * Requests a resource of the service, such as `ask("/v1/learners/ana/words", mapOf("due" to true))`.
     *
     * @throws ServiceError if the service was not reached, or refused.
     */
    suspend fun ask(path: String, query: Map<String, Any?> = emptyMap()): Document {
        val reply = service.ask(path + Service.query(query))
        return reply.document ?: throw ServiceError("the service answered ${reply.status}", reply.status, isRetryable = false)
    }

    /** A learner's progress, now and after each change. The document's value is null while the learner is unknown. */
    fun progress(learner: String, language: String? = null): Flow<Document> =
        watch(learner, language).filter { it.kind == "progress" }.map { it.data }

    /** The messages of the live stream: whole states, and unlocked achievements. The client reconnects until it succeeds. */
    fun watch(learner: String, language: String? = null): Flow<Message> = flow {
        val path = learnerPath(learner, "stream") + Service.query(mapOf("language" to language))
        var position = ""
        var failures = 0
        var stream: LiveStream? = null
        try {
            while (true) {
                var wait = 0L
                val message = try {
                    val open = stream ?: service.listen(path, position).also { stream = it }
                    open.next().also { position = open.position }
                } catch (error: ServiceError) {
                    if (!error.isRetryable) throw error
                    wait = error.retryAfter
                    null
                }
                if (message != null) {
                    failures = 0
                    emit(message)
                } else {
                    stream?.close()
                    stream = null
                    failures += 1
                    delay(maxOf(wait, backoff.delay(failures)))
                }
            }
        } finally {
            stream?.close()
        }
    }

    companion object {
        /** The path of a learner's resource, such as `words`. */
        @JvmStatic
        fun learnerPath(learner: String, resource: String): String = "/v1/learners/${Service.escaped(learner)}/$resource"
    }
}

/** Ids that are unique whatever happens to the outbox: a random word of this client, and a number that sorts as it counts. */
private class Ids {
    @OptIn(ExperimentalUuidApi::class)
    private val opening = Uuid.random().toHexString().take(12)
    private val lock = Mutex()
    private var count = 0

    suspend fun next(): String = lock.withLock { "$opening-${(count++).toString(16).padStart(7, '0')}" }
}

/** The waits between attempts: random, so that clients that failed together do not retry together. */
internal class Backoff(private val base: Long, private val cap: Long) {
    /** A wait between 0 and base · 2^(failures − 1), in milliseconds. */
    fun delay(failures: Int): Long {
        val most = base.toDouble() * (1L shl (failures - 1).coerceIn(0, 30))
        return (minOf(most, cap.toDouble()) * Random.nextDouble()).toLong()
    }
}
