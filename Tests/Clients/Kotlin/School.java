// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import laurel.BlockingClient;
import laurel.Configuration;
import laurel.Document;
import laurel.Event;
import laurel.Events;
import laurel.InvalidEvent;
import laurel.Moment;
import laurel.PracticeContext;
import laurel.ReviewGrade;
import laurel.ServiceError;

/** A program in Java that uses the Kotlin client: OUTBOX SERVICE. */
public final class School {
    private School() {}

    public static void main(String[] arguments) throws Exception {
        var configuration = new Configuration(1000);
        var ana = new PracticeContext("ana", "es");
        try (var client = new BlockingClient(arguments[1], "school", new File(arguments[0]), () -> null, configuration)) {
            var states = new ArrayBlockingQueue<Document>(100);
            var watching = client.onProgress("ana", state -> states.add(state));
            try (watching) {
                client.start();
                var at = Moment.parse("2026-04-05T18:00:00+02:00");
                client.record(Events.reviewGraded("w-arbol", ReviewGrade.GOOD), ana);
                client.record(List.of(Events.sessionStarted(), Events.lineSpoken("1", "¿Qué tal?")), ana, at);
                client.record(new Event("quest.finished", Map.of("difficulty", 3)).adding("map", "harbour"), ana, at, "quest-1");
                Document state;
                do {
                    state = states.poll(20, TimeUnit.SECONDS);
                } while (state != null && !Long.valueOf(4).equals(state.get("events").getInteger()));
                System.out.println("live " + (state == null ? null : state.get("events")));
            }
            try {
                client.record(Events.sessionEnded(-1L), ana);
            } catch (InvalidEvent error) {
                System.out.println(error.getMessage());
            }
            try {
                client.buy("potion", "ana");
            } catch (ServiceError error) {
                System.out.println(error.getStatus() + " " + error.getCode());
            }
            client.flush();
            client.stop();
            var events = client.ask("/v1/learners/ana/progress").get("events").getInteger();
            System.out.println(events + " events, " + client.getStatus().getPending() + " waiting, " + client.refused().size() + " refused");
        }
    }
}
