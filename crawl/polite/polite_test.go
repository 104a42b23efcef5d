package polite

import (
	"fmt"
	"net/netip"
	"runtime"
	"testing"
	"time"
)

var (
	t0   = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	noIP = netip.Addr{}
	ip1  = netip.MustParseAddr("192.0.2.1")
)

func half() float64 { return 0.5 }

func TestRest(t *testing.T) {
	sec := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	two, zero := sec(2), sec(0)
	cfg := Default()
	for _, tt := range []struct {
		name string
		cfg  Config
		l    Limits
		o    Outcome
		want time.Duration
		why  string
	}{
		{"adaptive", cfg, Limits{}, Outcome{Duration: sec(2), Status: 200}, sec(10), "delay"},
		{"least", cfg, Limits{}, Outcome{Duration: sec(0.01), Status: 200}, sec(1), "delay"},
		{"most", cfg, Limits{}, Outcome{Duration: sec(100), Status: 200}, sec(30), "delay"},
		{"own bounds", cfg, Limits{Min: sec(3), Max: sec(4)}, Outcome{Duration: sec(100), Status: 200}, sec(4), "delay"},
		{"crawl-delay", cfg, Limits{CrawlDelay: sec(20)}, Outcome{Duration: sec(1), Status: 200}, sec(20), "crawl-delay"},
		{"crawl-delay shorter than ours", cfg, Limits{CrawlDelay: sec(2)}, Outcome{Duration: sec(1), Status: 200}, sec(5), "delay"},
		{"absurd crawl-delay", cfg, Limits{CrawlDelay: sec(1e6)}, Outcome{Status: 200}, sec(300), "crawl-delay"},
		{"fixed by the curator", cfg, Limits{Delay: &two}, Outcome{Duration: sec(5), Status: 200}, sec(2), "delay"},
		{"fixed, but robots wants more", cfg, Limits{Delay: &two, CrawlDelay: sec(9)}, Outcome{Status: 200}, sec(9), "crawl-delay"},
		{"none by the curator", cfg, Limits{Delay: &zero, CrawlDelay: sec(9)}, Outcome{Duration: sec(5), Status: 200}, 0, "delay"},
		{"--delay 0", Fixed(0), Limits{CrawlDelay: sec(9)}, Outcome{Duration: sec(5), Status: 200}, 0, "delay"},
		{"--delay 3", Fixed(sec(3)), Limits{}, Outcome{Duration: sec(5), Status: 200}, sec(3), "delay"},
		{"retry-after", cfg, Limits{}, Outcome{Status: 429, RetryAfter: sec(100)}, sec(100), "retry-after"},
		{"retry-after on 200", cfg, Limits{}, Outcome{Status: 200, RetryAfter: sec(7)}, sec(7), "retry-after"},
		{"retry-after without limit", Config{}, Limits{}, Outcome{Status: 503, RetryAfter: sec(1e6)}, sec(1e6), "retry-after"},
		{"absurd retry-after", cfg, Limits{}, Outcome{Status: 503, RetryAfter: sec(1e9)}, 24 * time.Hour, "retry-after"},
		{"back-off with half jitter", cfg, Limits{}, Outcome{Status: 503}, sec(12.5), "back-off after status 503"},
		{"back-off is kept at --delay 0", Fixed(0), Limits{}, Outcome{Failure: Timeout}, sec(12.5), "back-off after timeout"},
		{"404 is no trouble", cfg, Limits{}, Outcome{Status: 404}, sec(1), "delay"},
		{"nothing sent", cfg, Limits{}, Outcome{Failure: Abandoned, Duration: sec(9)}, 0, "nothing was sent"},
	} {
		r := New(tt.cfg, half, nil)
		l, w := r.Acquire(1, "h", noIP, tt.l, t0)
		if l == nil {
			t.Fatalf("%s: refused: %v", tt.name, w)
		}
		p := r.Release(l, tt.o, t0)
		if p.Until.Sub(t0) != tt.want || p.Why != tt.why {
			t.Errorf("%s: %v (%s), want %v (%s)", tt.name, p.Until.Sub(t0), p.Why, tt.want, tt.why)
		}
	}
}

