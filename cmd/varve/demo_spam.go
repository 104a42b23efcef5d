package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve/analyse/spam/desk"
	"varve/analyse/spam/label"
	"varve/archive/catalog"
	"varve/clock"
	"varve/websim/server"
	"varve/websim/spam"
)

// The demonstration's web of spam: what is learnt from has another seed than what is crawled with the filter, so other hosts, words and links.
const (
	spamSeedLearnt  = 1
	spamSeedCrawled = 2
)

// spam crawls a web with spam rings in it, learns from its labels, and crawls another one without the spam.
func (d *demo) spam() {
	if d.failed != nil || d.ctx.Err() != nil {
		return
	}
	col, err := catalog.Open(d.dir).Collection("web")
	if err != nil {
		d.failed = err
		return
	}
	table, model := filepath.Join(desk.ModelDir(col.Dir()), "hosts.csv"), filepath.Join(desk.ModelDir(col.Dir()), "spam-demo.model")
	left := 0
	d.failed = d.onSpamWeb(spamSeedLearnt, func(seed, resolve string, labels []label.Entry) error {
		d.varve("Another web: hosts of all kinds, with spam rings, stuffed pages, doorways and parked domains among them", "crawl", seed, "--scope", "web", "--resolve", resolve,
			"--delay", "0s", "--retries", "-1", "--capture", "parser", "--archive", d.dir, "--collection", "web", "--quiet")
		if d.failed != nil || d.ctx.Err() != nil {
			return d.failed
		}
		labels = slices.DeleteFunc(labels, func(label.Entry) bool { left++; return left%4 == 0 }) // some are left to be judged on the screen
		return label.Open(col.Dir()).Append(labels...)
	})
	if d.failed == nil {
		d.failed = os.MkdirAll(filepath.Dir(table), 0o755)
	}
	d.varve("Measure its hosts; of three quarters of them it is known whether they are spam, as if curators had judged them", "spam", "features", "--archive", d.dir, "--collection", "web", "--set", "crawl", "-o", table)
	d.varve("Learn to tell spam from normal hosts", "spam", "train", table, "--crawl", "--group", "domain", "-o", model)
	if d.failed != nil || d.ctx.Err() != nil {
		return
	}
	d.failed = d.onSpamWeb(spamSeedCrawled, func(seed, resolve string, _ []label.Entry) error {
		d.varve("Crawl a third web with that filter: hosts are sampled, and archived only if they are no spam", "crawl", seed, "--scope", "web", "--resolve", resolve,
			"--delay", "0s", "--retries", "-1", "--capture", "parser", "--archive", d.dir, "--collection", "clean", "--quiet",
			"--spam-filter", "--model", model, "--spam-threshold", "0.7", "--spam-sample", "5")
		return d.failed
	})
}

// onSpamWeb serves a simulated web with spam while something is done on it.
func (d *demo) onSpamWeb(seed uint64, do func(seed, resolve string, labels []label.Entry) error) (err error) {
	world, err := spam.New(spam.Small(), seed)
	if err != nil {
		return err
	}
	web, err := world.Web()
	if err != nil {
		return err
	}
	at := web.Epoch().Add(spam.Late * 24 * time.Hour)
	srv, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), at, 0), NoDigest: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.Close()) }()
	return do(srv.Seeds()[0], fmt.Sprintf("*.test=%s", srv.Addr()), trueLabels(world, at))
}
