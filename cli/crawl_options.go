package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/archive/catalog"
	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/relevance"
	"varve/crawl/stages"
)

// now is the time of the machine, at the edge where commands meet it.
func now() time.Time { return time.Now() }

// runOptions opens what a run is given beside its definition: cookies, history, topic.
func (o *crawlOptions) runOptions(ctx context.Context, col *catalog.Collection, def crawl.Definition, log *slog.Logger, progress io.Writer) (crawl.Options, stages.Set, func() error, error) {
	var opts crawl.Options
	var set stages.Set
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
			return opts, set, nothing, &varve.Error{Kind: varve.Invalid, Op: "--cookies " + o.cookies, Err: err}
		}
	}
	opts.Jar = jar
	if def.Guided() {
		if set.Judge, err = relevance.New(def.About, def.Topic); err != nil {
			return opts, set, nothing, &varve.Error{Kind: varve.Invalid, Op: "what the crawl is about", Err: err}
		}
	}
	if set.Spam, err = spamFilter(col, def.SpamRules, log); err != nil {
		return opts, set, nothing, err
	}
	if set.Webapps, err = knowledgeOf(col); err != nil {
		return opts, set, nothing, err
	}
	if def.NoHistory {
		return opts, set, nothing, nil
	}
	store, err := history.Open(vfs.Default, col.HistoryDir(), history.Config{}, log)
	if err != nil {
		return opts, set, nothing, &varve.Error{
			Kind: varve.Unavailable, Op: "open history of " + col.Name, Err: err,
			Hint: "--no-history crawls without it; it can be deleted and is rebuilt by later crawls",
		}
	}
	if err := learnFiles(ctx, col, store, log, progress); err != nil {
		return opts, set, nothing, errors.Join(err, store.Close())
	}
	opts.History = store
	return opts, set, store.Close, nil
}

// learnFiles makes known to a history what came into the collection from elsewhere, so that equal answers become revisits of
// it. A file is read once; one that cannot be read is told and passed over.
func learnFiles(ctx context.Context, col *catalog.Collection, store *history.Store, log *slog.Logger, progress io.Writer) error {
	files, err := col.WARCs()
	if err != nil {
		return err
	}
	for _, f := range files {
		out, err := learnFile(ctx, store, f)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			log.Warn("a file of the collection is not known to the crawl: what it holds may be stored again", "file", f.Name, "err", err)
		case out.Captures > 0:
			fmt.Fprintf(progress, "%s: %s of an imported file read: what is equal to them will not be stored again\n", f.Name, count(out.Captures, "answer"))
		}
	}
	return nil
}

func learnFile(ctx context.Context, store *history.Store, f catalog.File) (out history.Learned, err error) {
	file, err := warc.OpenFrom(f.Path, f.From)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return store.Learn(ctx, file, f.Name)
}
