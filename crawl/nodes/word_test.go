package nodes

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
)

// hasty is an engine on which another node leaves its word the moment an address is taken, and is heard before who took it knows that it has it.
type hasty struct {
	engine.Engine
	heard func() bool
}

func (h *hasty) Put(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	rev, err := h.Engine.Put(ctx, key, value, last)
	if addr, ok := strings.CutPrefix(key, addrPrefix); ok && err == nil && strings.Contains(string(value), `"holder":"a-`) {
		session := strings.Split(strings.Split(string(value), `"holder":"`)[1], `"`)[0]
		if _, err := h.Engine.Put(ctx, wantPrefix+session+"."+addr, []byte("b-other"), 0); err == nil {
			for i := 0; i < 1000 && !h.heard(); i++ {
				time.Sleep(5 * time.Millisecond)
			}
		}
	}
	return rev, err
}

// deaf is an engine on which words are not heard.
type deaf struct{ engine.Engine }

func (d *deaf) Watch(ctx context.Context, prefix string, each func(engine.Entry)) error {
	if strings.HasPrefix(prefix, wantPrefix) {
		<-ctx.Done()
		return ctx.Err()
	}
	return d.Engine.Watch(ctx, prefix, each)
}

// A word that was never heard is found all the same, and the address passed on.
func TestUnheardWord(t *testing.T) {
	h := &deaf{Engine: engine.NewMemory().Join()}
	n := joined(t, h)
	const key = "127-0-0-9"
	claims := []polite.Claim{{Key: "address 127.0.0.9", Rest: time.Millisecond}}
	eventually(t, "the address is the node's", func() bool {
		_, ok := n.addrs.Enter(claims, time.Now())
		return ok
	})
	n.addrs.Leave([]polite.Stay{{Key: claims[0].Key}}, time.Now())
	if _, err := h.Put(t.Context(), wantPrefix+n.session.Load().ID+"."+key, []byte("b-other"), 0); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is passed on", func() bool {
		n.addrs.tidy()
		e, err := h.Get(t.Context(), addrPrefix+key)
		return err == nil && strings.Contains(string(e.Value), `"for":"b-other"`)
	})
}

// joined is a node without a run.
func joined(t *testing.T, e engine.Engine) *Node {
	t.Helper()
	n, err := Join(t.Context(), Config{
		Engine: e, ID: "a", Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), Timing: Timing{TTL: 2 * time.Second, Renew: 20 * time.Millisecond, Margin: 200 * time.Millisecond},
	}, Defined{Version: definedVersion, Partitions: 4, Definition: crawl.Definition{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Leave(context.Background()) })
	return n
}

// A word that comes before the node knows that it has the address is not forgotten: the address is passed on, though the node makes no request any more.
func TestEarlyWord(t *testing.T) {
	h := &hasty{Engine: engine.NewMemory().Join()}
	n := joined(t, h)
	const key = "127-0-0-9"
	h.heard = func() bool {
		n.addrs.mu.Lock()
		defer n.addrs.mu.Unlock()
		return n.addrs.by[key] != nil && n.addrs.by[key].wanted != ""
	}
	claims := []polite.Claim{{Key: "address 127.0.0.9", Rest: time.Millisecond}}
	eventually(t, "the address is the node's", func() bool {
		_, ok := n.addrs.Enter(claims, time.Now())
		return ok
	})
	n.addrs.Leave([]polite.Stay{{Key: claims[0].Key}}, time.Now())
	eventually(t, "it is passed on", func() bool {
		n.addrs.tidy()
		e, err := h.Get(t.Context(), addrPrefix+key)
		return err == nil && strings.Contains(string(e.Value), `"for":"b-other"`)
	})
}
