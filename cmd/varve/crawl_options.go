package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/archive/catalog"
	"varve/archive/history"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/priority"
)

// now is the time of the machine, at the edge where commands meet it.
func now() time.Time { return time.Now() }

// runOptions opens what a run is given beside its definition: cookies, history, topic.
func (o *crawlOptions) runOptions(col *catalog.Collection, def crawl.Definition, log *slog.Logger) (crawl.Options, func() error, error) {
	var opts crawl.Options
	nothing := func() error { return nil }
	var err error
	jar := fetch.NewJar(o.clock.Now)
	if o.cookies != "" {
		f, err := os.Open(o.cookies)
		if err == nil {
			_, err = jar.ReadNetscape(f)
			f.Close()
		}
		if err != nil {
			return opts, nothing, &varve.Error{Kind: varve.Invalid, Op: "--cookies " + o.cookies, Err: err}
		}
	}
	opts.Jar = jar
	if len(def.Topic) > 0 {
		opts.Scorer = priority.NewTopic(priority.NewCorpus(0), def.Topic, priority.Weights{})
	}
	if opts.Spam, err = spamFilter(col, def.SpamRules); err != nil {
		return opts, nothing, err
	}
	if def.NoHistory {
		return opts, nothing, nil
	}
	store, err := history.Open(vfs.Default, col.HistoryDir(), history.Config{}, log)
	if err != nil {
		return opts, nothing, &varve.Error{
			Kind: varve.Unavailable, Op: "open history of " + col.Name, Err: err,
			Hint: "--no-history crawls without it; it can be deleted and is rebuilt by later crawls",
		}
	}
	opts.History = store
	return opts, store.Close, nil
}
