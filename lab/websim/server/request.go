package server

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"varve/lab/websim"
)

const (
	maxHead   = 64 << 10
	maxFields = 200
	maxBody   = 16 << 20
)

// errHead is any fault of a request head.
var errHead = errors.New("bad request")

// errLarge is a head beyond the limit.
var errLarge = fmt.Errorf("%w: head of more than %d bytes", errHead, maxHead)

// parsed is a request head and what it says about the connection.
type parsed struct {
	websim.Request
	length   int64 // of the body
	expect   bool  // the client waits for 100 Continue
	chunked  bool
	absolute bool // the target was a whole URL, as to a proxy
}

// parseHead reads a request head without its empty line (RFC 9112). All strings share one copy of
// the head.
func parseHead(raw []byte, p *parsed) error {
	head := string(bytes.TrimLeft(raw, "\r\n"))
	line, rest, _ := strings.Cut(head, "\n")
	method, after, ok1 := strings.Cut(strings.TrimSuffix(line, "\r"), " ")
	target, proto, ok2 := strings.Cut(after, " ")
	if !ok1 || !ok2 || method == "" || target == "" || !strings.HasPrefix(proto, "HTTP/1.") || strings.Contains(target, " ") {
		return fmt.Errorf("%w: request line %.80q", errHead, line)
	}
	p.Request = websim.Request{Method: method, Target: target, Header: p.Header[:0]}
	p.length, p.expect, p.chunked, p.absolute = 0, false, false, false
	p.Close = proto == "HTTP/1.0"
	for rest != "" {
		line, rest, _ = strings.Cut(rest, "\n")
		if line = strings.TrimSuffix(line, "\r"); line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") || len(p.Header) >= maxFields {
			return fmt.Errorf("%w: header line %.80q", errHead, line)
		}
		if err := p.field(name, strings.Trim(value, " \t")); err != nil {
			return err
		}
	}
	return p.proxy()
}

// field notes one header field and what it means for the connection.
func (p *parsed) field(name, value string) error {
	p.Header = append(p.Header, websim.Field{Name: name, Value: value})
	switch len(name) {
	case 4:
		if strings.EqualFold(name, "Host") {
			p.Host = value
		}
	case 6:
		if strings.EqualFold(name, "Expect") {
			p.expect = strings.EqualFold(value, "100-continue")
		}
	case 10:
		if strings.EqualFold(name, "Connection") {
			p.Close = strings.EqualFold(value, "close") || p.Close && !strings.EqualFold(value, "keep-alive")
		}
	case 14:
		if strings.EqualFold(name, "Content-Length") {
			n, err := strconv.ParseUint(value, 10, 62)
			if err != nil {
				return fmt.Errorf("%w: length %.80q", errHead, value)
			}
			p.length = int64(n)
		}
	case 17:
		if strings.EqualFold(name, "Transfer-Encoding") {
			p.chunked = true
		}
	}
	return nil
}

// proxy takes a whole URL in the request line apart, as clients send it to a proxy.
func (p *parsed) proxy() error {
	if strings.HasPrefix(p.Target, "/") || p.Target == "*" {
		return nil
	}
	scheme, rest, ok := strings.Cut(p.Target, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return fmt.Errorf("%w: target %.80q", errHead, p.Target)
	}
	host, path, _ := strings.Cut(rest, "/")
	p.Scheme, p.Host, p.Target, p.absolute = scheme, host, "/"+path, true
	return nil
}
