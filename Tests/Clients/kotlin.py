# SPDX-License-Identifier: Apache-2.0
"""The Kotlin client, compiled for the tests with the compiler of PyPI's kotlin-jupyter-kernel (`make kotlin-tools`)."""
import functools, glob, hashlib, os, shutil, subprocess, threading

from Harness import root

tools = f"{root}/.build/kotlin-tools"
sources = f"{root}/Clients/Kotlin/src"
trials = f"{root}/Tests/Clients/Kotlin"
building = threading.Lock()


def jars():
    """The compiler, and the libraries of programs: the standard library, and coroutines, which the compiler's archive has."""
    found = glob.glob(f"{tools}/lib/python*/site-packages/run_kotlin_kernel/jars/*.jar")
    only = lambda start, end="": next((jar for jar in found if os.path.basename(jar).startswith(start) and jar.endswith(end)), None)
    return only("kotlin-jupyter-kernel", "-all.jar"), only("kotlin-stdlib")


def missing():
    """The tools that are missing."""
    return ([] if all(jars()) else ["Kotlin's compiler"]) + [tool for tool in ("java", "javac") if not shutil.which(tool)]


def files(folder, ending="kt"):
    return sorted(glob.glob(f"{folder}/**/*.{ending}", recursive=True))


def compile(name, fragments, classpath=(), plain=()):
    """Compiles the fragments of a multiplatform module into a folder, which is kept until a source changes: name → (sources, the
    fragment that it refines). `plain` are sources of a module without fragments. Returns the folder and the compiler's complaints."""
    compiler, library = jars()
    everything = [path for paths, _ in fragments.values() for path in paths] + list(plain)
    digest = hashlib.sha256(repr((compiler, fragments, list(classpath))).encode())
    for path in everything:
        digest.update(open(path, "rb").read())
    folder = f"{root}/.build/kotlin/{name}-{digest.hexdigest()[:16]}"
    if os.path.isdir(folder):
        return folder, ""
    for old in glob.glob(f"{root}/.build/kotlin/{name}-*"):
        shutil.rmtree(old)
    words = ["-no-stdlib", "-no-reflect", "-Werror", "-java-parameters", "-cp", ":".join([library, compiler, *classpath]), "-d", f"{folder}.new"]
    if fragments:
        words += ["-Xmulti-platform", f"-Xfragments={','.join(fragments)}"]
        refined = [f"{name}:{other}" for name, (_, other) in fragments.items() if other]
        words += [f"-Xfragment-refines={','.join(refined)}"] if refined else []
        words.append("-Xfragment-sources=" + ",".join(f"{name}:{path}" for name, (paths, _) in fragments.items() for path in paths))
    done = subprocess.run(["java", "-Xmx1g", "-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", *words, *everything],
                          capture_output=True, text=True, timeout=300)
    if done.returncode == 0:
        os.rename(f"{folder}.new", folder)
    return folder, "" if done.returncode == 0 else done.stdout + done.stderr


@functools.cache
def classpath():
    """The class path of the client and its trials."""
    with building:
        compiler, library = jars()
        fragments = {"common": (files(f"{sources}/commonMain"), None), "jvm": (files(f"{sources}/jvmMain"), "common")}
        folders = []
        # The repositories of BabLanguageSDK need its interfaces, which the trials declare.
        for name, parts, plain in (("client", fragments, []), ("trials", {}, files(trials) + files(f"{sources}/babMain"))):
            folder, complaints = compile(name, parts, folders, plain)
            if complaints:
                raise SystemExit(f"Kotlin does not compile:\n{complaints}")
            folders.append(folder)
        return ":".join([*folders, library, compiler])


def command(script):
    """The command that runs a script of the trials, such as `deliver`."""
    return ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", classpath(), "laurel.trials.MainKt", script]
