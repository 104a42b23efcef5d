package history

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// model keeps every observation and works everything out anew when it is asked.
type model map[string][]Observation

func (m model) record(o Observation) {
	for _, x := range m[o.Key] {
		if x.At.Equal(o.At) {
			return
		}
	}
	m[o.Key] = append(m[o.Key], o)
}

// entry plays the visits of a key again; no list is bounded.
func (m model) entry(key string) (e Entry) {
	content := map[string]string{} // name of a digest -> sum, of the last whole answer
	for _, o := range m[key] {
		c := Change{At: o.At, Status: o.Status}
		if !o.At.Before(e.Last) {
			good := !o.Truncated && (o.NotModified || o.Status/100 == 2)
			for _, d := range o.Digests {
				if good && !o.NotModified && e.Layer(d.Name) < 0 {
					e.Layers = append(e.Layers, d.Name)
				}
			}
			for i, name := range e.Layers {
				old, had := content[name]
				now, has := old, good && o.NotModified
				for _, d := range o.Digests {
					if d.Name == name && !o.NotModified {
						now, has = d.Sum, good
					}
				}
				if had && has {
					c.Compared |= 1 << i
					if old != now {
						c.Changed |= 1 << i
					}
				}
			}
			e.Key, e.URL, e.Last, e.Status, e.Latest = key, o.URL, o.At, o.Status, o.Record
			if good && !o.NotModified {
				e.MIME, e.Size, e.ETag, e.LastModified, e.Digests = o.MIME, o.Size, o.ETag, o.LastModified, o.Digests
				clear(content)
				for _, d := range o.Digests {
					content[d.Name] = d.Sum
				}
			}
			if good && o.NotModified && o.ETag != "" {
				e.ETag = o.ETag
			}
			switch {
			case good && o.Revisit && !o.Refers.IsZero():
				e.Original = o.Refers
			case good && !o.Revisit && !o.NotModified:
				e.Original = o.Record
			}
		}
		e.Changes = append(e.Changes, c)
		e.Visits++
	}
	slices.SortFunc(e.Changes, func(a, b Change) int { return a.At.Compare(b.At) })
	e.First = e.Changes[0].At
	return e
}

func (m model) first(d Digest) (Reference, bool) {
	var all []Reference
	for _, list := range m {
		for _, o := range list {
			if o.Status/100 == 2 && !o.Truncated && !o.Revisit && !o.NotModified && slices.Contains(o.Digests, d) {
				all = append(all, o.Record)
			}
		}
	}
	if len(all) == 0 {
		return Reference{}, false
	}
	return slices.MinFunc(all, func(a, b Reference) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Location.File, b.Location.File), cmp.Compare(a.Location.Offset, b.Location.Offset))
	}), true
}

type run struct {
	t     *testing.T
	rnd   *rand.Rand
	fs    *vfs.MemFS
	s     *Store
	m     model
	now   time.Time
	count int
}

// TestRandom records thousands of random visits on a file system that loses what was not synced,
// cuts the power at random points, and compares everything with the model.
func TestRandom(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := &run{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), fs: vfs.NewCrashableMem(), m: model{}, now: epoch}
			r.open()
			for i := range 300 {
				switch r.rnd.IntN(20) {
				case 0:
					r.crash()
				case 1:
					r.must(r.s.Close())
					r.open()
				default:
					r.record()
				}
				if i%30 == 0 {
					r.check()
				}
			}
			r.check()
			r.must(r.s.Close())
		})
	}
}

func (r *run) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *run) open() {
	s, err := Open(r.fs, "h", Config{MaxChanges: 1000, CacheBytes: 1 << 20, MemtableBytes: 256 << 10}, nil)
	r.must(err)
	r.s = s
}

