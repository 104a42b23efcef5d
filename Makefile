# The verbs of the project. `make` alone lists them.
GO      ?= go
BIN     := bin/varve
LAB     := bin/varve-lab
SAMPLES ?= ../shared/samples
DATA    ?= ../shared/data
# Where `make install` puts the program, its man pages and completions; DESTDIR goes before it.
PREFIX  ?= /usr/local
DESTDIR ?=
FUZZTIME ?= 60s
KILLS   ?= 200
DEMOS   ?= 200
CRAWLS  ?= 200

# Packages of Debian that tests and benchmarks use; installed where apt is and they are missing.
PROGRAMS := wget:wget zcat:gzip chromium:chromium

.PHONY: help build lab test race lint vuln fuzz bench microbench eval models kb conformance drill drill-cluster cluster beam realsites demo docs screens install uninstall install-needs clean

help:
	@echo "make build        bin/varve"
	@echo "make lab          bin/varve-lab: demonstration, simulated webs, evaluations, experiments, benchmarks"
	@echo "make demo         what Varve does, on a simulated web; no network needed"
	@echo "make test         install what tests need and run them all"
	@echo "make race         the tests with the race detector"
	@echo "make lint         vet, staticcheck, gofumpt"
	@echo "make vuln         known vulnerabilities in what we depend on; needs the internet"
	@echo "make conformance  other projects' files in SAMPLES=$(SAMPLES)"
	@echo "make bench        speed beside named peers, in CPU time"
	@echo "make microbench   the benchmarks of the packages"
	@echo "make eval         quality on the sets of DATA=$(DATA)"
	@echo "make models       the models of language/ anew, from DATA=$(DATA)"
	@echo "make kb           a small base of entities in dist/kb, from DATA=$(DATA)"
	@echo "make drill        slow fault drills: kills, power cuts, liveness (DEMOS=$(DEMOS) CRAWLS=$(CRAWLS))"
	@echo "make drill-cluster  nodes killed and cut off, NATS leader stopped, OpenSearch and Flink's TaskManager killed; see docs/scale.md"
	@echo "make cluster      three nodes, three NATS servers, S3 and a simulated web on this machine, and the screens; see docs/scale.md"
	@echo "make beam         bin/varve-beam: varve derive on Flink"
	@echo "make realsites    real web applications, installed, captured and shown again: needs root once, apt and npm"
	@echo "make fuzz         each fuzz target for FUZZTIME=$(FUZZTIME)"
	@echo "make docs         man pages and shell completion into dist/"
	@echo "make install      program, man pages and completion into PREFIX=$(PREFIX)"
	@echo "make screens      the pictures of docs/screens anew, in Chromium"

# Without symbol table and DWARF: a quarter smaller; stack traces keep functions and lines. For a debugger: go build ./cmd/varve.
build:
	$(GO) build -ldflags "-s -w" -o $(BIN) ./cmd/varve

# The laboratory: demonstration, simulated webs, experiments, benchmarks.
lab: build
	$(GO) build -o $(LAB) ./lab/cmd/varve-lab

