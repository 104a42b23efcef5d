package shared

import (
	"container/heap"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/crawl/polite"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// joins are the implementations: each makes members of one registry, with their deaths.
func joins(t *testing.T) map[string]func() (polite.Shared, func()) {
	memory, dir := NewMemory(), filepath.Join(t.TempDir(), "polite")
	return map[string]func() (polite.Shared, func()){
		"memory": memory.Join,
		"file": func() (polite.Shared, func()) {
			f, err := Open(dir, false, slog.New(slog.NewTextHandler(failing{t}, nil)))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			return f, func() { f.Close() }
		},
	}
}

// failing is a log that must stay empty.
type failing struct{ t *testing.T }

func (f failing) Write(b []byte) (int, error) {
	f.t.Errorf("said: %s", b)
	return len(b), nil
}

func host(rest time.Duration) []polite.Claim {
	return []polite.Claim{{Key: "host a", Places: 1, Rest: rest}}
}

func leave(s polite.Shared, now, next time.Time) {
	s.Leave([]polite.Stay{{Key: "host a", Next: next}}, now)
}

// TestConformance is what every implementation of polite.Shared must do.
func TestConformance(t *testing.T) {
	const sec = time.Second
	in := func(t *testing.T, s polite.Shared, c []polite.Claim, now time.Time) {
		t.Helper()
		if d, ok := s.Enter(c, now); !ok {
			t.Fatalf("refused: %+v", d)
		}
	}
	out := func(t *testing.T, s polite.Shared, c []polite.Claim, now time.Time, why string) time.Time {
		t.Helper()
		d, ok := s.Enter(c, now)
		if ok || !strings.Contains(d.Why, why) || !d.At.After(now) {
			t.Fatalf("entered: %v, %+v; want a refusal because of %q", ok, d, why)
		}
		return d.At
	}
	for name, test := range map[string]func(t *testing.T, join func() (polite.Shared, func())){
		"busy, resting, free": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			in(t, a, host(sec), start)
			if at := out(t, b, host(sec), start, "busy"); at.After(start.Add(sec / 4)) {
				t.Errorf("asks again only at %v", at.Sub(start))
			}
			leave(a, start.Add(sec), start.Add(3*sec))
			if at := out(t, b, host(sec), start.Add(sec), "resting"); !at.Equal(start.Add(3 * sec)) {
				t.Errorf("rests until %v", at.Sub(start))
			}
			in(t, b, host(sec), start.Add(3*sec))
		},
		"who was there last lets the others go first": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			in(t, a, host(sec), start)
			out(t, b, host(sec), start.Add(sec/2), "busy")
			leave(a, start.Add(sec/2), start.Add(2*sec))
			out(t, a, host(sec), start.Add(2*sec), "first")
			in(t, b, host(sec), start.Add(2*sec))
			leave(b, start.Add(2*sec), start.Add(3*sec))
			in(t, a, host(sec), start.Add(3*sec))
		},
		"an heir that does not come loses its turn, a dead one at once": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, end := join()
			in(t, a, host(sec), start)
			out(t, b, host(sec), start, "busy")
			leave(a, start, start.Add(sec))
			in(t, a, host(sec), out(t, a, host(sec), start.Add(sec), "first"))
			out(t, b, host(sec), start.Add(2*sec), "busy")
			leave(a, start.Add(2*sec), start.Add(3*sec))
			end()
			in(t, a, host(sec), start.Add(3*sec))
		},
		"a killed one leaves a rest behind": func(t *testing.T, join func() (polite.Shared, func())) {
			a, end := join()
			b, _ := join()
			in(t, a, host(sec), start)
			end()
			now := start.Add(time.Minute)
			if at := out(t, b, host(5*sec), now, "resting"); at.Before(now.Add(sec)) {
				t.Errorf("asks again at %v", at)
			}
			in(t, b, host(sec), now.Add(3*sec))
		},
		"one that stands still is not waited for for ever": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			in(t, a, host(sec), start)
			out(t, b, host(sec), start.Add(59*time.Minute), "busy")
			in(t, b, host(sec), out(t, b, host(sec), start.Add(61*time.Minute), "resting"))
		},
		"trouble holds for those ahead too, ordinary rests do not": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			ahead := []polite.Claim{{Key: "host a", Places: 1, Rest: sec, Ahead: true}}
			in(t, a, host(sec), start)
			leave(a, start, start.Add(sec))
			in(t, b, ahead, start)
			b.Leave([]polite.Stay{{Key: "host a", Next: start.Add(time.Hour), Trouble: start.Add(time.Hour)}}, start)
			d, ok := a.Enter(ahead, start.Add(time.Minute))
			if ok || !d.Trouble || !d.At.Equal(start.Add(time.Hour)) {
				t.Errorf("a host that said Retry-After to another process: %v, %+v", ok, d)
			}
		},
		"nothing was sent: nothing rests": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			in(t, a, host(sec), start)
			leave(a, start, time.Time{})
			in(t, b, host(sec), start)
		},
		"starts are spaced, and so many at a time": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			c := []polite.Claim{{Key: "address 1", Places: 2, Rest: sec, Spaced: true}}
			in(t, a, c, start)
			out(t, b, c, start.Add(sec/2), "resting")
			in(t, b, c, start.Add(sec))
			out(t, a, c, start.Add(3*sec), "busy")
			b.Leave([]polite.Stay{{Key: "address 1"}}, start.Add(3*sec))
			in(t, a, c, start.Add(3*sec)) // its second
		},
		"both keys or none": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			addr := polite.Claim{Key: polite.AddrKey(netip.MustParseAddr("10.0.0.1")), Places: 1, Rest: sec, Spaced: true}
			both := []polite.Claim{{Key: "host a", Places: 1, Rest: sec}, addr}
			other := []polite.Claim{{Key: "host b", Places: 1, Rest: sec}, addr}
			in(t, a, both, start)
			d, ok := b.Enter(other, start)
			if ok || d.Claim != 1 {
				t.Fatalf("%v %+v", ok, d)
			}
			in(t, a, other[:1], start) // b has no place there
		},
		"who had to wait for the lock does not shorten the rest": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			in(t, a, host(sec), start)
			leave(a, start.Add(sec), start.Add(2*sec))
			for _, early := range []time.Duration{time.Microsecond, 4 * time.Millisecond, sec} {
				if at := out(t, b, host(sec), start.Add(sec-early), "resting"); !at.Equal(start.Add(2 * sec)) {
					t.Errorf("asked %v before the last change: rests until %v", early, at.Sub(start))
				}
			}
			out(t, b, host(sec), start.Add(2*sec-time.Nanosecond), "resting")
			in(t, b, host(sec), start.Add(2*sec))
		},
		"a clock that is set back keeps rests as long as they were": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			in(t, a, host(sec), start)
			leave(a, start, start.Add(10*sec))
			back := start.Add(-365 * 24 * time.Hour)
			if at := out(t, b, host(sec), back, "resting"); !at.Equal(back.Add(10 * sec)) {
				t.Errorf("rests until %v after", at.Sub(back))
			}
			in(t, b, host(sec), back.Add(10*sec))
		},
		"many keys": func(t *testing.T, join func() (polite.Shared, func())) {
			a, _ := join()
			b, _ := join()
			for i := range 20_000 {
				in(t, a, []polite.Claim{{Key: fmt.Sprint("host ", i), Places: 1, Rest: sec}}, start)
			}
			for i := range 20_000 {
				c := []polite.Claim{{Key: fmt.Sprint("host ", i), Places: 1, Rest: sec}}
				if _, ok := b.Enter(c, start); ok {
					t.Fatalf("host %d is taken twice", i)
				}
				a.Leave([]polite.Stay{{Key: c[0].Key, Next: start.Add(sec)}}, start)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, join := range joins(t) {
				t.Run(kind, func(t *testing.T) { test(t, join) })
			}
		})
	}
}

