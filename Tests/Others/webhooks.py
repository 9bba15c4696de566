# SPDX-License-Identifier: Apache-2.0
"""The library of Standard Webhooks verifies the service's messages."""
import http.server, threading

import standardwebhooks

from scene import demand, event, expect, post, serving, until


class Receiver:
    """A server that keeps each message, with the verdict of the library, and answers with the statuses of `script`, then with 204."""

    def __init__(self, script=()):
        self.messages, self.secret = [], None
        receiver, left = self, list(script)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.messages.append((dict(self.headers), body))
                self.send_response(left.pop(0) if left else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/laurel"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def refuses(webhook, body, headers):
    try:
        webhook.verify(body, headers)
    except standardwebhooks.WebhookVerificationError:
        return True
    return False


def check_messages(made, receiver):
    """Every message verifies, and a changed one does not."""
    webhook = standardwebhooks.Webhook(made["secret"])
    told = {}
    for headers, body in receiver.messages:
        try:
            message = webhook.verify(body, headers)
        except standardwebhooks.WebhookVerificationError as error:
            expect(False, f"standardwebhooks: {body} with {headers}: {error!r}")
            continue
        told.setdefault(message["type"], []).append(message)
        expect(set(message) == {"type", "timestamp", "data"}, f"standardwebhooks: a message has three members: {message}")
        expect(message["data"]["learner"] == "ana", f"standardwebhooks: it is about the learner: {message}")
    headers, body = receiver.messages[0]
    expect(refuses(webhook, body.replace(b"ana", b"eve"), headers), "standardwebhooks: a changed body is refused")
    other = {name: "msg_other" if name.lower() == "webhook-id" else value for name, value in headers.items()}
    expect(refuses(webhook, body, other), "standardwebhooks: another id is refused")
    expect(refuses(standardwebhooks.Webhook("whsec_" + "QUJD" * 8), body, headers), "standardwebhooks: another secret is refused")
    return told


def sent_again(service, made, receiver):
    """Requests a message again. It has the same id and body, and a signature that is valid now."""
    deliveries = f"/v1/webhooks/{made['id']}/deliveries"
    listed = until(5, lambda: [one for one in demand(service, "GET", deliveries) if one["state"] == "delivered"])
    id_of = lambda headers: {name.lower(): value for name, value in headers.items()}["webhook-id"]
    ids = [id_of(headers) for headers, _ in receiver.messages]
    expect(listed and listed[0]["id"] in ids, f"standardwebhooks: webhook-id is the delivery's id: {listed} and {ids}")
    if not listed:
        return
    count = len(receiver.messages)
    demand(service, "POST", f"{deliveries}/{listed[0]['id']}")
    until(10, lambda: len(receiver.messages) > count)
    expect(len(receiver.messages) == count + 1, "standardwebhooks: a message is sent again")
    headers, body = receiver.messages[-1]
    expect(id_of(headers) == listed[0]["id"], "standardwebhooks: the message that is sent again has its id")
    expect(body == receiver.messages[ids.index(listed[0]["id"])][1], "standardwebhooks: the message that is sent again has its body")
    standardwebhooks.Webhook(made["secret"]).verify(body, headers)


def check():
    receiver = Receiver()
    with serving(settings="allow-private-webhooks: true\n") as service:
        made = demand(service, "POST", "/v1/webhooks", {"url": receiver.address})
        # The first line unlocks an achievement, begins a streak, and adds its first day.
        post(service, event(1))
        until(10, lambda: len(receiver.messages) >= 3)
        expect(receiver.messages, "standardwebhooks: the receiver is told within ten seconds")
        if receiver.messages:
            told = check_messages(made, receiver)
            expect("achievement.unlocked" in told and "streak.extended" in told, f"standardwebhooks: both are told: {told}")
            sent_again(service, made, receiver)
    receiver.end()
    return f"{len(receiver.messages)} messages"
