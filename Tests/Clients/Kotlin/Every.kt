// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import java.lang.reflect.Method
import kotlinx.coroutines.runBlocking
import laurel.Document
import laurel.Event
import laurel.Events
import laurel.Moment

/** Records an event of every type with every field, from standard input, and delivers them. */
internal fun every(outbox: String, service: String) = runBlocking {
    val wanted = Document.parse(System.`in`.bufferedReader().readText()) ?: error("no JSON")
    val client = open(service, outbox)
    for (entry in wanted.items) client.record(made(entry["type"].text.orEmpty(), entry["fields"]), ana.copy(session = "s1"))
    client.flush()
    check(client.refused().isEmpty()) { client.refused() }
    client.close()
}

/** The event of the constructor that has all parameters. */
private fun made(type: String, fields: Document): Event {
    val name = type.split('.', '_', '-').reduce { start, word -> start + word.replaceFirstChar { it.uppercase() } }
    val method = Events::class.java.methods.filter { it.name == name }.maxBy { it.parameterCount }
    return method.invoke(null, *arguments(method, fields)) as Event
}

private fun arguments(method: Method, fields: Document): Array<Any?> =
    method.parameters.map { parameter -> converted(fields[parameter.name].value, parameter.type) }.toTypedArray()

private fun converted(value: Any?, type: Class<*>): Any? = when {
    type.isEnum -> type.enumConstants.single { (it as Enum<*>).name.equals(value.toString(), ignoreCase = true) }
    type == Moment::class.java -> Moment.parse(value.toString())
    value is Number && type.simpleName in setOf("int", "Integer") -> value.toInt()
    value is Number && type.simpleName in setOf("double", "Double") -> value.toDouble()
    value is List<*> -> value.map { if (it is Number) it.toDouble() else it }
    else -> value
}
