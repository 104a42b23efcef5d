package crawl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve/clock"
)

// eventLog writes events.jsonl: one object a line with time, event, and its own fields. It holds
// what stands out; ordinary visits are in crawl.log.
type eventLog struct {
	mu    sync.Mutex
	f     *os.File
	clock clock.Clock
	subs  map[chan []byte]struct{}
	err   error
}

func openEvents(dir string, c clock.Clock) (*eventLog, error) {
	f, err := os.OpenFile(filepath.Join(dir, "events.jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &eventLog{f: f, clock: c, subs: map[chan []byte]struct{}{}}, nil
}

// add writes an event; fields are name and value in turn.
func (l *eventLog) add(event string, fields ...any) {
	m := map[string]any{"time": l.clock.Now().UTC().Format(time.RFC3339Nano), "event": event}
	for i := 0; i+1 < len(fields); i += 2 {
		m[fields[i].(string)] = fields[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		b = []byte(`{"event":"unwritable"}`)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.f.Write(append(b, '\n')); err != nil && l.err == nil {
		l.err = err
	}
	for c := range l.subs {
		select {
		case c <- b:
		default: // a slow listener misses events, the file has them
		}
	}
}

// subscribe gives the events from now on; call the function to end it.
func (l *eventLog) subscribe() (<-chan []byte, func()) {
	c := make(chan []byte, 256)
	l.mu.Lock()
	l.subs[c] = struct{}{}
	l.mu.Unlock()
	return c, func() {
		l.mu.Lock()
		delete(l.subs, c)
		l.mu.Unlock()
	}
}

func (l *eventLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.err, l.f.Close())
}

// logName is the log of visits in the folder of a crawl.
const logName = "crawl.log"

// lineLog writes crawl.log in the form that Heritrix made common:
//
//	time status size URL hops via MIME #worker started+ms digest source annotations
type lineLog struct {
	mu sync.Mutex
	f  *os.File
	w  *bufio.Writer
	b  []byte
}

func openLines(dir string) (*lineLog, error) {
	f, err := os.OpenFile(filepath.Join(dir, logName), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &lineLog{f: f, w: bufio.NewWriterSize(f, 64<<10)}, nil
}

// add writes the lines of a group and flushes them, so that a kill loses none that are committed.
func (l *lineLog) add(group []*Visit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range group {
		l.b = v.appendLine(l.b[:0])
		if _, err := l.w.Write(l.b); err != nil {
			return err
		}
	}
	return l.w.Flush()
}

func (l *lineLog) close() error { return errors.Join(l.w.Flush(), l.f.Close()) }

func (v *Visit) appendLine(b []byte) []byte {
	at := v.fetched
	if at.IsZero() {
		at = v.started
	}
	b = at.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
	b = padded(b, v.logCode(), 6)
	b = padded(b, int(v.size), 11)
	b = append(b, ' ')
	b = appendLineSafe(b, v.item.URL)
	b = appendWord(b, v.item.HopPath)
	b = appendWord(b, v.item.Via)
	b = appendWord(b, v.mime)
	b = append(b, " #000 "...)
	b = at.UTC().AppendFormat(b, "20060102150405")
	b = fmt.Appendf(b, "%03d", at.Nanosecond()/1e6)
	b = append(b, '+')
	b = strconv.AppendInt(b, v.duration.Milliseconds(), 10)
	b = appendWord(b, v.digest)
	b = append(b, " -"...)
	b = appendWord(b, v.annotations())
	return append(b, '\n')
}

// logCode is the status of the line: that of HTTP, or a negative one.
func (v *Visit) logCode() int {
	if v.reason != "" {
		if firstWords(v.reason) == "robots.txt" {
			return -9998
		}
		return -5000
	}
	return v.code()
}

func (v *Visit) annotations() string {
	words := v.annotation()
	for _, cut := range []struct {
		word string
		is   bool
	}{{"linksCut:" + strconv.Itoa(v.cutLinks), v.cutLinks > 0}, {"contentCut", v.cutContent}} {
		if cut.is {
			words = strings.TrimPrefix(words+","+cut.word, ",")
		}
	}
	return words
}

func (v *Visit) annotation() string {
	switch {
	case v.reason != "":
		return strconv.Quote(v.reason)
	case v.again() && v.answered():
		return "revisit"
	case v.revisit != nil:
		return "duplicate"
	case v.class != "":
		return string(v.class)
	}
	return ""
}

func padded(b []byte, n, width int) []byte {
	s := strconv.Itoa(n)
	for range width - len(s) {
		b = append(b, ' ')
	}
	return append(b, s...)
}

func appendWord(b []byte, s string) []byte {
	b = append(b, ' ')
	if s == "" {
		return append(b, '-')
	}
	return appendLineSafe(b, s)
}
