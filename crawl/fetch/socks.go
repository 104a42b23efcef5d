package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
)

// readWriter is what a greeting needs of a connection.
type readWriter interface {
	io.Reader
	io.Writer
}

// socks asks a SOCKS5 proxy (RFC 1928) to connect to the server: to the address that we checked,
// or by name where the proxy does the lookups.
//
//	-> 05 methods          <- 05 method
//	-> 01 user password    <- 01 00           (RFC 1929, if it wants them)
//	-> 05 01 00 address    <- 05 reply 00 address
func (p *Proxy) socks(c readWriter, t *Target, addr netip.Addr) error {
	hello := []byte{5, 1, 0}
	if p.Credentials != nil {
		hello = []byte{5, 2, 0, 2}
	}
	var answer [2]byte
	if err := ask(c, hello, answer[:]); err != nil {
		return err
	}
	if answer[0] != 5 {
		return fmt.Errorf("SOCKS: version %d in the answer", answer[0])
	}
	switch {
	case answer[1] == 0:
	case answer[1] == 2 && p.Credentials != nil:
		if err := p.socksLogin(c); err != nil {
			return err
		}
	default:
		return errors.New("SOCKS: no login that the proxy takes")
	}
	return p.socksConnect(c, t, addr)
}

func (p *Proxy) socksLogin(c readWriter) error {
	user, pass := p.Credentials.User, p.Credentials.Password
	if len(user) > 255 || len(pass) > 255 {
		return errors.New("SOCKS: name or password over 255 bytes")
	}
	b := append([]byte{1, byte(len(user))}, user...)
	b = append(append(b, byte(len(pass))), pass...)
	var answer [2]byte
	if err := ask(c, b, answer[:]); err != nil {
		return err
	}
	if answer[1] != 0 {
		return errors.New("SOCKS: login refused")
	}
	return nil
}

func (p *Proxy) socksConnect(c readWriter, t *Target, addr netip.Addr) error {
	b := []byte{5, 1, 0}
	switch {
	case addr.Is4():
		b = append(append(b, 1), addr.AsSlice()...)
	case addr.Is6():
		b = append(append(b, 4), addr.AsSlice()...)
	default:
		b = append(append(b, 3, byte(len(t.Host))), t.Host...)
	}
	b = append(b, byte(t.Port>>8), byte(t.Port))
	var head [5]byte // up to the first byte of the bound address
	if err := ask(c, b, head[:]); err != nil {
		return err
	}
	if head[0] != 5 || head[1] != 0 {
		return fmt.Errorf("SOCKS: %s", socksReply(head[1]))
	}
	rest := 2 // the port
	switch head[3] {
	case 1:
		rest += 3
	case 4:
		rest += 15
	case 3:
		rest += int(head[4])
	default:
		return fmt.Errorf("SOCKS: address type %d in the answer", head[3])
	}
	_, err := io.ReadFull(c, make([]byte, rest))
	return err
}

// ask writes and reads an answer of known length.
func ask(c readWriter, b, answer []byte) error {
	if _, err := c.Write(b); err != nil {
		return err
	}
	_, err := io.ReadFull(c, answer)
	return err
}

func socksReply(code byte) string {
	replies := [...]string{
		1: "general failure", 2: "not allowed by the rules", 3: "network unreachable", 4: "host unreachable",
		5: "connection refused", 6: "time to live expired", 7: "command not supported", 8: "address type not supported",
	}
	if int(code) < len(replies) && replies[code] != "" {
		return replies[code]
	}
	return fmt.Sprintf("reply %d", code)
}
