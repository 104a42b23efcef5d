package realsites

import (
	"bufio"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// outside is the rest of the world for a browser that looks at an archive: every name but that of replay leads to it, and it notes who was
// called for. So nothing that leaves the archive goes unseen, by whatever way scripts try it.
type outside struct {
	listener net.Listener
	wait     sync.WaitGroup

	mu    sync.Mutex
	names []string
}

func openOutside() (*outside, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o := &outside{listener: l}
	o.wait.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			o.wait.Go(func() { o.meet(c) })
		}
	})
	return o, nil
}

// meet notes the name that a connection is for: that of its request, or of its hello if it is encrypted. Nothing is answered.
func (o *outside) meet(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	in := bufio.NewReader(c)
	first, err := in.Peek(1)
	if err != nil {
		return // nobody asked for anything
	}
	name := "a connection of unknown kind"
	if first[0] == 0x16 { // a handshake of TLS
		_ = tls.Server(hello{c, in}, &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			name = h.ServerName
			return nil, errors.New("enough")
		}}).Handshake()
	} else if r, err := http.ReadRequest(in); err == nil {
		name = r.Host
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = append(o.names, name)
}

// hello is a connection of which the first bytes were looked at.
type hello struct {
	net.Conn
	in *bufio.Reader
}

func (h hello) Read(p []byte) (int, error) { return h.in.Read(p) }

// ownCalls are the names that the browser itself calls for, whatever page it shows.
var ownCalls = []string{".google.com", ".googleapis.com", ".gvt1.com", ".gstatic.com"}

// close returns the names that were called for.
func (o *outside) close() []string {
	_ = o.listener.Close()
	o.wait.Wait()
	return slices.DeleteFunc(o.names, func(name string) bool {
		host, _, _ := strings.Cut(name, ":")
		return slices.ContainsFunc(ownCalls, func(s string) bool { return strings.HasSuffix("."+host, s) })
	})
}
