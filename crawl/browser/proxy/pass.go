package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varve/crawl/collect"
	"varve/web/wire"
)

// framing are response fields that belong to the connection. Alt-Svc would send the browser past us.
var framing = map[string]bool{
	"connection": true, "keep-alive": true, "proxy-authenticate": true, "proxy-connection": true, "te": true, "trailer": true,
	"transfer-encoding": true, "upgrade": true, "content-length": true, "alt-svc": true,
}

// errCut ends a connection on an answer that was cut short.
var errCut = errors.New("the answer was cut short")

// pass gives the recorded answer to the browser, and tells whether the connection can go on.
func (l *link) pass(req *wire.Head, resp *collect.Response) (bool, error) {
	br := bufio.NewReaderSize(resp.Raw, 32<<10)
	raw, err := readHead(br, l.proxy.limits.Head)
	if err != nil {
		l.fail(502, fmt.Errorf("the recorded head: %w", err))
		return true, err
	}
	h, err := wire.ParseHead(raw)
	if err != nil {
		l.fail(502, fmt.Errorf("the recorded head: %w", err))
		return true, err
	}
	if h.Status < 200 || h.Status > 999 {
		err := fmt.Errorf("the recorded status is %d", h.Status)
		l.fail(502, err)
		return true, err
	}
	w := bufio.NewWriterSize(l.conn, 32<<10)
	a := &answer{req: req, head: &h, w: w, body: br, size: resp.Size - int64(len(raw)), cut: resp.Truncated}
	err = a.write()
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if errors.Is(err, errCut) { // told by ending the connection in the middle
		return false, nil
	}
	return err == nil, err
}

// answer is one recorded answer on its way to the browser.
type answer struct {
	req  *wire.Head
	head *wire.Head
	w    *bufio.Writer
	body io.Reader // raw
	size int64     // of the raw body
	cut  bool
}

func (a *answer) write() error {
	s := a.head.Status
	switch {
	case s == 204 || s == 304 || a.req.Method == "HEAD":
		a.start(s, a.head.Reason)
		if s != 204 {
			a.field("Content-Length", "0", a.head.Header.Get("Content-Length"))
		}
		return a.end()
	case s == 200 && a.req.Method == "GET" && a.req.Header.Has("Range") && len(a.head.Codings()) == 0 && !a.head.Chunked() && !a.cut:
		if from, to, ok := parseRange(a.req.Header.Get("Range"), a.size); ok {
			return a.part(from, to)
		}
	}
	a.start(s, a.head.Reason)
	if a.head.Chunked() {
		return a.chunks()
	}
	return a.sized()
}

// start writes the status line and the fields of the server that the browser may see.
func (a *answer) start(status int, reason string) {
	reason = strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, reason)
	fmt.Fprintf(a.w, "HTTP/1.1 %03d %s\r\n", status, reason)
	for _, f := range a.head.Header {
		if framing[strings.ToLower(f.Name)] || !isToken(f.Name) || strings.ContainsFunc(f.Value, isControl) {
			continue
		}
		a.w.WriteString(f.Name)
		a.w.WriteString(": ")
		a.w.WriteString(f.Value)
		a.w.WriteString("\r\n")
	}
}

// isToken tells whether a name is one that a field may have.
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"(),/:;<=>?@[\\]{}", c) >= 0 {
			return false
		}
	}
	return s != ""
}

// isControl tells whether a character cannot stand in a head.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// field writes a field with the value, or the usual one where it is empty.
func (a *answer) field(name, usual, value string) {
	if value == "" {
		value = usual
	}
	a.w.WriteString(name + ": " + value + "\r\n")
}

func (a *answer) end() error {
	_, err := a.w.WriteString("\r\n")
	return err
}

// sized passes a body of known length. Where it was cut, the length that the server had promised
// stands, so that the browser sees the end as the failure it is.
func (a *answer) sized() error {
	length := a.size
	if a.cut {
		promised, err := strconv.ParseInt(strings.TrimSpace(a.head.Header.Get("Content-Length")), 10, 64)
		if err != nil || promised <= length {
			promised = length + 1
		}
		length = promised
	}
	a.field("Content-Length", "", strconv.FormatInt(length, 10))
	if err := a.end(); err != nil {
		return err
	}
	if _, err := io.CopyN(a.w, a.body, a.size); err != nil {
		return err
	}
	if a.cut {
		return errCut
	}
	return nil
}

// chunks passes a chunked body in chunks of our own.
func (a *answer) chunks() error {
	a.field("Transfer-Encoding", "chunked", "")
	if err := a.end(); err != nil {
		return err
	}
	r := wire.NewChunkReader(a.body)
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			fmt.Fprintf(a.w, "%x\r\n", n)
			a.w.Write(buf[:n])
			if _, err := a.w.WriteString("\r\n"); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) && !a.cut {
			_, err := a.w.WriteString("0\r\n\r\n")
			return err
		}
		if err != nil {
			return errCut
		}
	}
}

// part passes the bytes from from to to, both included, of a whole body.
func (a *answer) part(from, to int64) error {
	a.start(206, "Partial Content")
	a.field("Content-Range", "", fmt.Sprintf("bytes %d-%d/%d", from, to, a.size))
	a.field("Content-Length", "", strconv.FormatInt(to-from+1, 10))
	if err := a.end(); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, a.body, from); err != nil {
		return err
	}
	_, err := io.CopyN(a.w, a.body, to-from+1)
	return err
}

// parseRange reads a range of bytes: first and last position. Several ranges, or none that fits,
// are not for us; the browser gets the whole then.
func parseRange(s string, size int64) (from, to int64, ok bool) {
	spec, ok := strings.CutPrefix(strings.TrimSpace(s), "bytes=")
	if !ok || strings.Contains(spec, ",") || size <= 0 {
		return 0, 0, false
	}
	first, last, ok := strings.Cut(spec, "-")
	if !ok {
		return 0, 0, false
	}
	if first == "" { // the last so many bytes
		n, err := strconv.ParseInt(last, 10, 64)
		return max(0, size-n), size - 1, err == nil && n > 0
	}
	from, err := strconv.ParseInt(first, 10, 64)
	if err != nil || from < 0 || from >= size {
		return 0, 0, false
	}
	to = size - 1
	if last != "" {
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n < from {
			return 0, 0, false
		}
		to = min(n, to)
	}
	return from, to, true
}
