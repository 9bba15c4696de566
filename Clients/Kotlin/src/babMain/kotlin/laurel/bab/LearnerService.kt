// SPDX-License-Identifier: Apache-2.0

package laurel.bab

import laurel.Document
import laurel.Event
import laurel.LaurelClient
import laurel.Moment
import laurel.PracticeContext
import laurel.ServiceError

/**
 * One learner at a Laurel service, for the repositories of BabLanguageSDK.
 *
 * @param client records events, and asks the service.
 * @param learner the stable id of the learner.
 * @param onProblem called if the service was not reached, or refused. The repositories then answer from what they remember, because
 * BabLanguageSDK has no answer for errors.
 */
class LearnerService(
    private val client: LaurelClient,
    val learner: String,
    private val clock: () -> Moment,
    private val onProblem: (ServiceError) -> Unit = {},
) {
    /** A resource of the learner, after the events that wait; null if the service has none or was not reached. */
    internal suspend fun ask(resource: String, query: Map<String, Any?> = emptyMap()): Document? = try {
        client.flush()
        client.ask(LaurelClient.learnerPath(learner, resource), query)
    } catch (error: ServiceError) {
        // A learner without events is unknown.
        if (error.status != 404) onProblem(error)
        null
    }

    internal suspend fun record(event: Event, language: String?, session: String? = null, at: Long? = null, id: String? = null) {
        val time = at?.let { Moment(it, clock().offsetMinutes) }
        // A longer id is not allowed. Then the client chooses one.
        val known = id?.takeIf { it.encodeToByteArray().size <= MOST_ID_BYTES }
        client.record(event, PracticeContext(learner, language?.ifEmpty { null }, session?.ifEmpty { null }), time, known)
    }

    internal fun now(): Long = clock().milliseconds

    private companion object {
        const val MOST_ID_BYTES = 128
    }
}

/** The milliseconds since 1970 of a member with a time; null if there is none. */
internal fun Document.milliseconds(name: String): Long? = this[name].text?.let { Moment.parse(it) }?.milliseconds

internal fun Document.int(name: String): Int = this[name].integer?.toInt() ?: 0

/** The value of an enumeration with a name, in any case; null if there is none. */
internal inline fun <reified T : Enum<T>> named(name: String?): T? = enumValues<T>().firstOrNull { it.name.equals(name, ignoreCase = true) }
