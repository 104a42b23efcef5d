package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"varve/web/wire"
)

// Config says how a Client behaves. Zero values mean the default named at the field.
type Config struct {
	UserAgent string      // product and contact URL; "varve"
	From      string      // mail address of the operator; not sent when empty
	Header    wire.Header // further fields of every request, in this order; they replace our Accept and Accept-Encoding

	Timeouts Timeouts
	Limits   Limits
	Pool     Pool
	DNS      DNS
	TLS      TLS

	Proxies      []ProxyRule // the first that matches a host decides; none: direct
	Overrides    []Override  // addresses by host pattern instead of DNS; these are not guarded
	AllowPrivate bool        // lets the guard pass private, loopback and link-local addresses

	Memory   int    // bytes of a response kept in memory before it goes to a file; 256 KiB
	SpoolDir string // where those files are; the system's temporary directory

	Clock  Clock  // stamps and durations of exchanges; the machine's clock
	Dialer Dialer // opens connections to addresses that passed the guard; net.Dialer
}

// Clock tells the time of an exchange. Deadlines do not use it: they belong to the sockets.
type Clock interface {
	Now() time.Time
}

// Dialer opens connections. The address is always a literal IP address with a port.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Timeouts bound each phase of a fetch.
type Timeouts struct {
	DNS       time.Duration // a name lookup; 20 s
	Connect   time.Duration // one attempt to connect to one address, and a proxy's greeting; 15 s
	TLS       time.Duration // the handshake; 20 s
	Write     time.Duration // sending the request; 30 s
	FirstByte time.Duration // from the request to the first byte of the answer; 60 s
	Idle      time.Duration // between two reads; 30 s
	Total     time.Duration // everything together; 20 min
}

// Limits bound what one answer may cost.
type Limits struct {
	Head    int           // bytes of a head; 64 KiB
	Body    int64         // bytes of a raw body; 1 GiB
	MinRate int64         // bytes per second, over each Window; 64, negative: no minimum
	Window  time.Duration // 20 s
	Interim int           // 1xx heads before the answer; 8
}

// Pool bounds the kept connections.
type Pool struct {
	PerHost int           // idle connections kept per host; 4, negative: none is kept
	Total   int           // idle connections kept at all; 512
	Idle    time.Duration // how long one is kept idle; 60 s, or less where the server says so
}

// DNS says how names are looked up.
type DNS struct {
	Servers     []string      // "ip" or "ip:port"; the system's
	MinTTL      time.Duration // answers are kept at least so long; 1 min
	MaxTTL      time.Duration // and at most so long; 6 h
	NegativeTTL time.Duration // failures are kept so long; 1 min
	Entries     int           // names kept; 65536
}

// TLS says whom to trust.
type TLS struct {
	Roots     *x509.CertPool // the system's
	AcceptBad bool           // fetch in spite of a bad certificate; the fault is recorded
	Legacy    bool           // also speak TLS 1.0 and 1.1 and weak ciphers, for old servers
	Sessions  int            // sessions kept for resumption; 1024
}

// minHead is the least useful head limit; minMemory the least spool that can hold a head.
const (
	minHead   = 512
	minMemory = 4 << 10
)

// withDefaults fills in what was left zero.
func (c Config) withDefaults() Config {
	setDefault(&c.UserAgent, "varve")
	setDefault(&c.Memory, 256<<10)
	setDefault(&c.SpoolDir, os.TempDir())
	t := &c.Timeouts
	setDefault(&t.DNS, 20*time.Second)
	setDefault(&t.Connect, 15*time.Second)
	setDefault(&t.TLS, 20*time.Second)
	setDefault(&t.Write, 30*time.Second)
	setDefault(&t.FirstByte, 60*time.Second)
	setDefault(&t.Idle, 30*time.Second)
	setDefault(&t.Total, 20*time.Minute)
	l := &c.Limits
	setDefault(&l.Head, min(64<<10, c.Memory))
	setDefault(&l.Body, 1<<30)
	setDefault(&l.MinRate, 64)
	setDefault(&l.Window, 20*time.Second)
	setDefault(&l.Interim, 8)
	setDefault(&c.Pool.PerHost, 4)
	setDefault(&c.Pool.Total, 512)
	setDefault(&c.Pool.Idle, 60*time.Second)
	setDefault(&c.DNS.MinTTL, time.Minute)
	setDefault(&c.DNS.MaxTTL, 6*time.Hour)
	setDefault(&c.DNS.NegativeTTL, time.Minute)
	setDefault(&c.DNS.Entries, 1<<16)
	setDefault(&c.TLS.Sessions, 1024)
	if c.Clock == nil {
		c.Clock = machineClock{}
	}
	if c.Dialer == nil {
		c.Dialer = &net.Dialer{KeepAlive: -1}
	}
	return c
}

func setDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}

type machineClock struct{}

func (machineClock) Now() time.Time { return time.Now() }

// validate tells all that is wrong at once.
func (c *Config) validate() error {
	var errs []error
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf("fetch: "+format, args...))
		}
	}
	t := c.Timeouts
	for _, d := range []time.Duration{t.DNS, t.Connect, t.TLS, t.Write, t.FirstByte, t.Idle, t.Total, c.Limits.Window, c.Pool.Idle} {
		bad(d < 0, "timeout of %v: must be positive", d)
	}
	bad(c.Memory < minMemory, "memory of %d bytes per response: at least %d", c.Memory, minMemory)
	bad(c.Limits.Head < minHead || c.Limits.Head > c.Memory, "head limit of %d bytes: from %d to the memory of %d", c.Limits.Head, minHead, c.Memory)
	bad(c.Limits.Body < 0, "body limit of %d bytes", c.Limits.Body)
	bad(c.Limits.Interim < 0, "%d interim heads", c.Limits.Interim)
	bad(c.DNS.MinTTL > c.DNS.MaxTTL, "DNS answers kept at least %v and at most %v", c.DNS.MinTTL, c.DNS.MaxTTL)
	bad(c.DNS.Entries < 0 || c.Pool.Total < 0, "negative bound")
	for _, f := range append(wire.Header{{Name: "User-Agent", Value: c.UserAgent}, {Name: "From", Value: c.From}}, c.Header...) {
		if err := checkField(f); err != nil {
			errs = append(errs, fmt.Errorf("fetch: %w", err))
		}
	}
	if _, err := serverAddrs(c.DNS.Servers); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
