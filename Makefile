# make demo    installs missing C libraries (needs root, otherwise only lists them), builds, and shows the main commands on sample data
# make test    installs the tools of the tests, runs all checks, JOBS=3 at a time, and shows the time of each. Each check is also a
#              target, such as LaurelStoreTests or check-examples; `make -n test` lists them
# make serve-demo  starts a service on the sample class, with a key, and shows example requests
# make cluster-demo  starts three services over one PostgreSQL database, and kills some while learners practise; no event is lost
# make build   makes the release build: .build/release/laurel
# make install  installs the built program, man pages, completions and systemd units: PREFIX=/usr/local DESTDIR=
# make deb     makes the Debian package laurel_VERSION_ARCHITECTURE.deb, a list of its contents (CycloneDX) and SHA256SUMS
# make test-release  runs the checks that only a release needs: the Debian package, a Swift package that depends on a tag, all commands of
#              the documents at all dates, and the public symbols since the last tag
# make test-install  runs test-release, then builds, installs, uses and removes the package on bare Debian 12 systems; needs root, the
#              network and half an hour
# make pin     writes the present digests of the images into the Dockerfile and the compose files; asks their registry through docker
# make tag     runs test-release, then tags the commit with the version at the top of CHANGELOG.md, if the registry knows the images' digests
# make format  formats the sources, and adds licence lines to new files
# make interface  writes the list of public symbols (Tests/Interface) after an intended change
# make reference  makes the reference of the public interface: .build/reference, for `docc preview` or any web server
# make site    makes the documents' static site with its search: .build/site; checks the site at the width of a phone
# make pictures  draws the documents' pictures again
# make faults  tests kills, failing disks, power cuts and damage, by seed: make faults FAULTS=10000 SEED=7 (Tests/Faults). Repeats this on
#              PostgreSQL with a failing server and connections, and with two programs that buy at once; kills each client (browser, Node,
#              Python, Kotlin) 100 times (Tests/Clients)
# make test-citus  runs the store's contract tests and 100 faults on Citus: make test-citus PG_CONFIG=/usr/lib/postgresql/16/bin/pg_config;
#              without Citus, prints a message and ends
# make fuzz    runs LLVM's fuzzer with the address sanitizer on all readers: make fuzz MINUTES=60 TARGETS="events yaml"
# make bits    flips every bit of one page of each kind in a store, and checks that Laurel notices; takes half an hour, with STEP=64 half a minute
# make oracle  compares random rules and events with the implementation in Python, by seed: make oracle SEEDS=1000-1200. The rules of
#              odd seeds have games
# make soak    runs faults, fuzz, oracle, fits and serve-soak for a long time: make soak FAULTS=10000 MINUTES=60
# make fits    three times, fits FSRS's parameters to 1,000 simulated learners, tests the fits on later reviews, and compares 40 with fsrs-rs and
#              fsrs-optimizer: make fits SEEDS="4 5"
# make serve-soak  tests a service under load for MINUTES=60 with 200 clients, 5,000 streams and webhooks; then 100 kills under load, 100,000
#              requests made from /openapi.json, 1,000,000 invalid requests, and 1,000 requests to each route:
#              make serve-soak CHECKS="mutated soaked" MINUTES=15 SEED=7. With RATE=140, the clients together send 140 requests a second,
#              even if the service is slow
# make report-matrix  makes every report at four widths, light, dark and on paper, for learners and classes of up to 20,000, with a sheet of
#              pictures in .build/report-matrix. Also checks each number of a class of 50 over a year against a second computation
# make contact-sheet  draws every page of the dashboard at four widths, light and dark, for five stores: .build/dashboard. Reports text that
#              overflows, is clipped or is faint, and controls of a wrong size
# make page-times  measures the time of each page of the dashboard with 10,000 learners; a page that is too slow is an error
# make bench   measures speed and size against alternatives (Benchmarks/README.md); takes long:
#              make bench INPUTS=classroom WORKS=replay,ingest RUNS=3 SCALE=10 MEMORY=50M
# make bench-check  checks the benchmark itself, on tiny inputs

# Without COLUMNS, help and tables have their full width.
unexport COLUMNS