// Where no rest is due a process keeps its place from one request to the next, but not longer than others may be asked to wait.
func TestPlacesAreKept(t *testing.T) {
	join := joins(t)["file"]
	a, _ := join()
	b, end := join()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	enters := func(who string, s polite.Shared, ms int, want string) {
		t.Helper()
		if d, ok := s.Enter(host(0), at(ms)); ok != (want == "") || !strings.Contains(d.Why, want) {
			t.Fatalf("%s at %d ms: %v %+v, want %q", who, ms, ok, d, want)
		}
	}
	enters("a", a, 0, "")
	leave(a, at(10), at(10))
	enters("b, while the place is kept", b, 11, "busy")
	enters("a, which comes again", a, 12, "")
	leave(a, at(99), at(99))
	enters("a, after all of the time", a, 101, "another process first")
	enters("b", b, 102, "")
	leave(b, at(103), at(103))
	b.(*File).giveBack()
	enters("a, after b gave up its place", a, 104, "")
	leave(a, at(105), at(2000)) // the server asked for it
	enters("a", a, 106, "resting")
	enters("b, after the time of a, who was to come first", b, 2006, "")
	leave(b, at(2007), at(2007))
	end()
	enters("a, after b has closed", a, 2008, "")
}

type event struct {
	at time.Time
	do func()
}
type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at.Before(e[j].at) }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// TestModel runs several registries, each of a process of its own, in virtual time on hosts that share addresses, and
// kills some in between. No host and no address may see requests closer together than it may.
func TestModel(t *testing.T) {
	const delay, spacing = 500 * time.Millisecond, 100 * time.Millisecond
	for seed := range uint64(12) {
		for kind, join := range joins(t) {
			rng := rand.New(rand.NewPCG(seed, 1))
			now := start
			var queue events
			after := func(d time.Duration, do func()) { heap.Push(&queue, event{now.Add(d), do}) }
			type seen struct{ begun, ended time.Time }
			last, addr, served := map[string]seen{}, map[netip.Addr]time.Time{}, map[int]int{}
			requests, killed := 0, 0
			var process func(number int)
			process = func(number int) {
				shared, end := join()
				reg := polite.New(config(delay, spacing), rng.Float64, nil)
				reg.Share(shared)
				dead, open := false, map[string]bool{}
				ip := func(h string) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, h[1] % 2}) }
				var try func(h string)
				try = func(h string) {
					if dead || requests > 400 {
						return
					}
					l, wait := reg.Acquire(1, h, netip.Addr{}, polite.Limits{}, now)
					if l == nil {
						_ = wait
						return
					}
					if ok, _ := reg.Bind(l, ip(h), now); !ok {
						return
					}
					before := last[h]
					if gap := now.Sub(before.ended); gap < delay && !before.begun.IsZero() {
						t.Fatalf("seed %d, %s: %s after %v", seed, kind, h, gap)
					}
					if gap := now.Sub(addr[ip(h)]); gap < spacing {
						t.Fatalf("seed %d, %s: address of %s after %v", seed, kind, h, gap)
					}
					requests++
					served[number]++
					begun, took := now, time.Duration(1+rng.IntN(80))*time.Millisecond
					open[h] = true
					last[h], addr[ip(h)] = seen{begun, now.Add(took)}, now
					if rng.IntN(60) == 0 { // killed amid the request
						dead = true
						killed++
						for h := range open {
							last[h] = seen{last[h].begun, now}
						}
						end()
						after(time.Second, func() { process(number) })
						return
					}
					after(took, func() {
						if dead {
							return
						}
						delete(open, h)
						reg.Release(l, polite.Outcome{Duration: took, Status: 200}, now)
						try(h)
					})
				}
				var look func()
				look = func() {
					if dead || requests > 400 {
						return
					}
					for h, ok := reg.Ready(1, now); ok; h, ok = reg.Ready(1, now) {
						try(h)
					}
					for h, ok := reg.Lost(1, now); ok; h, ok = reg.Lost(1, now) {
						try(h)
					}
					next := now.Add(50 * time.Millisecond)
					if at, ok := reg.NextDue(now); ok && at.Before(next) {
						next = at
					}
					after(max(next.Sub(now), time.Millisecond), look)
				}
				for i := range 4 {
					h := fmt.Sprintf("h%d", i)
					after(time.Duration(rng.IntN(300))*time.Millisecond, func() { try(h) })
				}
				after(0, look)
			}
			for n := range 4 {
				process(n)
			}
			for len(queue) > 0 && now.Sub(start) < time.Hour {
				e := heap.Pop(&queue).(event)
				now = e.at
				e.do()
			}
			if took := now.Sub(start); requests < 400 || took > 2*400*(delay+100*time.Millisecond)/4 {
				t.Errorf("seed %d, %s: %d requests in %v, %d killed", seed, kind, requests, took, killed)
			}
			for n := range 4 {
				if served[n] < 60 {
					t.Errorf("seed %d, %s: process %d made %d of %d requests: %v", seed, kind, n, served[n], requests, served)
				}
			}
		}
	}
}

