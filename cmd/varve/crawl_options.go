package main

import (
	"os"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/priority"
)

// now is the time of the machine, at the edge where commands meet it.
func now() time.Time { return time.Now() }

// runOptions opens what a run is given beside its definition: cookies, history, topic.
func (o *crawlOptions) runOptions(col *catalog.Collection) (crawl.Options, func() error, error) {
	var opts crawl.Options
	nothing := func() error { return nil }
	jar, err := fetch.NewJar()
	if err != nil {
		return opts, nothing, err
	}
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
	if len(o.topic) > 0 {
		opts.Scorer = priority.NewTopic(priority.NewCorpus(0), o.topic, priority.Weights{})
	}
	return opts, nothing, nil
}
