package polite

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// The model: crawls with endless or finite work on hosts that share addresses, run in virtual time by an
// event loop as a crawler would have it. Everything that reaches a "server" is logged, and the log is checked.

type event struct {
	at  time.Time
	seq int
	do  func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at.Before(e[j].at) || e[i].at.Equal(e[j].at) && e[i].seq < e[j].seq
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

type request struct {
	crawl      int
	host       string
	ip         netip.Addr
	start, end time.Time
	pause      Pause
	outcome    Outcome
	limits     Limits
	conns      int
}

// least is how long the host must be left alone after the request, worked out without the registry.
func (q *request) least(cfg Config) time.Duration {
	var d time.Duration
	if q.conns == 1 {
		d = min(max(cfg.Min, time.Duration(cfg.Factor)*q.outcome.Duration), cfg.Max)
		d = max(d, q.limits.CrawlDelay)
	}
	if q.outcome.Status == 429 || q.outcome.Status == 503 || q.outcome.Failure != Answered {
		d = max(d, cfg.BackoffFirst)
	}
	return max(d, q.outcome.RetryAfter)
}

type model struct {
	t       *testing.T
	reg     *Registry
	rng     *rand.Rand
	now     time.Time
	seq     int
	queue   events
	log     []*request
	left    map[waiter]int // documents still to fetch
	ipOf    map[string]netip.Addr
	limits  map[string]Limits
	known   map[string]bool // the address of the host is known
	bound   int             // leases taken back by Bind
	outcome func(host string) Outcome
}

func (m *model) after(d time.Duration, do func()) {
	m.seq++
	heap.Push(&m.queue, event{m.now.Add(d), m.seq, do})
}

// try does what a fetcher does with a host whose turn may have come.
func (m *model) try(crawl int, host string) {
	w := waiter{crawl, host}
	if m.left[w] == 0 {
		m.reg.Forget(crawl, host, m.now)
		return
	}
	ip := netip.Addr{}
	if m.known[host] {
		ip = m.ipOf[host]
	}
	l, _ := m.reg.Acquire(crawl, host, ip, m.limits[host], m.now)
	if l == nil {
		return
	}
	if ip.IsValid() {
		m.fetch(w, l)
		return
	}
	m.after(time.Duration(m.rng.IntN(50))*time.Millisecond, func() { // DNS
		m.known[host] = m.rng.IntN(3) > 0 // sometimes it is forgotten again
		if ok, _ := m.reg.Bind(l, m.ipOf[host], m.now); ok {
			m.fetch(w, l)
		} else {
			m.bound++
		}
	})
}

func (m *model) fetch(w waiter, l *Lease) {
	q := &request{crawl: w.crawl, host: w.host, ip: m.ipOf[w.host], start: m.now, limits: m.limits[w.host], conns: m.reg.config.conns(m.limits[w.host])}
	m.log = append(m.log, q)
	m.left[w]--
	o := m.outcome(w.host)
	m.after(o.Duration, func() {
		q.end, q.outcome = m.now, o
		q.pause = m.reg.Release(l, o, m.now)
		m.try(w.crawl, w.host) // wants the next document of the host at once
	})
}

// run works until nothing is left or the limit is reached.
func (m *model) run(limit time.Duration) {
	end := m.now.Add(limit)
	all := slices.SortedFunc(maps.Keys(m.left), func(a, b waiter) int {
		return cmp.Or(a.crawl-b.crawl, strings.Compare(a.host, b.host))
	})
	for _, w := range all {
		m.after(time.Duration(hash(w))*time.Millisecond, func() { m.try(w.crawl, w.host) })
	}
	for {
		for crawl := range 3 {
			for host, ok := m.reg.Ready(crawl, m.now); ok; host, ok = m.reg.Ready(crawl, m.now) {
				m.try(crawl, host)
			}
		}
		at, ok := m.reg.NextDue(m.now)
		if len(m.queue) > 0 && (!ok || !m.queue[0].at.After(at)) {
			e := heap.Pop(&m.queue).(event)
			m.now = e.at
			e.do()
			continue
		}
		if !ok || at.After(end) {
			return
		}
		if !at.After(m.now) {
			m.t.Fatalf("NextDue %v is not after now %v", at, m.now)
		}
		m.now = at
	}
}

func hash(w waiter) int {
	h := w.crawl
	for _, c := range w.host {
		h = h*31 + int(c)
	}
	return h % 1000
}

func newModel(t *testing.T, cfg Config, seed uint64, crawls, hosts, ips, docs int) *model {
	rng := rand.New(rand.NewPCG(seed, 7))
	m := &model{
		t: t, rng: rng, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		reg:  New(cfg, rng.Float64, nil),
		left: map[waiter]int{}, ipOf: map[string]netip.Addr{}, limits: map[string]Limits{}, known: map[string]bool{},
	}
	for h := range hosts {
		host := fmt.Sprintf("h%d", h)
		m.ipOf[host] = netip.AddrFrom4([4]byte{10, 0, 0, byte(h % ips)})
		if h%5 == 0 {
			m.limits[host] = Limits{CrawlDelay: 3 * time.Second}
		}
		if h%7 == 1 {
			m.limits[host] = Limits{Conns: 3}
		}
		for c := range crawls {
			m.left[waiter{c, host}] = docs
		}
	}
	m.outcome = func(string) Outcome {
		o := Outcome{Duration: time.Duration(1+rng.IntN(400)) * time.Millisecond, Status: 200}
		switch rng.IntN(40) {
		case 0:
			o.Status = 503
		case 1:
			o.Status, o.RetryAfter = 429, 20*time.Second
		case 2:
			o.Status, o.Failure = 0, Timeout
		}
		return o
	}
	return m
}

// check demands the spacing of every host and address from the log.
func (m *model) check() {
	m.t.Helper()
	byHost, byIP := map[string][]*request{}, map[netip.Addr][]*request{}
	for _, q := range m.log { // in order of start
		byHost[q.host] = append(byHost[q.host], q)
		byIP[q.ip] = append(byIP[q.ip], q)
	}
	cfg := m.reg.config
	for host, list := range byHost {
		for i, q := range list {
			if n := open(list[:i], q.start); n >= q.conns {
				m.t.Fatalf("%s: %d connections open at %v", host, n+1, q.start)
			}
			for _, before := range list[:i] {
				if before.end.After(q.start) {
					continue
				}
				if q.start.Sub(before.end) < before.least(cfg) {
					m.t.Fatalf("%s: request %v after the last, want %v", host, q.start.Sub(before.end), before.least(cfg))
				}
				if q.start.Before(before.pause.Until) {
					m.t.Fatalf("%s: request at %v, but left alone until %v (%s)", host, q.start, before.pause.Until, before.pause.Why)
				}
			}
			if q.conns > 1 && i > 0 && q.start.Sub(list[i-1].start) < cfg.Min {
				m.t.Fatalf("%s: starts %v apart", host, q.start.Sub(list[i-1].start))
			}
		}
	}
	for ip, list := range byIP {
		for i, q := range list {
			recent := list[max(i-100, 0):i] // no request takes as long as a hundred starts
			if n := open(recent, q.start); cfg.IPConns > 0 && n >= cfg.IPConns {
				m.t.Fatalf("%v: %d connections open at %v", ip, n+1, q.start)
			}
			if i > 0 && q.start.Sub(list[i-1].start) < cfg.IPDelay {
				m.t.Fatalf("%v: starts %v apart", ip, q.start.Sub(list[i-1].start))
			}
		}
	}
}

func open(list []*request, at time.Time) int {
	n := 0
	for _, q := range list {
		if q.end.IsZero() || q.end.After(at) {
			n++
		}
	}
	return n
}

func modelConfig() Config {
	c := Default()
	c.Min, c.Max, c.IPConns, c.IPDelay, c.Grace = 200*time.Millisecond, 2*time.Second, 2, 50*time.Millisecond, time.Second
	c.BackoffFirst, c.BackoffMost = 2*time.Second, 20*time.Second
	return c
}

// TestModel runs random schedules of three crawls over hosts that share addresses.
func TestModel(t *testing.T) {
	for seed := range uint64(8) {
		m := newModel(t, modelConfig(), seed, 3, 20, 1+int(seed%5), 15)
		m.run(time.Hour)
		m.check()
		for w, n := range m.left {
			if n > 0 {
				t.Fatalf("seed %d: %v has %d documents left after %v", seed, w, n, m.now)
			}
		}
		if m.bound == 0 {
			t.Errorf("seed %d: no address was found busy after DNS", seed)
		}
		if s := m.reg.Sizes(m.now.Add(time.Hour)); s != (Sizes{}) || len(m.reg.agenda) != 0 || m.reg.failing != 0 {
			t.Errorf("seed %d: left over: %+v, %d planned, %d failing", seed, s, len(m.reg.agenda), m.reg.failing)
		}
	}
}

// TestNoStarvation: of two crawls with endless work for one host, and of many hosts on one address, each
// gets its share.
func TestNoStarvation(t *testing.T) {
	m := newModel(t, modelConfig(), 5, 2, 10, 1, 1_000_000)
	m.outcome = func(string) Outcome { return Outcome{Duration: 20 * time.Millisecond, Status: 200} }
	count := map[waiter]int{}
	m.run0(t, 5*time.Minute)
	for _, q := range m.log {
		count[waiter{q.crawl, q.host}]++
	}
	m.check()
	for host := range m.ipOf {
		a, b := count[waiter{0, host}], count[waiter{1, host}]
		if a == 0 || b == 0 || a > b*11/10+2 || b > a*11/10+2 {
			t.Errorf("%s: %d and %d documents", host, a, b)
		}
	}
}

// run0 stops endless work at a limit.
func (m *model) run0(t *testing.T, limit time.Duration) {
	t.Helper()
	end := m.now.Add(limit)
	outcome := m.outcome
	m.outcome = func(host string) Outcome {
		if m.now.After(end) {
			clear(m.left)
		}
		return outcome(host)
	}
	m.run(2 * limit)
}

// TestDeterministic: the same seed gives the same log.
func TestDeterministic(t *testing.T) {
	logOf := func() string {
		m := newModel(t, modelConfig(), 3, 2, 12, 3, 8)
		m.run(time.Hour)
		s := ""
		for _, q := range m.log {
			s += fmt.Sprintf("%d %s %v %v\n", q.crawl, q.host, q.start, q.pause)
		}
		return s
	}
	first := logOf()
	for range 3 {
		if logOf() != first {
			t.Fatal("logs differ")
		}
	}
}
