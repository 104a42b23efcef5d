package websim

import (
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"
)

// Entry is one request as the server saw it. It is the truth for tests: what version was sent, and
// which bytes.
type Entry struct {
	Seq     int64     `json:"seq"`
	Time    time.Time `json:"time"` // when the request was read
	End     time.Time `json:"end"`  // when the answer was sent
	At      time.Time `json:"at"`   // the simulated instant it was answered for
	Conn    int64     `json:"conn"` // number of the connection
	Remote  string    `json:"remote,omitempty"`
	Local   string    `json:"local,omitempty"`
	Scheme  string    `json:"scheme"`
	Host    string    `json:"host"`
	Method  string    `json:"method"`
	Target  string    `json:"target"`
	Status  int       `json:"status"`
	Page    PageID    `json:"page"`
	Version string    `json:"version"`
	Bytes   int64     `json:"bytes"`            // sent, head and body as on the wire
	Digest  string    `json:"digest,omitempty"` // of these bytes, as in WARC-Block-Digest: sha1:BASE32
	Fault   string    `json:"fault,omitempty"`
	Broken  string    `json:"broken,omitempty"` // why sending ended early

	UserAgent       string `json:"user_agent,omitempty"`
	Accept          string `json:"accept,omitempty"`
	AcceptEncoding  string `json:"accept_encoding,omitempty"`
	IfNoneMatch     string `json:"if_none_match,omitempty"`
	IfModifiedSince string `json:"if_modified_since,omitempty"`
	Referer         string `json:"referer,omitempty"`
	Cookie          string `json:"cookie,omitempty"`
	Range           string `json:"range,omitempty"`
}

// URL is the address that was asked for.
func (e *Entry) URL() string { return e.Scheme + "://" + e.Host + e.Target }

// Note takes the header fields of interest from a request.
func (e *Entry) Note(r *Request) {
	e.Method, e.Scheme, e.Host, e.Target = r.Method, r.Scheme, r.Host, r.Target
	for _, f := range r.Header {
		if p := e.field(f.Name); p != nil && *p == "" {
			*p = f.Value
		}
	}
}

// field finds the place of a header field by its length first: most are of no interest.
func (e *Entry) field(name string) *string {
	switch len(name) {
	case 5:
		return pick(name, "Range", &e.Range)
	case 6:
		if p := pick(name, "Accept", &e.Accept); p != nil {
			return p
		}
		return pick(name, "Cookie", &e.Cookie)
	case 7:
		return pick(name, "Referer", &e.Referer)
	case 10:
		return pick(name, "User-Agent", &e.UserAgent)
	case 13:
		return pick(name, "If-None-Match", &e.IfNoneMatch)
	case 15:
		return pick(name, "Accept-Encoding", &e.AcceptEncoding)
	case 17:
		return pick(name, "If-Modified-Since", &e.IfModifiedSince)
	}
	return nil
}

func pick(name, want string, p *string) *string {
	if strings.EqualFold(name, want) {
		return p
	}
	return nil
}

// Log keeps what was asked and answered. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	entries []Entry
	seq     int64
	limit   int
	out     *json.Encoder
	err     error
}

// NewLog gives a log that keeps up to limit entries in memory (the latest; 0 keeps 200,000) and
// writes all of them as lines of JSON to out, which may be nil.
func NewLog(limit int, out io.Writer) *Log {
	if limit <= 0 {
		limit = 200_000
	}
	l := &Log{limit: limit}
	if out != nil {
		l.out = json.NewEncoder(out)
	}
	return l
}

// Add appends an entry and gives it its number.
func (l *Log) Add(e Entry) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	e.Seq = l.seq
	if len(l.entries) >= 2*l.limit { // drop in large steps: each entry is moved at most once
		l.entries = append(l.entries[:0], l.entries[len(l.entries)-l.limit:]...)
	}
	l.entries = append(l.entries, e)
	l.write(&e)
	return e.Seq
}

// Correct puts e in the place of the entry of its number; among the lines it follows the old one.
func (l *Log) Correct(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.entries) - 1; i >= 0 && l.entries[i].Seq >= e.Seq; i-- {
		if l.entries[i].Seq == e.Seq {
			l.entries[i] = e
		}
	}
	l.write(&e)
}

func (l *Log) write(e *Entry) {
	if l.out != nil && l.err == nil {
		l.err = l.out.Encode(e)
	}
}

// Entries gives the entries in memory, oldest first.
func (l *Log) Entries() []Entry { return l.Since(0) }

// Since gives the entries in memory whose number is above seq.
func (l *Log) Since(seq int64) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.entries[max(0, len(l.entries)-l.limit):]
	for len(kept) > 0 && kept[0].Seq <= seq {
		kept = kept[1:]
	}
	return append([]Entry(nil), kept...)
}

// Len is the number of all entries, also of those no longer in memory.
func (l *Log) Len() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// Err is the first error of writing the lines.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