func (r *run) observation() Observation {
	r.count++
	r.now = r.now.Add(time.Duration(r.rnd.IntN(3)) * time.Second)
	at := r.now
	if r.rnd.IntN(10) == 0 {
		at = at.Add(-time.Duration(r.rnd.IntN(60)) * time.Second)
	}
	key := fmt.Sprintf("https://example.org/%d", r.rnd.IntN(20))
	o := Observation{
		Key: key, URL: key, At: at, Status: []int{200, 200, 200, 404, 503}[r.rnd.IntN(5)], MIME: "text/html", Size: int64(r.rnd.IntN(1000)),
		ETag: fmt.Sprintf(`"%d"`, r.rnd.IntN(5)), Record: r.reference(key, at), Truncated: r.rnd.IntN(20) == 0,
	}
	switch r.rnd.IntN(6) {
	case 0:
		o.NotModified, o.Revisit, o.Status = true, true, 304
		return o
	case 1:
		o.Revisit = true
		if r.rnd.IntN(2) == 0 {
			o.Refers = r.reference("https://other.example/", at.Add(-time.Hour))
		}
	}
	for _, name := range []string{"sha1", "sha256", "text"} {
		if r.rnd.IntN(4) > 0 {
			o.Digests = append(o.Digests, Digest{Name: name, Sum: fmt.Sprint("sum", r.rnd.IntN(6))})
		}
	}
	return o
}

func (r *run) reference(uri string, at time.Time) Reference {
	id := fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012x>", r.count)
	return Reference{URI: uri, Date: at, ID: id, Location: varve.Location{File: "a.warc.gz", Offset: int64(r.count) * 1000, Length: 900}}
}

func (r *run) batch() []Observation {
	out := make([]Observation, r.rnd.IntN(6))
	for i := range out {
		out[i] = r.observation()
	}
	return out
}

func (r *run) record() {
	b := r.batch()
	for _, o := range b {
		r.m.record(o)
	}
	r.must(r.s.Record(b))
}

// crash cuts the power, half of the time during a call: then all of it is there or nothing.
func (r *run) crash() {
	var during []Observation
	if r.rnd.IntN(2) == 0 {
		during = r.batch()
	}
	cfg := vfs.CrashCloneCfg{UnsyncedDataPercent: r.rnd.IntN(101), RNG: r.rnd}
	done := make(chan error)
	go func() { done <- r.s.Record(during) }()
	fs := r.fs.CrashClone(cfg)
	r.must(<-done)
	r.must(r.s.Close())
	r.fs = fs
	r.open()
	if err := r.diff(r.m); err == nil {
		return
	}
	after := model{}
	for k, v := range r.m {
		after[k] = slices.Clone(v)
	}
	for _, o := range during {
		after.record(o)
	}
	if err := r.diff(after); err != nil {
		r.t.Fatalf("after a crash: %v", err)
	}
	r.m = after
}

func (r *run) check() {
	r.t.Helper()
	r.must(r.diff(r.m))
}

func (r *run) diff(m model) error {
	visits, n := int64(0), 0
	for e, err := range r.s.Entries("") {
		if err != nil {
			return err
		}
		n++
		if len(m[e.Key]) == 0 {
			return fmt.Errorf("%s is known", e.Key)
		}
		want := m.entry(e.Key)
		visits += int64(want.Visits)
		got, _, err := r.s.Lookup(e.Key)
		if err != nil || !reflect.DeepEqual(got, e) || !reflect.DeepEqual(e, want) {
			return fmt.Errorf("%s (%v):\n%+v\n%+v, want\n%+v", e.Key, err, got, e, want)
		}
	}
	if s := r.s.Stats(); n != len(m) || s.URLs != int64(n) || s.Visits != visits {
		return fmt.Errorf("%d entries, stats %+v; want %d with %d visits", n, s, len(m), visits)
	}
	for i := range 6 {
		d := Digest{Name: "sha1", Sum: fmt.Sprint("sum", i)}
		want, wantOK := m.first(d)
		if got, ok, err := r.s.ByDigest(d); err != nil || ok != wantOK || got != want {
			return fmt.Errorf("first of %v: %+v %v (%v), want %+v %v", d, got, ok, err, want, wantOK)
		}
	}
	return nil
}
