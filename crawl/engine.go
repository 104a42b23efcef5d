package crawl

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"varve/clock"
	"varve/crawl/fetch"
	"varve/crawl/polite"
)

// Fetcher does one exchange, and tells the address it would go to. *fetch.Client is one.
type Fetcher interface {
	Fetch(ctx context.Context, r *fetch.Request) (*fetch.Exchange, error)
	Resolve(ctx context.Context, host string) (*fetch.Answer, error)
}

// ErrWithdrawn is what a Fetcher returns for a request that we gave up, not the server: the right to make it ended. The URL stays queued.
var ErrWithdrawn = errors.New("the request was withdrawn")

// EngineConfig says what the crawls of a process share.
type EngineConfig struct {
	Fetcher  Fetcher
	Polite   polite.Config
	Shared   polite.Shared // politeness in common with other processes; nil: none
	Clock    clock.Clock
	Log      *slog.Logger
	Software string // name and version, for warcinfo

	Grace time.Duration // how long visits under way may take when the process is told to end; 10 s
}

// Engine runs crawls that share fetchers and politeness.
type Engine struct {
	cfg    EngineConfig
	polite *polite.Registry

	mu   sync.Mutex
	runs map[int]Customer
	next int
}

// Customer is told when politeness has something for it.
type Customer interface{ Wake() }

// NewEngine makes an engine.
func NewEngine(cfg EngineConfig) *Engine {
	set(&cfg.Grace, 10*time.Second)
	e := &Engine{cfg: cfg, runs: map[int]Customer{}}
	e.polite = polite.New(cfg.Polite, rand.Float64, e.wake)
	e.polite.Share(cfg.Shared)
	return e
}

// wake tells a run that one of its hosts may be contacted now.
func (e *Engine) wake(id int) {
	e.mu.Lock()
	r := e.runs[id]
	e.mu.Unlock()
	if r != nil {
		r.Wake()
	}
}

// Enter gives a run, or a stage of one, its number among the politeness' customers.
func (e *Engine) Enter(r Customer) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.next++
	e.runs[e.next] = r
	return e.next
}

// Leave takes a customer out. The others look again: what this one would have waited for is theirs now.
func (e *Engine) Leave(id int) {
	e.polite.Leave(id, e.cfg.Clock.Now())
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.runs, id)
	for _, r := range e.runs {
		r.Wake()
	}
}
