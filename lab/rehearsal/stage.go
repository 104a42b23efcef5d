package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/lab/websim"
)

// Config says how a web is crawled.
type Config struct {
	Start  time.Time     // instant of the web at which the clock begins; its epoch
	Pace   time.Duration // from one request to a host to the next; 1 s
	Memory bool          // keep frontier and WARC files in memory: faster, gone afterwards
	Log    *slog.Logger  // nil: none
}

// Stage is a simulated web with a clock and an engine of its own. Crawls of one stage follow each other.
type Stage struct {
	Web    *websim.Web
	Clock  *clock.Virtual
	Log    *websim.Log // of all requests
	Engine *crawl.Engine

	cfg    Config
	client *fetch.Client
}

// New builds a stage.
func New(web *websim.Web, cfg Config) (*Stage, error) {
	if cfg.Start.IsZero() {
		cfg.Start = web.Epoch()
	}
	if cfg.Pace <= 0 {
		cfg.Pace = time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s := &Stage{Web: web, Clock: clock.NewVirtual(cfg.Start), Log: websim.NewLog(0, nil), cfg: cfg}
	fc := fetch.Config{UserAgent: "varve-rehearsal", Clock: s.Clock}
	fc.Dialer = dialer{websim.NewGate(web), s.Clock, s.Log, new(atomic.Int64)}
	for i, h := range web.Hosts() {
		for _, pattern := range []string{h.Name, "www." + h.Name} {
			o, err := fetch.ParseOverride(fmt.Sprintf("%s=127.%d.%d.%d", pattern, 1+i>>16, i>>8&255, i&255))
			if err != nil {
				return nil, err
			}
			fc.Overrides = append(fc.Overrides, o)
		}
	}
	var err error
	if s.client, err = fetch.New(fc); err != nil {
		return nil, err
	}
	s.Engine = crawl.NewEngine(crawl.EngineConfig{
		Fetcher: s.client, Polite: polite.Fixed(cfg.Pace), Clock: s.Clock, Log: cfg.Log, Software: "varve rehearsal",
	})
	return s, nil
}

// Close frees the connections.
func (s *Stage) Close() error { return s.client.Close() }

// Result is what a crawl came to.
type Result struct {
	Report *crawl.Report
	Place  crawl.Place    // with its files
	Looks  []websim.Entry // what the web was asked by this crawl, in order
}

// Crawl crawls the web to the end of the definition. Its folder is made below dir.
func (s *Stage) Crawl(ctx context.Context, dir string, def crawl.Definition, opts crawl.Options) (*Result, error) {
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
	if s.cfg.Memory {
		place.Store, place.Files = vfs.NewMem(), newMemory()
	}
	return s.CrawlIn(ctx, "rehearsal", place, def, opts)
}

// CrawlIn is Crawl in a place of the caller's, to go on with a crawl or to keep its files elsewhere.
func (s *Stage) CrawlIn(ctx context.Context, id string, place crawl.Place, def crawl.Definition, opts crawl.Options) (*Result, error) {
	def.MinDisk = -1
	def.Workers = max(1, def.Workers)
	if def.Delay == nil {
		d := scope.Duration(s.cfg.Pace)
		def.Delay = &d
	}
	from := s.Log.Len()
	run, err := s.Engine.StartIn(ctx, id, place, def, opts)
	if err != nil {
		return nil, err
	}
	rep, err := run.Drive(s.Clock)
	return &Result{Report: rep, Place: place, Looks: s.Log.Since(from)}, err
}

var _ warc.FS = (*memory)(nil)

// errExists is returned for a file that is there already.
var errExists = errors.New("file exists")
