package fetch

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer is a DNS server on loopback, UDP and TCP on one port.
type nameServer struct {
	addr    string
	asked   atomic.Int32
	hold    chan struct{}                                             // answers wait for it, if set
	answer  func(q dnsmessage.Question) ([]dnsmessage.Resource, bool) // false: no such name
	cutUDP  bool                                                      // answers over UDP are cut, so that TCP is used
	viaTCP  atomic.Int32
	serving sync.WaitGroup
}

func startNameServer(t *testing.T, s *nameServer) *nameServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	u, err := net.ListenPacket("udp", s.addr)
	if err != nil {
		l.Close()
		t.Skipf("no UDP port beside the TCP port: %v", err)
	}
	s.serving.Go(func() { s.serveUDP(u) })
	s.serving.Go(func() { s.serveTCP(l) })
	t.Cleanup(func() {
		l.Close()
		u.Close()
		s.serving.Wait()
	})
	return s
}

func (s *nameServer) serveUDP(u net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		n, from, err := u.ReadFrom(buf)
		if err != nil {
			return
		}
		s.asked.Add(1)
		if s.hold != nil {
			<-s.hold
		}
		_, _ = u.WriteTo(s.reply(buf[:n], s.cutUDP), from)
	}
}

func (s *nameServer) serveTCP(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		s.viaTCP.Add(1)
		var size [2]byte
		_, _ = io.ReadFull(c, size[:])
		msg := make([]byte, binary.BigEndian.Uint16(size[:]))
		_, _ = io.ReadFull(c, msg)
		out := s.reply(msg, false)
		_, _ = c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), out...))
		c.Close()
	}
}

func (s *nameServer) reply(msg []byte, cut bool) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(msg); err != nil {
		return nil
	}
	m.Response, m.Additionals, m.RecursionAvailable = true, nil, true
	records, ok := s.answer(m.Questions[0])
	if !ok {
		m.RCode = dnsmessage.RCodeNameError
	} else if m.Truncated = cut; !cut {
		m.Answers = records
	}
	out, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return out
}

// record makes an A, AAAA or CNAME record from its text.
func record(name string, ttl uint32, data string) dnsmessage.Resource {
	h := dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(name), Class: dnsmessage.ClassINET, TTL: ttl}
	a, err := netip.ParseAddr(data)
	switch {
	case err != nil:
		return dnsmessage.Resource{Header: h, Body: &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(data)}}
	case a.Is4():
		return dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: a.As4()}}
	}
	return dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}}
}

// zone answers from a table of A records and knows one alias.
func zone(q dnsmessage.Question) ([]dnsmessage.Resource, bool) {
	name := q.Name.String()
	if name == "none.sim.test." {
		return nil, false
	}
	if q.Type != dnsmessage.TypeA {
		return nil, true
	}
	switch name {
	case "www.sim.test.":
		return []dnsmessage.Resource{record(name, 3600, "host.sim.test."), record("host.sim.test.", 300, "192.0.32.7"), record("host.sim.test.", 300, "192.0.32.8")}, true
	case "evil.sim.test.":
		return []dnsmessage.Resource{record(name, 0, "127.0.0.1")}, true
	case "mixed.sim.test.":
		return []dnsmessage.Resource{record(name, 300, "10.0.0.1"), record(name, 300, "192.0.32.9")}, true
	}
	return nil, false
}

func TestLookup(t *testing.T) {
	for _, cut := range []bool{false, true} {
		s := startNameServer(t, &nameServer{answer: zone, cutUDP: cut})
		c := newClient(t, Config{DNS: DNS{Servers: []string{s.addr}}})
		a, err := c.Resolve(t.Context(), "WWW.sim.test")
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Addrs) != 2 || a.TTL != 300*time.Second || a.Server != s.addr {
			t.Errorf("%+v", a)
		}
		want := a.Time.UTC().Format("20060102150405") + "\n" +
			"www.sim.test.\t3600\tIN\tCNAME\thost.sim.test.\n" +
			"host.sim.test.\t300\tIN\tA\t192.0.32.7\n" +
			"host.sim.test.\t300\tIN\tA\t192.0.32.8\n"
		if got := string(a.Text()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		asked := s.asked.Load()
		again, err := c.Resolve(t.Context(), "www.sim.test.")
		if err != nil || again != a || s.asked.Load() != asked {
			t.Errorf("not cached: %p %p %v", a, again, err)
		}
		if cut == (s.viaTCP.Load() == 0) {
			t.Errorf("cut %v, %d over TCP", cut, s.viaTCP.Load())
		}
	}
}

func TestLookupFails(t *testing.T) {
	s := startNameServer(t, &nameServer{answer: zone})
	c := newClient(t, Config{DNS: DNS{Servers: []string{s.addr}}})
	for range 3 {
		x, err := c.Fetch(t.Context(), &Request{URL: "http://none.sim.test/"})
		if ClassOf(err) != NoName {
			t.Error(err)
		}
		_ = x.Release()
	}
	if n := s.asked.Load(); n > 2 { // A and AAAA
		t.Errorf("asked %d times", n)
	}
}

