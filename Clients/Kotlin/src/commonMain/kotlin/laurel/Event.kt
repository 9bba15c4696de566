// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.jvm.JvmOverloads

/**
 * An action of a learner. Types of the catalogue have constructors in [Events].
 *
 * @property type the type, such as `line.spoken`, or a type of your own.
 * @property data the fields: texts, numbers, booleans, lists, maps, [Moment]s and null.
 */
data class Event @JvmOverloads constructor(val type: String, val data: Map<String, Any?> = emptyMap()) {
    /** The event with a further field, which the engine keeps and exports. */
    fun adding(name: String, value: Any?): Event = Event(type, data + (name to value))
}

/** The identity of an event, with which [Events.eventRetracted] voids the event. */
data class Identity(val source: String, val id: String)

/**
 * The learner and the circumstances of an event.
 *
 * @property learner the stable id of the learner; 1 to 256 bytes.
 * @property language the language that the learner practises, as a BCP 47 tag.
 * @property session the id of the session.
 * @property timezone the learner's IANA time zone, for programs that run in another zone.
 */
data class PracticeContext @JvmOverloads constructor(
    val learner: String,
    val language: String? = null,
    val session: String? = null,
    val timezone: String? = null,
)

/** An event with the given fields, without those that are null. */
internal fun made(type: String, vararg fields: Pair<String, Any?>): Event =
    Event(type, fields.filter { it.second != null }.toMap())

/** The event as it is stored and sent: one line of JSON. Values that the service would refuse are refused, never changed. */
internal fun lineOf(event: Event, identity: Identity, context: PracticeContext, at: Moment, now: Moment): String {
    val data = event.data.mapValues { (_, value) -> if (value is Moment) value.toString() else value }
    val attributes = linkedMapOf<String, Any?>(
        "specversion" to "1.0", "id" to identity.id, "source" to identity.source, "type" to event.type,
        "subject" to context.learner, "time" to at.toString(), "language" to context.language, "session" to context.session,
        "timezone" to context.timezone,
    )
    EventCheck(event.type, attributes, data).run(at, now)
    if (data.isNotEmpty()) attributes["data"] = data
    return jsonText(attributes.filterValues { it != null })
}
