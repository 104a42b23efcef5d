// Package natsd runs NATS servers with JetStream in this process, on loopback, for tests, drills and benchmarks. The product never links
// the server: it speaks to one that an operator runs.
package natsd

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options are what servers are started with.
type Options struct {
	Servers        int    // 1 or 3; 0 counts as 1
	User, Password string // where they ask for them
	NoSync         bool   // do not sync each write: for tests that are about something else
}

// Cluster is some servers that know each other.
type Cluster struct {
	dir     string
	o       Options
	ports   []int // for clients
	routes  []int
	Servers []*server.Server // nil: stopped
}

// Start starts servers that keep their things below dir, and waits until they can be used.
func Start(dir string, o Options) (*Cluster, error) {
	o.Servers = max(o.Servers, 1)
	c := &Cluster{dir: dir, o: o, Servers: make([]*server.Server, o.Servers)}
	var err error
	if c.ports, err = freePorts(2 * o.Servers); err != nil {
		return nil, err
	}
	c.ports, c.routes = c.ports[:o.Servers], c.ports[o.Servers:]
	for i := range c.Servers {
		if err := c.begin(i); err != nil {
			c.Stop()
			return nil, err
		}
	}
	if err := c.Wait(30 * time.Second); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// freePorts finds ports of loopback that nobody uses.
func freePorts(n int) ([]int, error) {
	out := make([]int, n)
	for i := range out {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		out[i] = l.Addr().(*net.TCPAddr).Port
	}
	return out, nil
}

// begin starts server i, which finds its things again.
func (c *Cluster) begin(i int) error {
	opts := &server.Options{
		ServerName: fmt.Sprintf("n%d", i+1), Host: "127.0.0.1", Port: c.ports[i], NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: filepath.Join(c.dir, fmt.Sprintf("n%d", i+1)), SyncAlways: !c.o.NoSync,
		Username: c.o.User, Password: c.o.Password, JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 8 << 30,
	}
	if c.o.Servers > 1 {
		var routes []*url.URL
		for _, p := range c.routes {
			routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", p)})
		}
		opts.Cluster, opts.Routes = server.ClusterOpts{Name: "varve", Host: "127.0.0.1", Port: c.routes[i]}, routes
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return errors.New("the NATS server does not get ready")
	}
	c.Servers[i] = s
	return nil
}

// URL is how clients reach the servers.
func (c *Cluster) URL() string {
	var out []string
	for _, p := range c.ports {
		u := url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", p)}
		if c.o.User != "" {
			u.User = url.UserPassword(c.o.User, c.o.Password)
		}
		out = append(out, u.String())
	}
	return strings.Join(out, ",")
}

// Wait waits until the servers that run have a leader among them.
func (c *Cluster) Wait(most time.Duration) error {
	for end := time.Now().Add(most); ; {
		led := c.o.Servers == 1
		for _, s := range c.Servers {
			led = led || s != nil && s.JetStreamIsLeader()
		}
		if led {
			return nil
		}
		if time.Now().After(end) {
			return errors.New("the NATS servers find no leader")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// LeaderOf returns which server leads a stream; -1: none is known to.
func (c *Cluster) LeaderOf(stream string) int {
	for i, s := range c.Servers {
		if s != nil && s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
			return i
		}
	}
	return -1
}

// Halt stops server i, as a kill would for those who use it.
func (c *Cluster) Halt(i int) {
	if s := c.Servers[i]; s != nil {
		s.Shutdown()
		s.WaitForShutdown()
		c.Servers[i] = nil
	}
}

// Again starts server i again.
func (c *Cluster) Again(i int) error { return c.begin(i) }

// Stop stops all.
func (c *Cluster) Stop() {
	for i := range c.Servers {
		c.Halt(i)
	}
}