// A fixed delay is what counts for an address as well, where it is shorter than the address' own.
func TestFixedDelayOfAddress(t *testing.T) {
	for _, tt := range []struct{ delay, want time.Duration }{
		{0, 0},
		{20 * time.Millisecond, 20 * time.Millisecond},
		{time.Second, Default().IPDelay},
	} {
		r := New(Fixed(tt.delay), half, nil)
		if l, w := r.Acquire(1, "g", ip1, Limits{}, t0); l == nil {
			t.Fatal(w)
		}
		l, w := r.Acquire(1, "h", ip1, Limits{}, t0)
		if tt.want == 0 && l == nil || tt.want > 0 && (l != nil || w.At != t0.Add(tt.want)) {
			t.Errorf("delay %v: %v %+v, want a rest of %v", tt.delay, l, w, tt.want)
		}
	}
}

func TestBackoffGrowsAndEnds(t *testing.T) {
	r := New(Default(), func() float64 { return 0 }, nil)
	now := t0
	get := func(o Outcome) Pause {
		l, w := r.Acquire(1, "h", noIP, Limits{}, now)
		if l == nil {
			t.Fatalf("refused at %v: %v", now, w)
		}
		p := r.Release(l, o, now)
		now = p.Until.Add(time.Second) // later than the rest: the count must survive
		return p
	}
	want := []time.Duration{10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800}
	for i, d := range want {
		start := now
		if p := get(Outcome{Status: 503}); p.Until.Sub(start) != d*time.Second || p.Failures != i+1 {
			t.Errorf("failure %d: %v, %d", i+1, p.Until.Sub(start), p.Failures)
		}
	}
	if p := get(Outcome{Status: 200}); p.Failures != 0 {
		t.Errorf("success leaves %d failures", p.Failures)
	}
	if s := r.Sizes(now.Add(time.Hour)); s.Hosts != 0 {
		t.Errorf("%d hosts remembered", s.Hosts)
	}
}

func TestWaits(t *testing.T) {
	cfg := Default()
	r := New(cfg, half, nil)
	a, _ := r.Acquire(1, "h", ip1, Limits{}, t0)
	if l, w := r.Acquire(2, "h", ip1, Limits{}, t0); l != nil || w.Why != "host busy" || !w.At.IsZero() {
		t.Errorf("busy host: %v", w)
	}
	if l, w := r.Acquire(1, "g", ip1, Limits{}, t0); l != nil || w.Why != "address resting" || w.At != t0.Add(cfg.IPDelay) {
		t.Errorf("resting address: %v", w)
	}
	p := r.Release(a, Outcome{Status: 200}, t0)
	if l, w := r.Acquire(1, "h", ip1, Limits{}, t0); l != nil || w.Why != "host resting" || w.At != p.Until {
		t.Errorf("resting host: %v", w)
	}
	now := t0.Add(cfg.IPDelay)
	if host, ok := r.Ready(1, now); !ok || host != "g" {
		t.Errorf("ready: %q %v", host, ok)
	}
	now = p.Until
	// Crawl 2 stood in line before crawl 1.
	if l, w := r.Acquire(1, "h", ip1, Limits{}, now); l != nil || w.Why != "others first" {
		t.Errorf("out of turn: %v", w)
	}
	if host, ok := r.Ready(2, now); !ok || host != "h" {
		t.Errorf("ready of crawl 2: %q %v", host, ok)
	}
	if _, ok := r.Ready(2, now); ok {
		t.Error("the same turn twice")
	}
	r.Forget(2, "h", now)
	if host, ok := r.Ready(1, now); !ok || host != "h" {
		t.Errorf("after Forget: %q %v", host, ok)
	}
}

func TestLostTurn(t *testing.T) {
	told := map[int]int{}
	r := New(Fixed(time.Second), half, func(crawl int) { told[crawl]++ })
	l, _ := r.Acquire(1, "h", noIP, Limits{}, t0)
	r.Acquire(2, "h", noIP, Limits{}, t0)
	r.Acquire(3, "h", noIP, Limits{}, t0)
	p := r.Release(l, Outcome{Status: 200}, t0)
	if at, ok := r.NextDue(t0); !ok || at != p.Until {
		t.Errorf("next due %v, want %v", at, p.Until)
	}
	r.NextDue(p.Until)
	if told[2] != 1 || told[3] != 0 {
		t.Errorf("told %v", told)
	}
	late := p.Until.Add(5 * time.Second)
	if host, ok := r.Ready(3, late); !ok || host != "h" {
		t.Errorf("crawl 2 did not come, but crawl 3 has no turn: %q %v", host, ok)
	}
	if _, ok := r.Ready(2, late); ok {
		t.Error("crawl 2 still has its turn")
	}
	if host, ok := r.Lost(2, late); !ok || host != "h" {
		t.Errorf("crawl 2 is not told that it lost its place: %q %v", host, ok)
	}
	if host, ok := r.Lost(2, late); ok {
		t.Errorf("told twice: %q", host)
	}
	r.Leave(3, late)
	if s := r.Sizes(late); s != (Sizes{}) {
		t.Errorf("left over: %+v", s)
	}
}

