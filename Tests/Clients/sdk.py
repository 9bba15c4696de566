# SPDX-License-Identifier: Apache-2.0
"""sdk.py SDK CALLS [ADDRESS KEY FIRST LAST]… sends the calls FIRST … LAST − 1 of a JSON file to each address with a real SDK: segment,
rudder or posthog. Prints a line per delivery."""
import datetime, json, sys

sdk, calls, *deliveries = sys.argv[1:]
calls = json.load(open(calls))
failed = []


def instant(call):
    return datetime.datetime.fromisoformat(call["time"]) if call["time"] else None


def segment(address, key):
    import segment.analytics
    return segment.analytics.Client(key, host=address, gzip=True, on_error=lambda error, batch: failed.append(str(error)))


def rudder(address, key):
    import rudderstack.analytics
    return rudderstack.analytics.Client(key, host=address, on_error=lambda error, batch: failed.append(str(error)))


def send_segment(client, call):
    more = {"timestamp": instant(call), "message_id": call["id"]}
    match call["kind"]:
        case "track": client.track(call["user"], call["event"], call["properties"], anonymous_id=call["anonymous"], **more)
        case "identify": client.identify(call["user"], {"name": call["name"]}, anonymous_id=call["anonymous"], **more)
        case "alias": client.alias(call["anonymous"], call["user"], **more)
        case "page": client.page(call["user"], "Lessons", "Home", **more)


def posthog(address, key):
    from posthog import Posthog
    client = Posthog(key, host=address, gzip=True, on_error=lambda error, batch: failed.append(str(error)))
    print("flags", client.get_all_flags("ana"))
    return client


def send_posthog(client, call):
    more = {"timestamp": instant(call), "uuid": call["uuid"]}
    match call["kind"]:
        case "track":
            # The SDK for browsers marks an anonymous call in this way.
            device = {} if call["user"] else {"$device_id": call["anonymous"]}
            client.capture(call["event"], distinct_id=call["user"] or call["anonymous"], properties=call["properties"] | device, **more)
        case "identify":
            properties = {"$set": {"name": call["name"]}} | ({"$anon_distinct_id": call["anonymous"]} if call["anonymous"] else {})
            client.capture("$identify", distinct_id=call["user"], properties=properties, **more)
        case "alias": client.alias(call["anonymous"], call["user"], **more)
        case "page": client.capture("$pageview", distinct_id=call["user"], **more)


make, send = {"segment": (segment, send_segment), "rudder": (rudder, send_segment), "posthog": (posthog, send_posthog)}[sdk]
for address, key, first, last in zip(*[iter(deliveries)] * 4):
    client = make(address, key)
    for call in calls[int(first):int(last)]:
        send(client, call)
    client.flush()
    client.shutdown()
    print("delivered", address, failed)
