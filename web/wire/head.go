package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Head is the parsed start of a message. Exactly one of the two groups below is filled.
type Head struct {
	Proto  string // "HTTP/1.1", as written
	Header Header

	// Of a response.
	Status int
	Reason string

	// Of a request.
	Method string
	Target string

	Size     int       // bytes of the head with its blank line
	Problems []Problem // what was forgiven
}

// ErrNoHead is returned for bytes that do not start like an HTTP message.
var ErrNoHead = errors.New("no HTTP start line")

// HeadEnd gives the length of the head at the start of b, blank line included, or -1 if the
// blank line is not in b. Line ends may be CRLF or LF.
func HeadEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
		if i < len(b) && b[i] == '\n' {
			return i + 1
		}
		if i+1 < len(b) && b[i] == '\r' && b[i+1] == '\n' {
			return i + 2
		}
	}
}

// ParseHead parses the head at the start of b. Bytes after the blank line are left alone; a head
// that ends with b instead of a blank line is taken as it is, with a Problem.
func ParseHead(b []byte) (Head, error) {
	size := HeadEnd(b)
	complete := size >= 0
	if !complete {
		size = len(b)
	}
	text := string(b[:size])
	start, rest := cutLine(text)
	h := Head{Size: size}
	if err := h.parseStart(start); err != nil {
		return Head{}, err
	}
	h.Header, h.Problems = ParseFields(make(Header, 0, 16), rest, 2)
	if !complete {
		h.Problems = append(h.Problems, Problem{1, "head without a blank line at its end"})
	}
	return h, nil
}

// parseStart tells a status line from a request line and takes it apart.
func (h *Head) parseStart(line string) error {
	if strings.HasPrefix(line, "HTTP/") || strings.HasPrefix(line, "ICY ") {
		return h.parseStatus(line)
	}
	method, rest, ok := strings.Cut(line, " ")
	if !ok || !IsToken(method) {
		return fmt.Errorf("%w: %q", ErrNoHead, clip(line))
	}
	i := strings.LastIndexByte(rest, ' ')
	if i < 0 || !strings.HasPrefix(rest[i+1:], "HTTP/") {
		return fmt.Errorf("%w: %q", ErrNoHead, clip(line))
	}
	h.Method, h.Target, h.Proto = method, strings.TrimSpace(rest[:i]), rest[i+1:]
	return nil
}

func (h *Head) parseStatus(line string) error {
	proto, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimLeft(rest, " ")
	code, reason, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(code)
	if err != nil || n < 0 || n > 999 {
		return fmt.Errorf("%w: status %q in %q", ErrNoHead, clip(code), clip(line))
	}
	h.Proto, h.Status, h.Reason = proto, n, reason
	return nil
}

// IsResponse tells which of the two groups is filled.
func (h *Head) IsResponse() bool { return h.Method == "" }

// Chunked tells whether the body is framed in chunks.
func (h *Head) Chunked() bool {
	te := h.Header.Tokens("Transfer-Encoding")
	return len(te) > 0 && te[len(te)-1] == "chunked"
}

// Codings gives the content codings in the order they were applied.
func (h *Head) Codings() []string { return h.Header.Tokens("Content-Encoding") }

// MediaType gives the type/subtype of Content-Type in lower case without parameters, or "".
func (h *Head) MediaType() string { return MediaType(h.Header.Get("Content-Type")) }

// MediaType cuts the parameters off a Content-Type value and lowers its case.
func MediaType(v string) string {
	v, _, _ = strings.Cut(v, ";")
	return strings.ToLower(strings.TrimSpace(v))
}

// IsToken tells whether s is a token of HTTP: ASCII without controls, space and separators.
func IsToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// clip shortens hostile text for messages.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// SaysChunked tells whether the head announces chunked framing, without parsing or allocating.
func SaysChunked(head []byte) bool {
	for len(head) > 0 {
		line := head
		if i := bytes.IndexByte(head, '\n'); i >= 0 {
			line, head = head[:i], head[i+1:]
		} else {
			head = nil
		}
		const name = "transfer-encoding:"
		if len(line) > len(name) && bytes.EqualFold(line[:len(name)], []byte(name)) {
			value := bytes.TrimSpace(line[len(name):])
			const chunked = "chunked"
			return len(value) >= len(chunked) && bytes.EqualFold(value[len(value)-len(chunked):], []byte(chunked))
		}
	}
	return false
}