func TestReleaseTwiceAndBindTwice(t *testing.T) {
	r := New(Default(), half, nil)
	l, _ := r.Acquire(1, "h", noIP, Limits{}, t0)
	for range 2 {
		if ok, _ := r.Bind(l, ip1, t0); !ok {
			t.Error("bind")
		}
	}
	r.Release(l, Outcome{}, t0)
	r.Release(l, Outcome{}, t0)
	if ok, _ := r.Bind(l, ip1, t0); ok {
		t.Error("a lease that is over can be bound")
	}
	if s := r.Status("h"); s.Active != 0 || !s.Known {
		t.Errorf("%+v", s)
	}
	if s := r.Status("other"); s.Known {
		t.Errorf("%+v", s)
	}
}

func TestRetryAfter(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"120": 2 * time.Minute, " 0 ": 0, "Thu, 01 Jan 2026 12:01:00 GMT": time.Minute,
		"Thursday, 01-Jan-26 12:00:30 GMT": 30 * time.Second, "Thu Jan  1 12:00:10 2026": 10 * time.Second,
		"Wed, 31 Dec 2025 12:01:00 GMT": 0, "99999999999999": maxWait,
	} {
		if got, ok := ParseRetryAfter(in, t0); !ok || got != want {
			t.Errorf("%q: %v %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "soon", "-5", "1.5", "2026-01-01"} {
		if got, ok := ParseRetryAfter(in, t0); ok {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("Thu, 01 Jan 2026 12:01:00 GMT")
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := ParseRetryAfter(s, t0); d < 0 || d > maxWait || !ok && d != 0 {
			t.Errorf("%q: %v %v", s, d, ok)
		}
	})
}

// BenchmarkEvents measures a request (acquire, release, and its part of the agenda) while many hosts rest,
// and the memory of a resting host that a crawl waits for.
func BenchmarkEvents(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("%d resting", n), func(b *testing.B) {
			var before, after runtime.MemStats
			names := make([]string, n)
			for i := range names {
				names[i] = fmt.Sprintf("host%07d.example", i)
			}
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := New(Fixed(time.Duration(n)*time.Microsecond), half, nil)
			now := t0
			step := func(host string) {
				l, w := r.Acquire(1, host, noIP, Limits{}, now)
				if l == nil {
					b.Fatal(w)
				}
				r.Release(l, Outcome{Status: 200}, now)
				r.Acquire(1, host, noIP, Limits{}, now) // wants more: stands in line
				now = now.Add(time.Microsecond)
			}
			for _, host := range names {
				step(host)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			for b.Loop() {
				host, ok := r.Ready(1, now)
				if !ok {
					b.Fatal("nobody ready")
				}
				step(host)
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n), "B/host")
		})
	}
}

// TestTurnAtAnAddress: who stood in line for an address has its turn when it asks for the host without naming the
// address, as a crawl does before it has looked the name up. Two hosts used to hand the turn to each other for ever.
func TestTurnAtAnAddress(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	cfg := Fixed(20 * time.Millisecond)
	reg := New(cfg, func() float64 { return 0 }, nil)
	ip := netip.MustParseAddr("10.0.0.1")
	try := func(host string) bool {
		l, _ := reg.Acquire(1, host, netip.Addr{}, Limits{}, now)
		if l == nil {
			return false
		}
		ok, _ := reg.Bind(l, ip, now)
		if ok {
			reg.Release(l, Outcome{Status: 200}, now)
		}
		return ok
	}
	for _, h := range []string{"a", "b", "c"} {
		try(h)
	}
	for range 10 {
		now = now.Add(100 * time.Millisecond)
		served := false
		for asked := 0; !served; asked++ {
			host, ok := reg.Ready(1, now)
			if !ok || asked > 5 {
				t.Fatalf("at %v: asked %d times, nobody was served", now, asked)
			}
			served = try(host)
			try(host) // wants the next at once
		}
	}
}
