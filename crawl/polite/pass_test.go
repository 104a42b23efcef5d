package polite

import (
	"testing"
	"time"
)

// Parts of a page go ahead of the line and of the ordinary rest, one at a time; trouble stops them.
func TestPass(t *testing.T) {
	r := New(Default(), half, nil)
	first, _ := r.Acquire(1, "h", ip1, Limits{}, t0)
	if l, w := r.Acquire(2, "h", ip1, Limits{}, t0); l != nil || w.Why != "host busy" {
		t.Fatal("two connections to one host", w)
	}
	l, w := r.Pass(3, "h", ip1, Limits{}, t0)
	if l != nil || w.Free == nil {
		t.Fatalf("a busy host was passed: %+v", w)
	}
	r.Release(first, Outcome{Status: 200}, t0)
	select {
	case <-w.Free:
	default:
		t.Fatal("the end of the request was not told")
	}
	at := t0.Add(time.Millisecond)
	if l, w = r.Pass(3, "h", ip1, Limits{}, at); l == nil {
		t.Fatalf("it must pass the rest and the line: %+v", w)
	}
	r.Release(l, Outcome{Status: 200}, at)
	if got := r.Status("h").Next.Sub(at); got != time.Second {
		t.Errorf("the host rests %v behind a part", got)
	}
	if l, _ := r.Acquire(2, "h", ip1, Limits{}, at.Add(time.Second)); l == nil {
		t.Error("the one in line did not get its turn")
	} else {
		r.Release(l, Outcome{Status: 503}, at.Add(time.Second))
	}
	l, w = r.Pass(3, "h", ip1, Limits{}, at.Add(2*time.Second))
	if l != nil || w.At.Sub(at) != 13500*time.Millisecond {
		t.Errorf("a host in trouble was passed: %+v", w)
	}
	if l, w = r.Pass(3, "h", ip1, Limits{}, w.At); l == nil {
		t.Errorf("still refused behind the back-off: %+v", w)
	}
}

// The bound on connections to an address holds for parts, too; nothing is left behind.
func TestPassAddress(t *testing.T) {
	c := Default()
	c.IPConns = 1
	r := New(c, half, nil)
	l, _ := r.Pass(1, "a", ip1, Limits{}, t0)
	if l == nil {
		t.Fatal("an idle host refused")
	}
	m, w := r.Pass(1, "b", ip1, Limits{}, t0)
	if m != nil || w.Why != "address busy" || w.Free == nil {
		t.Fatalf("two connections to one address: %+v", w)
	}
	r.Release(l, Outcome{Failure: Abandoned}, t0)
	if s := r.Sizes(t0.Add(time.Hour)); s != (Sizes{}) {
		t.Errorf("left behind: %+v", s)
	}
}
