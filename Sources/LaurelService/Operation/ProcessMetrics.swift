// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The metrics of the process, with the names that Prometheus' own clients use. There are none on systems without
/// `/proc`.
enum ProcessMetrics {
    struct Value {
        var name: String
        var type: String
        var help: String
        var value: Double
    }

    static var values: [Value] {
        guard let fields = status else { return [] }
        let (ticks, page) = (Double(sysconf(Int32(_SC_CLK_TCK))), Double(sysconf(Int32(_SC_PAGESIZE))))
        func number(_ field: Int) -> Double { fields.count > field ? Double(fields[field]) ?? 0 : 0 }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        return [
            Value(
                name: "process_cpu_seconds_total",
                type: "counter",
                help: "User and system time.",
                value: (number(Field.userTicks) + number(Field.systemTicks)) / ticks
            ),
            gauge("process_resident_memory_bytes", "Resident memory.", number(Field.residentPages) * page),
            gauge("process_virtual_memory_bytes", "Virtual memory.", number(Field.virtualBytes)),
            gauge("process_threads", "Threads.", number(Field.threads)),
            gauge("process_open_fds", "Open file descriptors.", Double(descriptors)),
            gauge("process_max_fds", "The most file descriptors that may be open.", mostDescriptors),
            gauge(
                "process_start_time_seconds",
                "When the process started, in seconds since 1970.",
                bootTime + number(Field.startTicks) / ticks
            ),
        ]
    }

    private static func gauge(_ name: String, _ help: String, _ value: Double) -> Value {
        Value(name: name, type: "gauge", help: help, value: value)
    }

    /// The indexes of fields in `/proc/self/stat` after the name of the program: see proc(5).
    private enum Field {
        static let (userTicks, systemTicks, threads, startTicks) = (11, 12, 17, 19)
        static let (virtualBytes, residentPages) = (20, 21)
    }

    private static var status: [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        // The program's name may contain blanks, so the fields are split after the name.
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static let mostDescriptors: Double = {
        let text = (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Double($0) } ?? 0
    }()

    /// Seconds since 1970 at which the system started.
    private static let bootTime: Double = {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst(6)) } ?? 0
    }()
}
