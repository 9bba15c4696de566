// SPDX-License-Identifier: Apache-2.0

// Records and delivers events on a disk that may fail, until it is killed or done. Two files list the acknowledged and
// the delivered events. outbox-writer FOLDER ACKNOWLEDGED DELIVERED RUN EVENTS
import Foundation
import LaurelClient

let arguments = CommandLine.arguments
let run = arguments[4]
let events = Int(arguments[5])!
let acknowledged = open(arguments[2], O_WRONLY | O_CREAT | O_APPEND, 0o600)
let file = FileDelivery(URL(fileURLWithPath: arguments[3]))

struct Unlucky: Error {}

var configuration = ClientConfiguration()
configuration.batchEvents = 7
configuration.retry = RetryPolicy(base: .milliseconds(1), cap: .milliseconds(3))
let delivery = ClosureDelivery { batch in
    if Int.random(in: 0..<10) == 0 { throw Unlucky() }
    let receipt = try await file.deliver(batch)
    // The answer is lost on its way.
    if Int.random(in: 0..<10) == 0 { throw Unlucky() }
    return receipt
}
do {
    let client = try LaurelClient(
        folder: URL(fileURLWithPath: arguments[1]),
        application: "writer",
        delivery: delivery,
        configuration: configuration
    )
    await client.start()
    await withTaskGroup(of: Void.self) { group in
        for task in 0..<3 {
            group.addTask {
                let context = PracticeContext(learner: "learner-\(task)", language: "es", session: "run-\(run)")
                for number in 0..<events {
                    let line = "\(run)/\(task)/\(number)"
                    let text = String(repeating: "x", count: Int.random(in: 0..<10) == 0 ? 3000 : 10)
                    // An event that the disk does not take is not acknowledged. The app continues.
                    guard let event = try? await client.record(.lineSpoken(line: line, text: text), in: context) else {
                        continue
                    }
                    let entry = Array("\(event.source) \(event.id) \(line)\n".utf8)
                    guard write(acknowledged, entry, entry.count) == entry.count else { exit(4) }
                }
            }
        }
    }
    while true {
        do {
            try await client.flush()
            break
        } catch is Unlucky {}
    }
    await client.close()
} catch {
    FileHandle.standardError.write(Data("outbox: \(error)\n".utf8))
    exit(3)
}
