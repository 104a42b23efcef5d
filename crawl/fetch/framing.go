package fetch

import (
	"strconv"
	"strings"
	"time"

	"varve/web/wire"
)

// framing says where the raw body ends.
type framing struct {
	kind  framingKind
	size  int64 // of byLength
	other int64 // of byLength: a second, smaller length that the head also gave, or -1
}

type framingKind uint8

const (
	noBody framingKind = iota
	byLength
	byChunks
	byClose
)

// frame decides the framing of an answer (RFC 9112, 6.3), forgiving where bytes can be saved, and
// tells whether the connection may live on after it.
func frame(method string, h *wire.Head, note func(string)) (f framing, keep bool) {
	keep = keepsAlive(h)
	if method == "HEAD" || h.Status == 204 || h.Status == 304 {
		return framing{kind: noBody}, keep
	}
	te, hasTE := h.Header.Lookup("Transfer-Encoding")
	if hasTE && strings.EqualFold(te, "identity") {
		hasTE = false
	}
	if hasTE {
		if h.Header.Has("Content-Length") {
			note("both Content-Length and Transfer-Encoding")
			keep = false // the two ends may not agree on where the message ends
		}
		if h.Chunked() {
			return framing{kind: byChunks}, keep
		}
		note("Transfer-Encoding without chunked at its end")
		return framing{kind: byClose}, false
	}
	if f, ok := frameByLength(h, note); ok {
		return f, keep && f.other < 0
	}
	return framing{kind: byClose}, false
}

// frameByLength reads Content-Length. Differing values are both kept: which one is meant shows
// when the bytes stop coming.
func frameByLength(h *wire.Head, note func(string)) (framing, bool) {
	f := framing{kind: byLength, size: -1, other: -1}
	for _, field := range h.Header {
		if !strings.EqualFold(field.Name, "Content-Length") {
			continue
		}
		for rest, more := field.Value, true; more; {
			var v string
			v, rest, more = strings.Cut(rest, ",")
			n, ok := parseLength(strings.TrimSpace(v))
			switch {
			case !ok:
				note("Content-Length is no number: " + strconv.Quote(clip(field.Value)))
				return framing{}, false
			case f.size < 0 || n == f.size:
				f.size = n
			default:
				note("Content-Length values differ")
				f.size, f.other = max(f.size, n), min(f.size, n)
			}
		}
	}
	return f, f.size >= 0
}

// parseLength takes digits only: no sign, no space.
func parseLength(s string) (int64, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// keepsAlive tells whether the server will take another request on this connection.
func keepsAlive(h *wire.Head) bool {
	keep := h.Proto != "HTTP/1.0" && strings.HasPrefix(h.Proto, "HTTP/1.")
	for i := range h.Header {
		if !strings.EqualFold(h.Header[i].Name, "Connection") {
			continue
		}
		if hasToken(h.Header[i].Value, "close") {
			return false
		}
		if h.Proto == "HTTP/1.0" && hasToken(h.Header[i].Value, "keep-alive") {
			keep = true
		}
	}
	return keep
}

// hasToken looks for a member of a comma-separated list.
func hasToken(list, token string) bool {
	for more := true; more; {
		var part string
		part, list, more = strings.Cut(list, ",")
		if strings.EqualFold(strings.TrimSpace(part), token) {
			return true
		}
	}
	return false
}

// idleTime reads "Keep-Alive: timeout=5": how long the server keeps an idle connection. A second
// is taken off, so that we do not write into its closing.
func idleTime(h *wire.Head) time.Duration {
	v := h.Header.Get("Keep-Alive")
	_, v, ok := strings.Cut(strings.ToLower(v), "timeout=")
	if !ok {
		return 0
	}
	end := 0
	for end < len(v) && end < 6 && v[end] >= '0' && v[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(v[:end]) // empty or short digits only
	return max(time.Duration(n)*time.Second-time.Second, time.Millisecond)
}