SWIFT ?= swift
# Compiles each module as a whole, without debug information and without an index of system modules. This takes half the processor time
# of a plain `swift build`, which is faster only if few files have changed. Some modules are optimised: see Package.swift.
DEBUG_BUILD := LAUREL_OPTIMISED=1 $(SWIFT) build $(foreach flag,-warnings-as-errors -wmo -disable-batch-mode -num-threads 2 -gnone \
    -no-emit-module-separately-wmo -index-ignore-system-modules -index-ignore-clang-modules,-Xswiftc $(flag))
# On Linux, Swift's libraries are linked statically, because only the toolchain installs them. On macOS, the system has them.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib --disable-local-rpath)
PREFIX ?= /usr/local

LIBRARIES := libsqlite3-dev libzstd-dev zlib1g-dev libyaml-dev libsimdjson-dev nettle-dev libzip-dev libxml2-dev libxxhash-dev libmicrohttpd-dev libcurl4-openssl-dev libpq-dev pkg-config tzdata
# The packages that the Swift toolchain needs on a bare Debian.
TOOLCHAIN := binutils git libc6-dev libcurl4 libgcc-12-dev libncurses6 libstdc++-12-dev libxml2
# Some uses: Java runs Kotlin's compiler. Python runs the reference implementation, gcc compiles the shim of the faults, and the documents' commands use jq, sqlite3 and
# faketime. Tests start their own PostgreSQL servers. Chromium opens reports and prints them. Node runs laurel.js, and TypeScript checks its
# types. Anki's package from PyPI makes the collections that tests read.
TEST_TOOLS := python3 python3-yaml python3-venv python3-jsonschema chromium fonts-noto-core poppler-utils gcc libc6-dev zstd gzip jq sqlite3 faketime curl openssl prometheus nginx caddy postgresql pgbouncer \
    nodejs node-typescript default-jdk-headless zsh fish bash-completion lintian mandoc
ANKI := 26.9.3
# Kotlin's compiler, from a package of 80 MB.
KOTLIN := 0.19.0.944
# The tools that test a service against its /openapi.json.
SPEC_VALIDATOR := 0.9.0
SCHEMATHESIS := 4.32.5
# The tools that control Debian's Chromium. They download no browser.
PLAYWRIGHT := 1.65.2
AXE := 0.1.8
# The SDKs of analytics services that send to a service.
ANALYTICS := segment-analytics-python==2.4.0 rudder-sdk-python==2.1.9 posthog==7.91.1
# The JavaScript runtime in which laurel.js keeps its outbox in SQLite.
DENO := 2.9.8
# Software of other projects with which the service and both kinds of store are tested. DuckDB's extensions come from PyPI, so that DuckDB
# downloads none.
DUCKDB := 1.5.5
OTHERS := duckdb==$(DUCKDB) duckdb-extension-sqlite-scanner==$(DUCKDB) duckdb-extension-postgres-scanner==$(DUCKDB) pandas==3.1.1 \
    pytz==2026.6 cloudevents==2.2.0 standardwebhooks==1.1.0 sseclient-py==1.9.0 httpx-sse==0.4.3 httpx==0.28.1 \
    openapi-python-client==0.29.1 ruff==0.17.6 prometheus_client==0.26.0 mypy==2.4.1 requests==2.34.2 urllib3==2.8.0 growthbook==4.0.0 \
    scipy==1.17.1 pyarrow==26.0.1 polars==2.1.0
# The optimisers with which fits of FSRS's parameters are compared.
FSRS_RS := 0.9.3
FSRS_OPTIMIZER := 6.5.0
TORCH := 2.13.0
# The tool that makes the documents' site.
MKDOCS_MATERIAL := 9.8.1
PACKAGE_TOOLS := python3 dpkg-dev binutils xz-utils gzip
# The tool that checks the list of the package's contents.
CYCLONEDX := 11.12.0
BENCH_TOOLS := valgrind binutils python3 python3-venv zstd util-linux wrk golang golang-github-mattn-go-sqlite3-dev postgresql sqlite3

TEST_TARGETS := LaurelHTTPTests LaurelClientTests LaurelEventsTests LaurelAdaptersTests LaurelRulesTests LaurelProgressTests \
    LaurelStoreTests LaurelSimulationTests LaurelTests LaurelReportsTests LaurelServiceTests LaurelCommandTests