install-needs:
	@for p in $(PROGRAMS); do \
	  command -v $${p%%:*} >/dev/null && continue; \
	  if command -v apt-get >/dev/null; then \
	    echo "installing $${p##*:}"; (apt-get update -qq && apt-get install -y -qq $${p##*:}) >/dev/null || echo "could not install $${p##*:}: what needs it is skipped"; \
	  else echo "$${p%%:*} is missing and there is no apt: what needs it is skipped"; fi; \
	done

test: install-needs
	$(GO) mod download
	$(GO) test -timeout 20m ./...

race: install-needs
	$(GO) test -race -timeout 90m ./...

lint:
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@bad=$$($(GO) tool gofumpt -l .); if [ -n "$$bad" ]; then echo "not gofumpt-clean:"; echo "$$bad"; exit 1; fi

# govulncheck ends with 3 where it found something; anything else that is not 0 means that its database, or itself, could not be had.
vuln:
	@GOBIN=$(abspath dist/tools) $(GO) install golang.org/x/vuln/cmd/govulncheck@v1.1.4 && dist/tools/govulncheck ./...; code=$$?; \
	if [ $$code -eq 3 ]; then exit 1; fi; \
	if [ $$code -ne 0 ]; then echo "make vuln: skipped: govulncheck or its database (vuln.go.dev) cannot be reached from here"; fi

fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "== $$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg; \
	  done; done

bench: lab install-needs
	$(LAB) bench warc
	$(LAB) bench crawl

microbench:
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 200ms ./...

# The sets of DATA; the pages of the main text come with the source of go-trafilatura.
eval: lab
	$(LAB) eval lid --data $(DATA)/lid
	$(LAB) eval charset --data $(DATA)/lid
	$(LAB) eval sentences --data $(DATA)/pos/gum-dev.conllu.gz
	$(LAB) eval maintext --data "$$($(GO) list -m -f '{{.Dir}}' github.com/markusmobius/go-trafilatura)"

# One processor, about three minutes; the same data gives the same bytes.
models: lab
	GOMAXPROCS=1 $(LAB) train --data $(DATA) --out . $(if $(WORDFREQ),--wordfreq $(WORDFREQ))

# Without sets whose licence binds what is made from them; ATTRIBUTION says which are in it.
kb: lab
	$(LAB) kb --data $(DATA) --out dist/kb

conformance:
	VARVE_SAMPLES=$(abspath $(SAMPLES)) $(GO) test -count=1 -v -run Conformance ./...

drill: install-needs
	VARVE_KILLS=$(KILLS) VARVE_DEMOS=$(DEMOS) VARVE_CRAWLS=$(CRAWLS) VARVE_DRILL=1 $(GO) test -count=1 -v -timeout 240m -run 'Kill|Power|Crash|Drill' ./...

# Crawls on several nodes with NATS servers in the process of the test: 20 kills that hit a node at work, the network cut for 15 s, the leader of the
# log stopped, clocks apart, S3 stopped during an upload; namespaces. Then text and capture indexes in a real OpenSearch (Java 17, Maven the first time).
drill-cluster:
	VARVE_DRILL=1 $(GO) test -count=1 -v -timeout 60m -run 'Killed|CutOff|Drill|Conformance|Moves|ClocksApart|Stopped' ./crawl/nodes/... ./cluster/... ./lab/cluster ./archive/spool
	VARVE_SAMPLES=$(abspath $(SAMPLES)) VARVE_DRILL=1 $(GO) test -count=1 -v -timeout 60m -run 'DrillOpenSearch' ./lab/cmd/varve-lab
	cd cluster/beam && VARVE_DRILL=1 $(GO) test -mod=mod -count=1 -v -timeout 60m ./...

# A whole cluster on this machine, in network namespaces where root allows it: three nodes, three NATS servers, S3, a simulated web, the screens.
cluster: lab
	$(LAB) cluster

# varve derive on Flink: a module of its own, so that the product stays small.
beam:
	cd cluster/beam && $(GO) build -mod=mod -ldflags "-s -w" -o ../../bin/varve-beam ./cmd/varve-beam

# Not part of make test. Exit 1 says that something is missing, differs or was left out: the table tells.
realsites: lab install-needs
	$(LAB) realsites

demo: lab
	$(LAB) demo

docs: build
	mkdir -p dist/man dist/completion
	$(BIN) docs man dist/man
	for s in bash zsh fish; do $(BIN) completion $$s > dist/completion/varve.$$s; done

# The pictures are taken by tests, so that they show what there is.
screens: install-needs
	VARVE_SCREENS=$(abspath docs/screens) $(GO) test ./serve -run TestScreens -count=1 -timeout 20m
	VARVE_SCREENS=$(abspath docs/screens) $(GO) test ./cli -run TestCockpit -count=1

install: build docs
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/varve
	install -m 644 dist/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 dist/completion/varve.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/varve
	install -m 644 dist/completion/varve.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_varve
	install -m 644 dist/completion/varve.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/varve.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/varve $(DESTDIR)$(PREFIX)/share/man/man1/varve.1 $(DESTDIR)$(PREFIX)/share/man/man1/varve-*.1
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/varve $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_varve $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/varve.fish

clean:
	rm -rf bin dist
