package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"varve/archive/catalog"
	"varve/archive/spool"
	"varve/archive/store"
	"varve/cluster"
)

// sender sends the finished files of a crawl to the store of the archive while the crawl runs. What fails is tried again, and never stops a
// crawl: what was not sent lies on the disk, where 'varve archive migrate' finds it.
type sender struct {
	col     *catalog.Collection
	cfg     cluster.StoreConfig
	far     store.Store
	log     *slog.Logger
	changed time.Time // of the folder when all in it was sent
	failed  int       // times in a row
	next    time.Time // not before
	stop    context.CancelFunc
	done    chan struct{}
}

// startSender begins to watch; nil where files stay in the archive. What is wrong with varve.toml is an error.
func startSender(ctx context.Context, archive string, col *catalog.Collection, log *slog.Logger) (*sender, error) {
	cfg, err := cluster.ReadStore(archive)
	if err != nil || !cfg.Uploads() {
		return nil, err
	}
	far, err := cfg.Open()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	s := &sender{col: col, cfg: cfg, far: far, log: log, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		tick := time.NewTicker(liveEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				s.look(ctx)
			}
		}
	}()
	return s, nil
}

// look sends what is new. Copies stay until the crawl has ended: it may have to read them again.
func (s *sender) look(ctx context.Context) {
	info, err := os.Stat(s.col.WarcDir())
	if err != nil || info.ModTime().Equal(s.changed) || time.Now().Before(s.next) {
		return
	}
	_, err = spool.Push(ctx, s.col, spool.Config{Store: s.far, KeepLocal: true, Now: time.Now})
	if err != nil && ctx.Err() == nil {
		wait := min(liveEvery<<min(s.failed, 8), 5*time.Minute)
		s.failed++
		s.next = time.Now().Add(wait)
		s.log.Warn("files of this crawl are not sent to the store yet", "collection", s.col.Name, "error", err, "again in", wait)
		return
	}
	s.failed, s.changed = 0, info.ModTime()
}

// finish sends the rest and removes copies where they are not kept.
func (s *sender) finish(ctx context.Context, progress io.Writer) {
	if s == nil {
		return
	}
	s.stop()
	<-s.done
	if ctx.Err() == nil {
		sendFiles(ctx, s.col, s.cfg, s.far, progress)
	}
}

// sendFiles sends what a collection has to send, and tells of what it could not.
func sendFiles(ctx context.Context, col *catalog.Collection, cfg cluster.StoreConfig, far store.Store, progress io.Writer) {
	rep, err := spool.Push(ctx, col, spool.Config{Store: far, KeepLocal: cfg.Keeps(), Attempts: 2, Now: time.Now})
	for _, r := range rep.Refused {
		fmt.Fprintf(progress, "not sent to the store: %s\n", oneLine(r))
	}
	if err == nil {
		return
	}
	waiting := 0
	if list, err := spool.Pending(col); err == nil {
		waiting = len(list)
	}
	fmt.Fprintf(progress, "varve: %s not in the store yet and stay here: %s\n  'varve archive migrate --to s3' sends them\n", count(int64(waiting), "file"), oneLine(err.Error()))
}

// sendImported sends the files of an import, where the archive has a store.
func sendImported(ctx context.Context, archive string, col *catalog.Collection, progress io.Writer) error {
	cfg, err := cluster.ReadStore(archive)
	if err != nil || !cfg.Uploads() {
		return err
	}
	far, err := cfg.Open()
	if err != nil {
		return err
	}
	sendFiles(ctx, col, cfg, far, progress)
	return nil
}
