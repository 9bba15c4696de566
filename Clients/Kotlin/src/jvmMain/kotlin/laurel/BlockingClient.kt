// SPDX-License-Identifier: Apache-2.0

package laurel

import java.io.File
import java.util.function.Consumer
import java.util.function.Supplier
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * A client whose functions block, for Java and for programs without coroutines. Each function does the same as the function of that
 * name of [LaurelClient]. Do not call the functions on Android's main thread.
 */
class BlockingClient(private val client: LaurelClient) : AutoCloseable {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)

    /** Opens a client with its outbox in a folder; see [openClient]. */
    @JvmOverloads
    @Throws(OutboxError::class)
    constructor(
        service: String,
        application: String,
        folder: File,
        credential: Supplier<String?> = Supplier { null },
        configuration: Configuration = Configuration(),
    ) : this(openClient(service, application, folder, credential::get, configuration))

    val source: String get() = client.source
    val status: Status get() = client.status.value

    @JvmOverloads
    @Throws(OutboxError::class)
    fun record(event: Event, context: PracticeContext, at: Moment? = null, id: String? = null): Identity =
        runBlocking { client.record(event, context, at, id) }

    @JvmOverloads
    @Throws(OutboxError::class)
    fun record(events: List<Event>, context: PracticeContext, at: Moment? = null): List<Identity> =
        runBlocking { client.record(events, context, at) }

    @JvmOverloads
    @Throws(OutboxError::class, ServiceError::class)
    fun buy(
        item: String,
        learner: String,
        count: Int = 1,
        timezone: String? = null,
        at: Moment? = null,
        id: String? = null,
        queue: Boolean = false,
    ): Document? = runBlocking { client.buy(item, learner, count, timezone, at, id, queue) }

    fun start() = client.start()

    fun stop() = runBlocking { client.stop() }

    @Throws(OutboxError::class, ServiceError::class)
    fun flush() = runBlocking { client.flush() }

    @Throws(OutboxError::class)
    fun refused(): List<RefusedEvent> = runBlocking { client.refused() }

    @Throws(OutboxError::class)
    fun forget(ids: Collection<String>) = runBlocking { client.forget(ids) }

    @JvmOverloads
    @Throws(ServiceError::class)
    fun ask(path: String, query: Map<String, Any?> = emptyMap()): Document = runBlocking { client.ask(path, query) }

    /** Calls a function with a learner's progress, now and after each change, until the result is closed. */
    @JvmOverloads
    fun onProgress(learner: String, language: String? = null, action: Consumer<Document>): AutoCloseable {
        val watching = scope.launch { client.progress(learner, language).collect { action.accept(it) } }
        return AutoCloseable { watching.cancel() }
    }

    override fun close() {
        scope.cancel()
        runBlocking { client.close() }
    }
}
