package media_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl/collect"
	"varve/crawl/media"
	"varve/lab/websim"
	sim "varve/lab/websim/media"
	"varve/web/wire"
)

// net answers from the simulated web at the time of a virtual clock, and keeps what it was asked for. Like the
// engine's it answers from its own records what it has fetched before.
type net struct {
	t      *testing.T
	web    *websim.Web
	clock  clock.Clock
	limit  int // of a body
	took   time.Duration
	asked  []string          // URLs that went out
	had    map[string][]byte // raw answers by URL and range
	refuse map[string]bool
	before func(url string) // called before each request
}

func newNet(t *testing.T, c clock.Clock) *net {
	t.Helper()
	spec, err := websim.Load("media", []byte(sim.Spec))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1, sim.Options()...)
	if err != nil {
		t.Fatal(err)
	}
	return &net{t: t, web: web, clock: c, limit: 1 << 20, had: map[string][]byte{}, refuse: map[string]bool{}}
}

func (n *net) Fetch(ctx context.Context, r *collect.Request) (*collect.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n.before != nil {
		n.before(r.URL)
	}
	if n.refuse[r.URL] {
		return nil, fmt.Errorf("%w: out of scope", collect.ErrRefused)
	}
	key := r.URL + " " + r.Header.Get("Range")
	raw, cached := n.had[key]
	if !cached || r.Fresh {
		raw, cached = n.ask(r), false
		n.had[key] = raw
		n.asked = append(n.asked, r.URL)
		if err := n.clock.Sleep(ctx, n.took); err != nil {
			return nil, err
		}
	}
	head, err := wire.ParseHead(raw)
	if err != nil {
		return nil, err
	}
	truncated := false
	if len(raw)-head.Size > n.limit {
		raw, truncated = raw[:head.Size+n.limit], true
	}
	return &collect.Response{
		Status: head.Status, Header: head.Header, Raw: io.NopCloser(bytes.NewReader(raw)), Size: int64(len(raw)),
		Truncated: truncated, Cached: cached, Date: n.clock.Now(),
	}, nil
}

func (n *net) ask(r *collect.Request) []byte {
	u, err := url.Parse(r.URL)
	if err != nil {
		n.t.Error(err)
		return nil
	}
	q := &websim.Request{Host: u.Host, Target: u.RequestURI()}
	for _, f := range r.Header {
		q.Header = append(q.Header, websim.Field{Name: f.Name, Value: f.Value})
	}
	a := n.web.Fetch(q, n.clock.Now())
	return append(a.AppendHead(nil), a.Body...)
}

// count gives how often URLs were asked for.
func (n *net) count() map[string]int {
	out := map[string]int{}
	for _, u := range n.asked {
		out[u]++
	}
	return out
}

const base = "http://" + sim.Host

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// collectAt runs the collector on a URL in virtual time.
func collectAt(t *testing.T, path string, cfg media.Config, prepare func(*net)) (*collect.Result, *net) {
	t.Helper()
	v := clock.NewVirtual(noon)
	var res *collect.Result
	var n *net
	v.Go(func(c clock.Clock) {
		n = newNet(t, c)
		if prepare != nil {
			prepare(n)
		}
		resp, err := n.Fetch(context.Background(), &collect.Request{URL: base + path})
		if err != nil {
			t.Error(err)
			return
		}
		raw, _ := io.ReadAll(resp.Raw)
		head, _ := wire.ParseHead(raw)
		a := &collect.Answer{URL: base + path, Status: resp.Status, Header: resp.Header, MIME: wire.MediaType(resp.Header.Get("Content-Type")), Content: raw[head.Size:], Date: c.Now()}
		cfg.Clock = c
		if res, err = media.New(cfg).Collect(context.Background(), a, n); err != nil && !errors.Is(err, collect.ErrRefused) {
			t.Error(err)
		}
	})
	if err := v.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return res, n
}

func field(r *collect.Result, name string) (out []string) {
	for _, f := range r.Fields {
		if f.Name == name {
			out = append(out, f.Value)
		}
	}
	return out
}

func body(t *testing.T, r collect.Resource) string {
	t.Helper()
	b, err := io.ReadAll(io.NewSectionReader(r.Body, 0, r.Body.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
