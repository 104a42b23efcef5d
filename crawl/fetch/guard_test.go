package fetch

import (
	"net"
	"net/netip"
	"testing"

	"varve/lab/attack"
)

func TestClassify(t *testing.T) {
	for addr, want := range map[string]Range{
		"0.0.0.0": Unspecified, "0.1.2.3": Unspecified, "1.0.0.0": Public, "8.8.8.8": Public,
		"9.255.255.255": Public, "10.0.0.0": Private, "10.255.255.255": Private, "11.0.0.0": Public,
		"100.63.255.255": Public, "100.64.0.0": Shared, "100.127.255.255": Shared, "100.128.0.0": Public, "100.100.100.200": Metadata,
		"126.255.255.255": Public, "127.0.0.1": Loopback, "127.255.255.255": Loopback, "128.0.0.0": Public,
		"168.63.129.15": Public, "168.63.129.16": Metadata,
		"169.253.255.255": Public, "169.254.0.0": LinkLocal, "169.254.169.254": Metadata, "169.254.170.2": Metadata, "169.255.0.0": Public,
		"172.15.255.255": Public, "172.16.0.0": Private, "172.31.255.255": Private, "172.32.0.0": Public,
		"192.0.0.1": Reserved, "192.0.0.192": Metadata, "192.0.1.0": Public, "192.0.2.1": Documentation, "192.0.3.0": Public,
		"192.88.99.1": Reserved, "192.167.255.255": Public, "192.168.0.0": Private, "192.168.255.255": Private, "192.169.0.0": Public,
		"198.17.255.255": Public, "198.18.0.0": Benchmark, "198.19.255.255": Benchmark, "198.20.0.0": Public,
		"198.51.100.9": Documentation, "203.0.113.9": Documentation,
		"223.255.255.255": Public, "224.0.0.1": Multicast, "239.255.255.255": Multicast, "240.0.0.1": Reserved, "255.255.255.255": Reserved,

		"::": Unspecified, "::1": Loopback, "::2": Reserved, "::7f00:1": Reserved, "::8.8.8.8": Reserved,
		"::ffff:127.0.0.1": Loopback, "::ffff:10.1.2.3": Private, "::ffff:8.8.8.8": Public, "::ffff:169.254.169.254": Metadata,
		"64:ff9b::7f00:1": Loopback, "64:ff9b::808:808": Public, "64:ff9b::a9fe:a9fe": Metadata, "64:ff9b:1::808:808": Reserved,
		"100::1": Reserved, "1fff::1": Reserved, "2000::1": Public,
		"2001::1": Reserved, "2001:0:4136:e378:8000:63bf:3fff:fdd2": Reserved, "2001:2::1": Benchmark, "2001:10::1": Reserved, "2001:1ff::1": Reserved, "2001:200::1": Public,
		"2001:db8::1": Documentation, "2001:4860:4860::8888": Public, "2606:4700::1111": Public,
		"2002:7f00:1::1": Loopback, "2002:a00:1::": Private, "2002:c0a8:101::1": Private, "2002:808:808::1": Public, "2002:a9fe:a9fe::": Metadata,
		"2001:470::5efe:a00:1": Private, "2001:470::200:5efe:7f00:1": Loopback, "2001:470::5efe:808:808": Public,
		"3fff::1": Documentation, "3ffe::1": Public, "4000::1": Reserved, "4000::5efe:808:808": Reserved, "5f00::1": Reserved,
		"fc00::1": Private, "fd12:3456::1": Private, "fd00:ec2::254": Metadata, "fd20:ce::254": Metadata,
		"fe80::1": LinkLocal, "fe80::1%eth0": LinkLocal, "febf::1": LinkLocal, "fec0::1": Private, "ff02::1": Multicast,
	} {
		if got := Classify(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
	if got := Classify(netip.Addr{}); got != Reserved {
		t.Errorf("zero address: %s", got)
	}
}

func TestGuard(t *testing.T) {
	tally := attack.Count(t)
	for _, tt := range []struct {
		addr                    string
		allowPrivate, allowLoop bool
		pass                    bool
	}{
		{"8.8.8.8:80", false, false, true},
		{"8.8.8.8:25", false, false, false},
		{"8.8.8.8:0", false, false, false},
		{"127.0.0.1:80", false, false, false},
		{"127.0.0.1:80", false, true, true},
		{"127.0.0.1:22", false, true, false},
		{"[::1]:80", false, true, true},
		{"[::ffff:127.0.0.1]:80", false, true, true},
		{"10.0.0.1:80", false, true, false},
		{"0.0.0.0:80", false, true, false},
		{"10.0.0.1:80", true, false, true},
		{"127.0.0.1:80", true, false, true},
		{"[fe80::1]:80", true, false, true},
		{"169.254.169.254:80", true, true, false},
		{"[::ffff:169.254.169.254]:80", true, true, false},
		{"0.0.0.0:80", true, true, false},
		{"224.0.0.1:80", true, true, false},
	} {
		if !tt.pass {
			tally.Try(1)
		}
		err := guard{tt.allowPrivate}.check(netip.MustParseAddrPort(tt.addr), tt.allowLoop)
		if (err == nil) != tt.pass {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// A request that may not reach loopback must not travel on a connection that another one, which
// may, has left in the pool.
func TestGuardOnKeptConnection(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	addr := listen(t, func(_ int, c net.Conn) { play(c, plain) })
	c := newClient(t, quick())
	r := &Request{URL: "http://" + addr.String() + "/"}
	if _, err := get(t, c, r); err != nil {
		t.Fatal(err)
	}
	r.AllowLoopback = false
	x, err := c.Fetch(t.Context(), r)
	if ClassOf(err) != Guarded {
		t.Errorf("reached loopback: %v", err)
	}
	_ = x.Release()
}

// All ways to write loopback are loopback, whatever the client has to do to find out.
func TestGuardedURLs(t *testing.T) {
	tally := attack.Count(t)
	p := &pipes{serve: func(_ int, c net.Conn) { play(c, plain) }}
	cfg := quick()
	cfg.Dialer = p
	c := newClient(t, cfg)
	for _, url := range []string{
		"http://127.0.0.1/", "http://[::1]/", "http://[::ffff:7f00:1]/", "http://localhost/", "http://a.localhost./", "https://LOCALHOST/",
		"http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[64:ff9b::a9fe:a9fe]/", "http://0.0.0.0/", "http://192.0.32.7:25/",
	} {
		tally.Try(1)
		x, err := c.Fetch(t.Context(), &Request{URL: url})
		if ClassOf(err) != Guarded {
			t.Errorf("%s: %v", url, err)
		}
		_ = x.Release()
	}
	if p.count > 0 {
		t.Errorf("dialled %v", p.addrs)
	}
}