# The test bundle is run directly, so that several targets can run at the same time. `swift test` would lock the build folder.
TESTS := $(if $(filter Linux,$(shell uname)),.build/debug/laurelPackageTests.xctest --testing-library swift-testing,$(SWIFT) test --skip-build)
# The checks, the longest first. The checks of the second list measure times, so they run one by one after the others.
CHECKS_TOGETHER := check-format check-site LaurelTests LaurelStoreTests check-examples LaurelReportsTests check-clients check-database \
    check-dashboard check-others check-faults check-nodes LaurelEventsTests check-interface LaurelHTTPTests check-fuzz LaurelRulesTests \
    LaurelClientTests LaurelProgressTests LaurelSimulationTests LaurelAdaptersTests check-docs check-deployments check-reports
CHECKS_ALONE := LaurelCommandTests LaurelServiceTests check-service
CHECKS_OF_TEST := $(CHECKS_TOGETHER) $(CHECKS_ALONE)
BUILT_CHECKS := $(filter-out check-format check-site,$(CHECKS_OF_TEST))
# One more than the number of processors, because some steps wait for servers and disks.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

BENCH_OPTIONS = $(if $(INPUTS),--inputs $(INPUTS)) $(if $(WORKS),--works $(WORKS)) $(if $(RUNS),--runs $(RUNS)) \
    $(if $(SCALE),--scale $(SCALE)) $(if $(filter 50M,$(MEMORY)),--fifty-million)

.PHONY: demo serve-demo cluster-demo build install deb pin tag test-release test-install interface reference site pictures report-matrix faults test-citus fuzz bits oracle soak fits fit-tools serve-soak contact-sheet page-times bench bench-check bench-tools test format check-format libraries test-tools service-tools browser-tools analytics-tools deno-tools kotlin-tools package-tools schema-tools others-tools clean build-tests $(CHECKS_OF_TEST)

demo: build
	@.ci/demo

serve-demo: build
	@.ci/demo serve

cluster-demo: build
	@.ci/install python3 nginx postgresql
	@.ci/cluster-demo

build: libraries
	$(SWIFT) build -c release --product laurel $(STATIC)

install:
	@Packaging/install .build/release '$(PREFIX)' '$(DESTDIR)'

deb: build package-tools
	@SWIFT=$(SWIFT) Packaging/deb .build/release

test-install: package-tools test-release
	@.ci/install debootstrap util-linux git
	.ci/test-install

pin:
	@Packaging/images --pin

# A tag is made only after the tests. Its name is the version alone, because package managers look for such tags.
tag:
	@[ -z "$$(git status --porcelain)" ] || { echo "commit first" >&2; exit 1; }
	@Packaging/images --check
	@$(MAKE) --no-print-directory test-release
	git tag -a "$$(Packaging/version)" -m "Laurel $$(Packaging/version)"

test-release: libraries test-tools package-tools schema-tools build-tests
	@! tag=$$(git describe --tags --abbrev=0 2>/dev/null) || .ci/check-interface --since "$$tag"
	.ci/check-package
	.ci/check-outside
	.ci/check-examples --every-date

test: libraries
	@.ci/install $(TEST_TOOLS) $(PACKAGE_TOOLS)
	@rm -f .build/test-times
	@$(MAKE) --no-print-directory --keep-going --jobs=$(JOBS) --output-sync=target $(CHECKS_TOGETHER); status=$$?; \
	    $(MAKE) --no-print-directory --keep-going $(CHECKS_ALONE) || status=$$?; \
	    echo "   time  processors: seconds of each step"; \
	    sort -rn .build/test-times | awk -F '\t' '/^FAILED/ { failed = failed $$0 "\n"; next } { printf "%7.1f  %7.1f  %s\n", $$1, $$2 + $$3, $$4 } \
        END { printf "%s", failed }'; exit $$status

