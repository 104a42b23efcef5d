package fetch

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// dnsTap reads along on the connections of one lookup: each message from a server is kept as
// evidence, and its records give the time to live.
type dnsTap struct {
	servers []string // instead of the system's, in turn
	next    atomic.Uint32

	mu      sync.Mutex
	server  string
	records []DNSRecord
}

// dial opens the connection that the resolver asks for and taps it. The resolver tells packet
// connections from streams by their methods, so each kind has its own wrapper.
func (t *dnsTap) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if len(t.servers) > 0 {
		address = t.servers[int(t.next.Add(1)-1)%len(t.servers)]
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if u, ok := c.(*net.UDPConn); ok {
		return &packetTap{u, t, address}, nil
	}
	return &streamTap{Conn: c, tap: t, server: address}, nil
}

// message keeps the records of one message.
func (t *dnsTap) message(msg []byte, server string) {
	records := parseRecords(msg)
	if len(records) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.server = server
	for _, r := range records {
		if !t.has(r) && len(t.records) < maxRecords {
			t.records = append(t.records, r)
		}
	}
}

// has tells whether the same record came before: the A and AAAA answers share their aliases.
func (t *dnsTap) has(r DNSRecord) bool {
	for _, o := range t.records {
		if o.Name == r.Name && o.Type == r.Type && o.Data == r.Data {
			return true
		}
	}
	return false
}

// fill gives the answer its evidence. It lives as long as the shortest-lived of its records.
func (t *dnsTap) fill(a *Answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.records) == 0 {
		return
	}
	a.Server, a.Records = t.server, t.records
	for i, r := range t.records {
		if ttl := time.Duration(r.TTL) * time.Second; i == 0 || ttl < a.TTL {
			a.TTL = ttl
		}
	}
}

type packetTap struct {
	*net.UDPConn
	tap    *dnsTap
	server string
}

func (c *packetTap) Read(p []byte) (int, error) {
	n, err := c.UDPConn.Read(p)
	c.tap.message(p[:n], c.server)
	return n, err
}

// streamTap collects the messages of a TCP connection: each has its length in two bytes before it.
type streamTap struct {
	net.Conn
	tap    *dnsTap
	server string
	buf    []byte
}

func (c *streamTap) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.buf = append(c.buf, p[:n]...)
	for len(c.buf) >= 2 {
		size := int(c.buf[0])<<8 | int(c.buf[1])
		if len(c.buf) < 2+size {
			break
		}
		c.tap.message(c.buf[2:2+size], c.server)
		c.buf = c.buf[2+size:]
	}
	return n, err
}