func config(delay, spacing time.Duration) polite.Config {
	c := polite.Fixed(delay)
	c.IPDelay = spacing
	return c
}

// TestHostileDirectories: what others could write is not used, and links are not followed.
func TestHostileDirectories(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for name, make := range map[string]func(dir string) error{
		"open to others": func(dir string) error { os.Mkdir(dir, 0o700); return os.Chmod(dir, 0o777) },
		"a link":         func(dir string) error { return os.Symlink(t.TempDir(), dir) },
		"a file":         func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"a linked file inside": func(dir string) error {
			os.Mkdir(dir, 0o700)
			return os.Symlink("/etc/hostname", filepath.Join(dir, fileName))
		},
		"a file with two names": func(dir string) error {
			os.Mkdir(dir, 0o700)
			victim := filepath.Join(t.TempDir(), "victim")
			os.WriteFile(victim, []byte("keep"), 0o600)
			return os.Link(victim, filepath.Join(dir, fileName))
		},
		"a pipe inside": func(dir string) error {
			os.Mkdir(dir, 0o700)
			return exec.Command("mkfifo", filepath.Join(dir, fileName)).Run()
		},
	} {
		dir := filepath.Join(t.TempDir(), "polite")
		if err := make(dir); err != nil {
			t.Fatal(name, err)
		}
		if f, err := Open(dir, false, log); err == nil {
			f.Close()
			t.Errorf("%s: opened", name)
		}
	}
}

