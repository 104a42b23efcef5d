package proxy

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"varve/web/wire"
)

// link is one connection of the browser: directly, or inside a tunnel to a host.
type link struct {
	proxy  *Proxy
	conn   net.Conn
	br     *bufio.Reader
	origin string // scheme and host of a tunnel; "" outside of one
}

// serve answers the requests on a connection until it ends.
func (p *Proxy) serve(c net.Conn) {
	l := &link{proxy: p, conn: c, br: bufio.NewReaderSize(c, 8<<10)}
	for l.next() {
	}
}

// next answers one request, and tells whether another may follow.
func (l *link) next() bool {
	l.conn.SetDeadline(time.Now().Add(l.proxy.limits.Idle))
	head, err := readHead(l.br, l.proxy.limits.Head)
	if err != nil {
		if errors.Is(err, errHeadLarge) {
			l.fail(431, err)
		}
		return false
	}
	l.conn.SetDeadline(time.Time{})
	h, err := wire.ParseHead(head)
	if err != nil || h.IsResponse() {
		l.fail(400, errors.New("this is no request"))
		return false
	}
	if h.Method == "CONNECT" {
		return l.tunnel(h.Target)
	}
	url, ok := l.url(&h)
	if !ok {
		l.fail(400, errors.New("this is the proxy of a crawl's browser"))
		return false
	}
	if h.Header.Get("Upgrade") != "" {
		return l.upgrade(&h, url)
	}
	return l.ask(&h, url)
}

// url makes the absolute URL of a request.
func (l *link) url(h *wire.Head) (string, bool) {
	if l.origin != "" {
		if !strings.HasPrefix(h.Target, "/") {
			return "", false
		}
		return l.origin + h.Target, true
	}
	return h.Target, strings.HasPrefix(h.Target, "http://")
}

// upgrade refuses to change the protocol, and notes a WebSocket.
func (l *link) upgrade(h *wire.Head, url string) bool {
	if t := l.proxy.current(); t != nil && strings.EqualFold(h.Header.Get("Upgrade"), "websocket") {
		t.socket("ws" + strings.TrimPrefix(url, "http"))
	}
	l.fail(501, errors.New("no other protocol is spoken here"))
	return false
}

// tunnel takes the place of the server at the far end of a CONNECT.
func (l *link) tunnel(target string) bool {
	host, port, err := net.SplitHostPort(target)
	if err != nil || host == "" || l.origin != "" || strings.ContainsAny(target, "/\\@ ") {
		l.fail(400, errors.New("want CONNECT host:port"))
		return false
	}
	if l.br.Buffered() > 0 { // a client that speaks before it is asked to
		return false
	}
	if _, err := io.WriteString(l.conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return false
	}
	l.conn.SetDeadline(time.Now().Add(l.proxy.limits.Idle))
	first, err := l.br.Peek(1)
	if err != nil {
		return false
	}
	shown := host
	if strings.Contains(host, ":") {
		shown = "[" + host + "]"
	}
	if first[0] != 0x16 { // a plain WebSocket
		l.origin = "http://" + shown + portUnless(port, 80)
		return true
	}
	secure := tls.Server(&peeked{l.conn, l.br}, &tls.Config{
		NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return l.proxy.authority.Certificate(host) },
	})
	if secure.Handshake() != nil {
		return false
	}
	l.conn, l.br, l.origin = secure, bufio.NewReaderSize(secure, 8<<10), "https://"+shown+portUnless(port, 443)
	return true
}

func portUnless(port string, usual int) string {
	if port == strconv.Itoa(usual) {
		return ""
	}
	return ":" + port
}

// peeked is a connection whose first bytes are in a buffer.
type peeked struct {
	net.Conn
	br *bufio.Reader
}

// Read gives what is in the buffer, and then what comes.
func (c *peeked) Read(p []byte) (int, error) { return c.br.Read(p) }

var errHeadLarge = errors.New("head too large")

// readHead reads up to and with the blank line.
func readHead(br *bufio.Reader, limit int) ([]byte, error) {
	var head []byte
	for {
		line, err := br.ReadSlice('\n')
		if len(head)+len(line) > limit {
			return nil, errHeadLarge
		}
		head = append(head, line...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return head, err
		}
		if n := len(head); n > 2 && (string(head[n-2:]) == "\n\n" || n > 3 && string(head[n-4:]) == "\r\n\r\n") {
			return head, nil
		}
	}
}

// fail answers with an error of our own. It is marked, so that nobody takes it for the server's.
func (l *link) fail(status int, why error) {
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, why.Error())
	text = text[:min(len(text), 300)]
	fmt.Fprintf(l.conn, "HTTP/1.1 %d Varve\r\nX-Varve-Failed: %s\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\nContent-Length: %d\r\n\r\n%s", status, text, len(text), text)
}