# Records the time of each step. `make test` shows the times at the end.
build-tests $(CHECKS_OF_TEST): private SHELL := /bin/bash
build-tests $(CHECKS_OF_TEST): private .SHELLFLAGS = -c 'mkdir -p .build; TIMEFORMAT=$$(printf "%%R\t%%U\t%%S\t%s" "$${0:0:100}"); \
    { time eval "$$0" 2>&3; } 3>&2 2>>.build/test-times || { status=$$?; echo "FAILED $$0" >>.build/test-times; exit $$status; }'

$(BUILT_CHECKS): build-tests test-tools
build-tests: libraries
	$(DEBUG_BUILD) --build-tests

# Each target has its own process, because many tests block their threads on purpose (locks, pipes, other processes).
$(TEST_TARGETS): build-tests test-tools
	$(TESTS) --filter '^$@\.'

check-format:
	.ci/check-sources
	$(SWIFT) format lint --strict -r --configuration .swift-format Package.swift Sources Tests Benchmarks Examples

check-interface:
	.ci/check-interface

check-faults:
	Tests/Faults/faults --seconds 30

check-database:
	Tests/Faults/faults --seconds 45 --only postgresql

check-fuzz:
	Tests/Fuzz/fuzz 20

check-service: service-tools
	Tests/Service/service --seconds 60

check-nodes:
	Tests/Service/nodes

check-dashboard: browser-tools
	Tests/Dashboard/dashboard
	Tests/Dashboard/tasks

check-clients: browser-tools analytics-tools deno-tools kotlin-tools
	Tests/Clients/clients

check-others: browser-tools others-tools
	Tests/Others/others

