package fetch

import (
	"context"
	"crypto/x509"
	"strings"
	"testing"
	"time"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// hasty is a clock that does not wait: the servers' pauses are not what is tested here.
type hasty struct{ clock.Clock }

func (hasty) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// Each bad server of the simulated web ends with the class and truncation that it should.
func TestBadServers(t *testing.T) {
	spec, err := websim.Preset("bad")
	if err != nil {
		t.Fatal(err)
	}
	for i := range spec.Sites[0].Fault {
		if f := &spec.Sites[0].Fault[i]; f.Kind == "bomb" {
			f.Bytes = 4 << 20 // a large one takes long to make
		}
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0), Clock: hasty{clock.Real()}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cfg := Config{SpoolDir: t.TempDir(), Limits: Limits{Body: 1 << 20}}
	for _, r := range s.Resolve() {
		o, err := ParseOverride(r)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(s.CA()) {
		t.Fatal("no certificate")
	}
	cfg.TLS.Roots = roots
	patient := newClient(t, cfg)
	cfg.Timeouts.FirstByte = 50 * time.Millisecond
	hurried := newClient(t, cfg)
	for _, kind := range websim.Faults() {
		c := patient
		if kind == "hang" {
			c = hurried
		}
		for _, scheme := range []string{"http", "https"} {
			x, err := c.Fetch(t.Context(), &Request{URL: scheme + "://bad.sim.test/bad/" + kind})
			want := badServers[kind]
			if ClassOf(err) != want.class || x.Truncated != want.cut {
				t.Errorf("%s, %s: %v, truncated %q", scheme, kind, err, x.Truncated)
			}
			sent := web.Fetch(&websim.Request{Host: "bad.sim.test", Target: "/bad/" + kind, Scheme: scheme}, web.Epoch()).Wire("GET", 3<<20)
			if got := response(t, x); !strings.Contains(string(sent), got) || err == nil && len(got)+x.Extra != len(sent) && len(x.Interim) == 0 {
				t.Errorf("%s, %s: recorded %d bytes of %d, %d extra", scheme, kind, len(got), len(sent), x.Extra)
			}
			_ = x.Release()
		}
	}
}

// badServers says how each fault ends; those not listed give a whole answer.
var badServers = map[string]struct {
	class Class
	cut   Reason
}{
	"truncate":      {Disconnect, TruncatedBroken},
	"endless":       {BodyLarge, TruncatedLength},
	"broken-chunks": {Protocol, TruncatedOtherwise},
	"cut-chunks":    {Disconnect, TruncatedBroken},
	"reset":         {Reset, TruncatedBroken},
	"reset-early":   {Reset, Whole},
	"close":         {Disconnect, Whole},
	"hang":          {HeadTimeout, Whole},
	"garbage":       {Protocol, Whole},
	"header-flood":  {HeadLarge, Whole},
	"huge-header":   {HeadLarge, Whole},
}