// Many ask at once: one lookup. The first gives up: the others still get their answer.
func TestLookupOnce(t *testing.T) {
	s := startNameServer(t, &nameServer{answer: zone, hold: make(chan struct{})})
	c := newClient(t, Config{DNS: DNS{Servers: []string{s.addr}}})
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() { _, err := c.Resolve(ctx, "www.sim.test"); first <- err }()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if a, err := c.Resolve(t.Context(), "www.sim.test"); err != nil || len(a.Addrs) != 2 {
				t.Error(err)
			}
		})
	}
	cancel()
	if err := <-first; err == nil {
		t.Log("the first had its answer already")
	}
	close(s.hold)
	all.Wait()
	if n := s.asked.Load(); n > 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestLookupBounds(t *testing.T) {
	s := startNameServer(t, &nameServer{answer: func(q dnsmessage.Question) ([]dnsmessage.Resource, bool) {
		if q.Type != dnsmessage.TypeA {
			return nil, true
		}
		return []dnsmessage.Resource{record(q.Name.String(), 1, "192.0.32.7")}, true
	}})
	c := newClient(t, Config{DNS: DNS{Servers: []string{s.addr}, Entries: 8}})
	for i := range 40 {
		if _, err := c.Resolve(t.Context(), strings.Repeat("a", i+1)+".sim.test"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.dns.entries); n > 8 {
		t.Errorf("%d entries kept", n)
	}
}

// The guard judges what a name resolves to.
func TestRebinding(t *testing.T) {
	s := startNameServer(t, &nameServer{answer: zone})
	p := &pipes{serve: func(_ int, c net.Conn) { play(c, plain) }}
	cfg := quick()
	cfg.DNS.Servers, cfg.Dialer = []string{s.addr}, p
	c := newClient(t, cfg)
	x, err := c.Fetch(t.Context(), &Request{URL: "http://evil.sim.test/"})
	if ClassOf(err) != Guarded {
		t.Error(err)
	}
	_ = x.Release()
	x, err = c.Fetch(t.Context(), &Request{URL: "http://mixed.sim.test/"})
	if err != nil || x.DNS == nil || x.DNS.Host != "mixed.sim.test" || x.Remote.String() != "192.0.32.9:80" {
		t.Errorf("%v %v", err, x.Remote)
	}
	_ = x.Release()
	if len(p.addrs) != 1 {
		t.Errorf("dialled %v", p.addrs)
	}
	c.Close()
	p.all.Wait()
}

// The next address is tried when one does not answer, and remembered.
func TestAddressesInTurn(t *testing.T) {
	s := startNameServer(t, &nameServer{answer: zone})
	cfg := quick()
	p := &pipes{serve: func(_ int, c net.Conn) { play(c, plain, errHangUp) }}
	d := &pickyDialer{pipes: p}
	cfg.DNS.Servers, cfg.Dialer = []string{s.addr}, d
	c := newClient(t, cfg)
	for range 2 {
		x, err := c.Fetch(t.Context(), &Request{URL: "http://www.sim.test/"})
		if err != nil {
			t.Fatal(err)
		}
		_ = x.Release()
		c.pool.close() // the next one dials again
		c.pool = newPool(c.cfg.Pool)
	}
	if d.refused != 1 {
		t.Errorf("%d refused", d.refused)
	}
	c.Close()
	p.all.Wait()
}

// pickyDialer refuses the first address it is asked for, for good.
type pickyDialer struct {
	*pipes
	bad     string
	refused int
}

func (d *pickyDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if d.bad == "" {
		d.bad = address
	}
	if address == d.bad {
		d.refused++
		return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
	}
	return d.pipes.DialContext(ctx, network, address)
}

func FuzzRecords(f *testing.F) {
	m := dnsmessage.Message{Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName("a.test."), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}}}
	m.Answers = []dnsmessage.Resource{record("a.test.", 60, "b.test."), record("b.test.", 60, "192.0.32.7"), record("b.test.", 60, "2606:4700::1")}
	msg, err := m.Pack()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(msg)
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, r := range parseRecords(msg) {
			if r.Name == "" || r.Data == "" || len(r.Data) > 300 {
				t.Errorf("%+v", r)
			}
		}
	})
}

func TestParseOverride(t *testing.T) {
	for in, want := range map[string]Override{
		"*.sim.test=127.0.0.1:8080":     {Pattern: "*.sim.test", Addr: netip.MustParseAddr("127.0.0.1"), ToPort: 8080},
		"*.SIM.test:443=127.0.0.1:8443": {Pattern: "*.sim.test", Port: 443, Addr: netip.MustParseAddr("127.0.0.1"), ToPort: 8443},
		"a.test=::1":                    {Pattern: "a.test", Addr: netip.IPv6Loopback()},
		"a.test=[::1]":                  {Pattern: "a.test", Addr: netip.IPv6Loopback()},
		"*=[::1]:80":                    {Pattern: "*", Addr: netip.IPv6Loopback(), ToPort: 80},
	} {
		if got, err := ParseOverride(in); err != nil || got != want {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "a.test", "a.test=", "=127.0.0.1", "a.test=name", "a*b=127.0.0.1", "a:x=127.0.0.1", "*.=1.2.3.4", "a=1.2.3.4:99999"} {
		if o, err := ParseOverride(in); err == nil {
			t.Errorf("%q: %+v", in, o)
		}
	}
}

func TestOverride(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) { play(c, plain) })
	o, err := ParseOverride("*.sim.test=" + addr.String())
	if err != nil {
		t.Fatal(err)
	}
	cfg := quick()
	cfg.Overrides = []Override{o}
	c := newClient(t, cfg)
	for range 2 {
		x, err := c.Fetch(t.Context(), &Request{URL: "http://deep.a.sim.test:1234/"})
		if err != nil || x.Remote != addr || !strings.Contains(string(x.RequestBytes), "Host: deep.a.sim.test:1234\r\n") {
			t.Errorf("%v, %v, %q", err, x.Remote, x.RequestBytes)
		}
		_ = x.Release()
	}
	if a, err := c.Resolve(t.Context(), "b.sim.test"); err != nil || a.Addrs[0] != addr.Addr() {
		t.Errorf("%v %v", a, err)
	}
}
