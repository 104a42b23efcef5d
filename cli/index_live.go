package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"varve/archive/catalog"
	"varve/index/cdx"
)

// liveEvery is how often the folder of WARC files is looked at while a crawl runs.
const liveEvery = 2 * time.Second

// liveIndex indexes the WARC files of a crawl as they are finished. The crawl holds the lock of the
// collection, so nobody else builds. Failures are logged and never stop a crawl: the next
// 'varve index' makes up for them.
type liveIndex struct {
	col     *catalog.Collection
	log     *slog.Logger
	builder *cdx.Builder
	changed time.Time // of the folder when it was last listed
	done    chan struct{}
	stop    context.CancelFunc
}

// startLiveIndex begins to watch; finish must be called.
func startLiveIndex(ctx context.Context, col *catalog.Collection, log *slog.Logger) *liveIndex {
	ctx, stop := context.WithCancel(ctx)
	l := &liveIndex{col: col, log: log, done: make(chan struct{}), stop: stop}
	go func() {
		defer close(l.done)
		tick := time.NewTicker(liveEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				l.look(ctx)
			}
		}
	}()
	return l
}

// look indexes what is new, if the folder has changed.
func (l *liveIndex) look(ctx context.Context) {
	info, err := os.Stat(l.col.WarcDir())
	if err != nil || info.ModTime().Equal(l.changed) {
		return
	}
	l.changed = info.ModTime()
	if err := l.refresh(ctx); err != nil && ctx.Err() == nil {
		l.log.Warn("the captures of this crawl are not indexed; 'varve index' does it later", "collection", l.col.Name, "error", err)
	}
}

func (l *liveIndex) refresh(ctx context.Context) (err error) {
	if l.builder == nil {
		var problems []string
		if l.builder, err = openBuilder(l.col, 1, newIndexLine(io.Discard), &problems); err != nil {
			return err
		}
	}
	files, err := indexFiles(l.col)
	if err != nil {
		return err
	}
	_, err = l.builder.Refresh(ctx, files)
	return err
}

// finish indexes the last files and the versions, unless the context has ended.
func (l *liveIndex) finish(ctx context.Context) {
	l.stop()
	<-l.done
	l.changed = time.Time{}
	if ctx.Err() == nil {
		l.look(ctx)
	}
	var err error
	if l.builder != nil {
		err = l.builder.Close()
	}
	if err == nil && ctx.Err() == nil {
		_, err = refreshVersions(ctx, l.col, false, newIndexLine(io.Discard))
	}
	if err != nil && ctx.Err() == nil {
		l.log.Warn("the versions of pages are not indexed; 'varve index' does it later", "collection", l.col.Name, "error", err)
	}
}