// TestDamage: a slot with a wrong checksum counts as one that was just used, and is said.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "polite")
	var said strings.Builder
	f, err := Open(dir, false, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Enter(host(time.Second), start)
	_, at, err := f.table.find(hashOf("host a"), -1, 0, start.UnixNano())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.f.WriteAt([]byte{0xff}, at+20); err != nil {
		t.Fatal(err)
	}
	d, ok := f.Enter(host(time.Second), start.Add(time.Minute))
	if ok || d.At.Sub(start) != time.Minute+time.Second || !strings.Contains(said.String(), "damaged=1") {
		t.Errorf("%v %+v, said %q", ok, d, said.String())
	}
}

// TestFailure: what cannot be asked is allowed and said once; what was owed is made good afterwards.
func TestFailure(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "polite")
	var said strings.Builder
	f, err := Open(dir, false, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Enter(host(time.Second), start)
	sound := f.table.disk
	f.table.disk = brokenDisk{}
	leave(f, start.Add(time.Second), start.Add(2*time.Second))
	if _, ok := f.Enter(host(time.Second), start.Add(20*time.Second)); !ok {
		t.Error("a broken disk stops the crawl")
	}
	if n := strings.Count(said.String(), "goes on by itself"); n != 1 {
		t.Errorf("said %d times: %s", n, said.String())
	}
	f.table.disk = sound
	if d, ok := f.Enter(host(time.Second), start.Add(40*time.Second)); !ok {
		t.Errorf("the place of before was not given back: %+v", d)
	}
}

type brokenDisk struct{}

func (brokenDisk) ReadAt([]byte, int64) (int, error)  { return 0, fmt.Errorf("input/output error") }
func (brokenDisk) WriteAt([]byte, int64) (int, error) { return 0, fmt.Errorf("input/output error") }

// FuzzDecode: no bytes of a slot make trouble, and what is written is read again.
func FuzzDecode(f *testing.F) {
	var b [slotSize]byte
	encode(b[:], hashOf("x"), &slot{next: 5, heir: 7, places: [maxMembers]place{{1, 2, 3e6, 4}}})
	f.Add(b[:])
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < slotSize {
			return
		}
		s, sound := decode(b[:slotSize])
		if !sound {
			return
		}
		s.refuses(polite.Claim{Places: 1, Rest: time.Second}, member{9, func(uint64) bool { return true }}, 100)
	})
}

func BenchmarkFile(b *testing.B) {
	f, err := Open(filepath.Join(b.TempDir(), "polite"), false, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	claims := []polite.Claim{{Key: "host a", Places: 1}, {Key: "address 1", Places: 4, Spaced: true}}
	stays := []polite.Stay{{Key: "host a"}, {Key: "address 1"}}
	for i := 0; b.Loop(); i++ {
		now := start.Add(time.Duration(i) * time.Second)
		if _, ok := f.Enter(claims, now); !ok {
			b.Fatal("refused")
		}
		f.Leave(stays, now)
	}
}
