package fetch

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
)

// HTTP/2 is for servers that refuse HTTP/1.1: over TLS they answer the handshake with "no
// application protocol", or choose none and hang up at the request; in the clear they answer with
// a frame; either may say 426 or 505. The
// request is then made again over HTTP/2, on a connection dialled and guarded like any other, and
// the host is remembered.

// h2Hosts remembers who refused HTTP/1.1: true where HTTP/2 worked, false where it did not either.
type h2Hosts struct {
	mu    sync.RWMutex
	hosts map[hostPort]bool
}

type hostPort struct {
	host string
	port uint16
}

// maxH2Hosts bounds the memory; forgetting a host costs one more refusal.
const maxH2Hosts = 10_000

func (h *h2Hosts) get(host string, port uint16) (works, known bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if len(h.hosts) == 0 {
		return false, false
	}
	works, known = h.hosts[hostPort{host, port}]
	return works, known
}

func (h *h2Hosts) set(host string, port uint16, works bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hosts == nil || len(h.hosts) >= maxH2Hosts {
		h.hosts = map[hostPort]bool{}
	}
	h.hosts[hostPort{host, port}] = works
}

// noProtocol is how the library writes alert 120; it exports no value to compare with.
const noProtocol = "no application protocol"

// wantsH2 tells whether the server refused HTTP/1.1.
func (k *call) wantsH2(err error) bool {
	x := k.x
	switch {
	case k.proxy != nil && k.proxy.absolute() && !k.target.TLS:
		return false // the proxy chooses what it speaks with the server
	case classIn(err) == BadTLS:
		return strings.Contains(err.Error(), noProtocol)
	case x.Head.Status == 505:
		return true
	case x.Head.Status == 426:
		for _, p := range x.Head.Header.Tokens("Upgrade") {
			if strings.HasPrefix(p, "h2") || strings.HasPrefix(p, "http/2") {
				return true
			}
		}
	case classIn(err) == Protocol && x.Head.Status == 0:
		return isFrame(x.Response.mem)
	case err != nil && k.cn != nil && x.TLS != nil:
		return x.TLS.ALPN == "" && k.silentEnd(err) && !x.Reused
	}
	return false
}

// isFrame tells whether bytes start with an HTTP/2 frame that opens or ends a connection:
// SETTINGS (4) or GOAWAY (7) on stream 0, its length in the first three bytes.
func isFrame(b []byte) bool {
	return len(b) >= 9 && b[0] == 0 && (b[3] == 4 && b[4] <= 1 || b[3] == 7) &&
		b[5] == 0 && b[6] == 0 && b[7] == 0 && b[8] == 0
}

// tryH2 makes the request again over HTTP/2. If that does not work, the refusal stands.
func (k *call) tryH2(refused error) error {
	first, tally := *k.x, k.x.pieces.tally
	k.x.Response = Spool{bound: first.Response.bound, pool: first.Response.pool, dir: first.Response.dir}
	k.x.pieces.tally = newTally()
	k.restart()
	err := k.runH2()
	works := err == nil || k.x.Head.Status != 0
	k.client.h2.set(k.target.Host, k.target.Port, works)
	if works {
		k.x.note("HTTP/1.1 was refused")
		_ = first.Response.Close()
		return err
	}
	_ = k.x.Response.Close()
	*k.x = first
	k.x.pieces.tally = tally
	return refused
}

// runH2 exchanges the request over HTTP/2.
func (k *call) runH2() error {
	key := connKey{host: k.target.Host, port: k.target.Port, tls: k.target.TLS, proxy: k.proxy, h2: true}
	c := k.kept(key)
	if c == nil {
		var err error
		if c, err = k.openH2(key); err != nil {
			return err
		}
	}
	k.use(c)
	c.used = true
	if err := k.speakH2(c); err != nil {
		c.close()
		return err
	}
	k.client.pool.put(c)
	return nil
}

// openH2 dials and gives the connection to the standard library's HTTP/2, as if it were plain:
// TLS, where there is any, is done already.
func (k *call) openH2(key connKey) (*conn, error) {
	c, err := k.open(key)
	if err != nil {
		return nil, err
	}
	if c.tls != nil && c.tls.ALPN != "h2" {
		c.close()
		return nil, faultf(Protocol, "no HTTP/2 either")
	}
	var only http.Protocols
	only.SetUnencryptedHTTP2(true)
	t := &http.Transport{
		Protocols: &only, DisableCompression: true,
		MaxResponseHeaderBytes: int64(k.limits.Head),
		DialContext:            func(context.Context, string, string) (net.Conn, error) { return c.nc, nil },
	}
	if c.h2, err = t.NewClientConn(k.ctx, "http", c.addr.String()); err != nil {
		c.close()
		return nil, as(Protocol, err)
	}
	return c, nil
}