check-reports:
	.build/debug/laurel report check Reports/*.yaml

check-docs:
	.ci/check-docs

check-site: site-tools
	.ci/site

check-examples:
	.ci/check-examples

check-deployments:
	.ci/check-deployments

faults: libraries test-tools kotlin-tools
	$(DEBUG_BUILD)
	Tests/Faults/faults --count $(or $(FAULTS),1000) $(if $(SEED),--seed $(SEED))
	for kind in postgresql purchases; do \
	    Tests/Faults/faults --faults $(or $(FAULTS),1000) --only $$kind $(if $(SEED),--seed $(SEED)) || exit 1; \
	done
	Tests/Clients/clients --kills 100 $(if $(SEED),--seed $(SEED)) node python kotlin browser

CITUS = $(shell $(or $(PG_CONFIG),pg_config) --pkglibdir 2>/dev/null)/citus.so
test-citus: libraries test-tools
	@[ -e $(CITUS) ] || echo "test-citus: skipped: there is no $(CITUS)"
	[ ! -e $(CITUS) ] || { export LAUREL_TEST_CITUS=1 LAUREL_TEST_POSTGRESQL=$$($(or $(PG_CONFIG),pg_config) --bindir) && \
	    $(DEBUG_BUILD) --build-tests && $(TESTS) --filter '^LaurelStoreTests\.' && Tests/Faults/faults --faults 100 --only postgresql; }

fuzz: libraries test-tools
	$(DEBUG_BUILD)
	Tests/Fuzz/fuzz --deep $(or $(MINUTES),10) $(TARGETS)

bits: libraries
	Tests/Fuzz/fuzz --bits $(STEP)

oracle: libraries test-tools build-tests
	LAUREL_ORACLE_SEEDS=$(or $(SEEDS),1000-1200) $(TESTS) --filter '^LaurelTests\.(Oracle|Versions)Tests'

# Three learners a seed: the histories of 10,000.
soak: SEEDS := $(or $(SEEDS),1000-4400)
soak: faults fuzz oracle fits serve-soak

fits: fit-tools build
	python=.build/fit-tools/bin/python; [ -x $$python ] || python=python3; $$python Tests/Soak/fits $(if $(SEEDS),--seeds $(SEEDS))

report-matrix: test-tools browser-tools build
	$(DEBUG_BUILD) --build-tests
	LAUREL_REPORTS=whole $(SWIFT) test --skip-build --filter '^LaurelReportsTests\.(Oracle|Totals)Tests'
	Tests/Browser/report_matrix.py .build/release/laurel .build/report-matrix $(SUBJECTS)

contact-sheet: test-tools browser-tools build
	LAUREL=.build/release/laurel Tests/Dashboard/contact_sheet .build/dashboard $(SUBJECTS)

page-times: build
	LAUREL=.build/release/laurel Tests/Dashboard/times

CHECKS ?= soaked killed described mutated crowded steady
LENGTH_soaked = --seconds $(shell expr $(or $(MINUTES),60) \* 60) $(if $(RATE),--rate $(RATE))
LENGTH_killed = --seconds 100 --kills $(or $(KILLS),100)
LENGTH_described = --requests $(or $(REQUESTS),100000)
LENGTH_mutated = --requests $(or $(REQUESTS),1000000)
LENGTH_crowded = --seconds 100
LENGTH_steady = --seconds 100

serve-soak: libraries test-tools service-tools build
	ulimit -n 16384 && for check in $(foreach check,$(CHECKS),"$(LENGTH_$(check)) $(check)"); do \
	    LAUREL=.build/release/laurel Tests/Service/service $(if $(SEED),--seed $(SEED)) $$check || exit 1; \
	done

bench: bench-tools
	@Benchmarks/bench $(BENCH_OPTIONS)

bench-check: bench-tools
	@Benchmarks/bench --check

bench-tools: build
	@.ci/install $(BENCH_TOOLS)
	$(SWIFT) build -c release --product LaurelBenchmark $(STATIC)

interface: libraries
	$(DEBUG_BUILD)
	.ci/check-interface --write

reference: libraries
	$(DEBUG_BUILD)
	.ci/check-interface --reference

format:
	.ci/check-sources --write
	$(SWIFT) format -i -r --configuration .swift-format Package.swift Sources Tests Benchmarks Examples

libraries:
	@.ci/install $(TOOLCHAIN) $(LIBRARIES)

test-tools:
	@.ci/install $(TEST_TOOLS)
	@.ci/install --python .build/test-tools anki==$(ANKI) || echo "Anki's package is not to be had; only the collections in Tests/Fixtures are read" >&2

package-tools:
	@.ci/install $(PACKAGE_TOOLS)

schema-tools:
	@.ci/install --python .build/schema-tools "cyclonedx-python-lib[json-validation]==$(CYCLONEDX)" || echo "CycloneDX' schema is not to be had; the package's list is checked by its fields" >&2

service-tools:
	@.ci/install --python .build/service-tools openapi-spec-validator==$(SPEC_VALIDATOR) schemathesis==$(SCHEMATHESIS) || echo "schemathesis is not to be had; the description is not tried" >&2

browser-tools:
	@.ci/install --python .build/browser-tools playwright==$(PLAYWRIGHT) axe-playwright-python==$(AXE) || echo "Playwright is not to be had; pages are not tried in a browser" >&2

kotlin-tools:
	@.ci/install --python .build/kotlin-tools --no-deps kotlin-jupyter-kernel==$(KOTLIN) || echo "Kotlin's compiler is not to be had; the Kotlin client is not tried" >&2

analytics-tools:
	@.ci/install --python .build/analytics-tools $(ANALYTICS) || echo "the SDKs of analytics services are not to be had; they are not tried" >&2

deno-tools:
	@.ci/install --python .build/deno-tools deno==$(DENO) || echo "Deno is not to be had; laurel.js is not tried over SQLite" >&2

others-tools:
	@.ci/install --python .build/others-tools $(OTHERS) || echo "software of others is not to be had; nothing is tried with it" >&2

fit-tools:
	@.ci/install --python .build/fit-tools fsrs-rs-python==$(FSRS_RS) PyYAML==6.0.2 fsrs-optimizer==$(FSRS_OPTIMIZER) torch==$(TORCH) \
	    || .ci/install --python .build/fit-tools fsrs-rs-python==$(FSRS_RS) PyYAML==6.0.2 \
	    || echo "other optimisers are not to be had; the fits are not compared" >&2

site-tools:
	@.ci/install --python .build/site-tools mkdocs-material==$(MKDOCS_MATERIAL) || echo "mkdocs is not to be had; the site is not built" >&2

site: site-tools
	@.ci/install chromium
	.ci/site --phone

pictures: test-tools browser-tools build
	docs/draw-pictures
	docs/make-pictures

clean:
	rm -rf .build .build-fuzz demo.db* demo-reports
