package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/lab/websim/server"
	"varve/lab/websim/spam"
	"varve/spam/desk"
	"varve/spam/label"
)

// The demonstration's web of spam: what is learnt from has another seed than what is crawled with the filter, so other hosts, words and links.
const (
	spamSeedLearnt  = 1
	spamSeedCrawled = 2
	spamDays        = 300         // after its epoch: in October 2025, before the last crawls of the country
	spamPace        = time.Second // that goes by with every answer
)

// spam crawls a web with spam rings in it, learns from its labels, and crawls another one without the spam. In the fast
// demonstration the web is small and nothing is learnt.
func (d *demo) spam(fast bool) {
	if d.failed != nil || d.ctx.Err() != nil {
		return
	}
	col, err := catalog.Open(d.dir).Collection("web")
	if err != nil {
		d.failed = err
		return
	}
	if d.failed = d.describe("web", "A web with spam", "Hosts of all kinds; some are to be judged."); d.failed != nil {
		return
	}
	table, model := filepath.Join(desk.ModelDir(col.Dir()), "hosts.csv"), filepath.Join(desk.ModelDir(col.Dir()), "spam-demo.model")
	left := 0
	world := spam.Small()
	if fast {
		world = spam.Config{Hosts: 14, Scale: 0.25}
	}
	d.failed = d.onSpamWeb(world, spamSeedLearnt, func(w spamWeb) error {
		d.run("Another web: hosts of all kinds, with spam rings, stuffed pages, doorways and parked domains among them", d.crawlCommand(w.clock), d.out, "crawl", w.seed, "--scope", "web", "--resolve", w.resolve,
			"--delay", "0s", "--retries", "-1", "--capture", "parser", "--archive", d.dir, "--collection", "web", "--quiet")
		if d.failed != nil || d.ctx.Err() != nil {
			return d.failed
		}
		labels := slices.DeleteFunc(w.labels, func(label.Entry) bool { left++; return left%4 == 0 }) // some are left to be judged on the screen
		return label.Open(col.Dir()).Append(labels...)
	})
	if fast {
		return
	}
	if d.failed == nil {
		d.failed = os.MkdirAll(filepath.Dir(table), 0o755)
	}
	d.varve("Measure its hosts; of three quarters of them it is known whether they are spam, as if curators had judged them", "spam", "features", "--archive", d.dir, "--collection", "web", "--set", "crawl", "-o", table)
	d.varve("Learn to tell spam from normal hosts", "spam", "train", table, "--crawl", "--group", "domain", "-o", model)
	if d.failed != nil || d.ctx.Err() != nil {
		return
	}
	if d.failed = d.describe("clean", "A web, filtered", "What a crawl keeps that leaves spam out."); d.failed != nil {
		return
	}
	d.failed = d.onSpamWeb(world, spamSeedCrawled, func(w spamWeb) error {
		d.run("Crawl a third web with that filter: hosts are sampled, and archived only if they are no spam", d.crawlCommand(w.clock), d.out, "crawl", w.seed, "--scope", "web", "--resolve", w.resolve,
			"--delay", "0s", "--retries", "-1", "--capture", "parser", "--archive", d.dir, "--collection", "clean", "--quiet",
			"--spam-filter", "--model", model, "--spam-threshold", "0.7", "--spam-sample", "5")
		return d.failed
	})
}

// describe begins a collection that has no plan.
func (d *demo) describe(name, title, purpose string) error {
	col, err := catalog.Open(d.dir).Collection(name)
	if err != nil {
		return err
	}
	if err := col.Create(); err != nil {
		return err
	}
	return os.WriteFile(col.DefinitionFile(), fmt.Appendf(nil, "title = %q\npurpose = %q\n", title, purpose), 0o644)
}

// spamWeb is a web with spam that is being served.
type spamWeb struct {
	seed, resolve string
	labels        []label.Entry // the truth
	clock         *clock.Virtual
}

// onSpamWeb serves a simulated web with spam while something is done on it.
func (d *demo) onSpamWeb(cfg spam.Config, seed uint64, do func(spamWeb) error) (err error) {
	world, err := spam.New(cfg, seed)
	if err != nil {
		return err
	}
	web, err := world.Web()
	if err != nil {
		return err
	}
	at := web.Epoch().Add(spamDays * 24 * time.Hour)
	t := clock.NewVirtual(at)
	srv, err := server.Listen(web, server.Options{Timeline: server.Follow(t), Pace: spamPace, NoDigest: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.Close()) }()
	return do(spamWeb{srv.Seeds()[0], fmt.Sprintf("*.test=%s", srv.Addr()), trueLabels(world, at), t})
}
