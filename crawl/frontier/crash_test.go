package frontier

import (
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// crash cuts the power: what was acknowledged must be there. A call may be under way at that
// moment; then either all of it is there or nothing.
func (r *run) crash() {
	var inCall *model
	done := make(chan struct{})
	cfg := vfs.CrashCloneCfg{UnsyncedDataPercent: r.rnd.IntN(101), RNG: r.rnd}
	fs := r.fs
	if r.rnd.IntN(2) == 0 {
		items := r.items(12)
		inCall = r.m.clone()
		for _, it := range items {
			inCall.add(it, r.cfg.Combine, r.flying)
		}
		go func() {
			defer close(done)
			_, err := r.f.Add(items...)
			if err != nil {
				r.t.Error(err)
			}
		}()
		time.Sleep(time.Duration(r.rnd.IntN(50)) * time.Microsecond) // only to vary where it is cut
		r.fs = fs.CrashClone(cfg)
		<-done
	} else {
		r.fs = fs.CrashClone(cfg)
	}
	r.must(r.f.Close())
	r.open()
	err := r.m.diff(r.f, r.keys, r.hosts, r.flying)
	if err != nil && inCall != nil {
		if second := inCall.diff(r.f, r.keys, r.hosts, r.flying); second != nil {
			r.t.Fatalf("after a crash in a call: neither before (%v) nor after (%v)", err, second)
		}
		r.m, err = inCall, nil
	}
	if err != nil {
		r.t.Fatalf("after a crash: %v", err)
	}
}

func (r *run) reopen() {
	r.must(r.f.Close())
	r.open()
	r.check()
}

// drain crawls to the end through Claim: everything queued is given out once, in the order of
// the model.
func (r *run) drain() {
	for k := range r.flying {
		r.f.Return(k)
	}
	clear(r.flying)
	for _, h := range r.hosts {
		r.m.retired[h] = false
		r.must(r.f.Retire(h, false))
	}
	r.now = r.now.Add(time.Hour)
	for idle := 0; r.f.Stats().Queued > 0; {
		names, err := r.f.Claim(r.now, 2)
		r.must(err)
		if idle++; len(names) > 0 {
			idle = 0
		} else if idle > 3 {
			r.t.Fatalf("%d URLs are queued, and no host can be claimed", r.f.Stats().Queued)
		}
		for _, n := range names {
			r.take1(n)
			r.f.Release(n)
		}
	}
	r.check()
}

func (r *run) take1(host string) {
	want := r.m.next(host, r.now, r.flying)
	it, ok, err := r.f.Take(host, r.now)
	r.must(err)
	if !ok || it.Key != want {
		r.t.Fatalf("drain %s: %q %v, want %q", host, it.Key, ok, want)
	}
	res := Result{Item: it, Outcome: Outcome{Status: 200, Size: 1, At: r.now}}
	r.m.finish(res)
	_, err = r.f.Finish(res)
	r.must(err)
}
