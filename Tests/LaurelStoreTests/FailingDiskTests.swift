import Glibc
import LaurelEvents
import LaurelStore
import Testing

/// A disk whose `fsync` fails: a small library that is put before the C library fails it while a file named
/// `failing` stands beside the database. That takes a process of its own, so the test runs this test program again.
@Suite struct FailingDiskTests {
    private static let library = """
        #include <errno.h>
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>
        int fdatasync(int descriptor) {
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t count = readlink(link, path, sizeof path - 16);
            if (count > 0) {
                path[count] = 0;
                char *slash = strrchr(path, '/');
                if (slash) strcpy(slash, "/failing");
                if (access(path, F_OK) == 0) { errno = EIO; return -1; }
            }
            return fsync(descriptor);
        }
        """

    private static let isInside = getenv("LAUREL_FAILING_DISK") != nil

    @Test(.enabled(if: !isInside && system("command -v cc > /dev/null") == 0, "there is no C compiler"))
    func runsWithTheLibrary() throws {
        let folder = String(TestStore.temporaryPath().dropLast("/laurel.db".count))
        defer { _ = system("rm -r \(folder)") }
        let file = try #require(fopen(folder + "/failing.c", "w"))
        fputs(FailingDiskTests.library, file)
        fclose(file)
        #expect(system("cc -shared -fPIC -o \(folder)/failing.so \(folder)/failing.c") == 0)
        let program = String(cString: realpath("/proc/self/exe", nil))
        let status = system(
            "LD_PRELOAD=\(folder)/failing.so LAUREL_FAILING_DISK=1 '\(program)' --testing-library swift-testing"
                + " --filter FailingDiskTests > \(folder)/log 2>&1 && grep -q 'aFailingSyncChangesNothing() passed'"
                + " \(folder)/log || { cat \(folder)/log; false; }"
        )
        #expect(status == 0)
    }

    @Test(.enabled(if: isInside))
    func aFailingSyncChangesNothing() throws {
        let test = try Backend.sqlite.make()
        let path = try #require(test.path)
        try test.append([TestEvent(id: "e1")])
        let sign = path.dropLast("laurel.db".count) + "failing"
        fclose(fopen(String(sign), "w"))
        let error = #expect(throws: StoreError.self) {
            try test.append([TestEvent(id: "e2"), TestEvent(subject: "bo", id: "e1")])
        }
        unlink(String(sign))
        #expect(error?.code == .ioError)
        #expect(error?.message.contains("nothing was changed") == true)
        #expect(try test.events(of: "ana").count == 1)
        #expect(try test.outcomes(TestEvent(id: "e2")) == [.stored])
        try test.reopen()
        #expect(try test.events(of: "ana").count == 2)
        #expect(try test.events(of: "bo") == [])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }
}
