package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// EventQuery asks for events of a crawl.
type EventQuery struct {
	Kinds    []string  // names of events; none: all
	Words    string    // all of them must stand in the event, in upper or lower case
	From, To time.Time // inclusive; zero: no bound
	Before   int64     // those that stand before this place in the file; 0: from the newest on
	Limit    int       // of those listed
	// Shown returns an event as whoever asks may see it, and whether they may. What they may not see is neither listed nor counted.
	Shown func(line []byte) ([]byte, bool)
}

// Event is one line of events.jsonl (docs/formats/crawl-files.md).
type Event struct {
	Time   time.Time         `json:"time"`
	Event  string            `json:"event"`
	Fields map[string]string `json:"fields,omitempty"` // what else it tells; objects and lists as JSON

	at int64
}

// EventCount is how many events have a name.
type EventCount struct {
	Event string `json:"event"`
	Count int64  `json:"count"`
}

// EventStep is how many events fell into a stretch of time, which ends where the next begins.
type EventStep struct {
	From  time.Time `json:"from"`
	Count int64     `json:"count"`
}

// Events are events of a crawl, newest first.
type Events struct {
	Items   []Event       `json:"items"`
	Next    int64         `json:"next,omitempty"` // Before of the next page; 0: that is all
	Total   int64         `json:"total"`          // that the question fits, on all pages
	Kinds   []EventCount  `json:"kinds"`          // of what the question fits whatever its kinds, the most frequent first
	Steps   []EventStep   `json:"steps"`          // of Total, oldest first
	Step    time.Duration `json:"step"`           // length of each
	Bad     int           `json:"bad,omitempty"`  // lines that cannot be read
	Partial bool          `json:"partial,omitempty"`
}

// EventsOf reads the events of the crawl in a folder; none if it has no such file. The file is read once for each question: a crawl writes some events a
// minute, not one for each visit.
func EventsOf(ctx context.Context, dir string, ask EventQuery) (*Events, error) {
	out := &Events{Items: []Event{}, Kinds: []EventCount{}, Steps: []EventStep{}}
	f, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	words := strings.Fields(strings.ToLower(ask.Words))
	kinds, seconds, at := map[string]int64{}, map[int64]int64{}, int64(0)
	var page []Event // the last before ask.Before, one more than is listed
	var read Quality
	err = eachLine(ctx, f, &read, func(line []byte) {
		place := at
		at += int64(len(line)) + 1
		if ask.Shown != nil && len(line) > 0 {
			var ok bool
			if line, ok = ask.Shown(line); !ok {
				return
			}
		}
		e, err := eventOf(line)
		if err != nil {
			out.Bad++
			return
		}
		if !ask.From.IsZero() && e.Time.Before(ask.From) || !ask.To.IsZero() && e.Time.After(ask.To) || !e.has(words) {
			return
		}
		kinds[e.Event]++
		if len(ask.Kinds) > 0 && !slices.Contains(ask.Kinds, e.Event) {
			return
		}
		out.Total++
		seconds[e.Time.Unix()]++
		if e.at = place; ask.Before == 0 || place < ask.Before {
			if page = append(page, e); len(page) > ask.Limit+1 {
				page = slices.Delete(page, 0, 1)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out.Partial = read.Partial
	if len(page) > ask.Limit {
		page = page[1:]
		out.Next = page[0].at
	}
	slices.Reverse(page)
	out.Items = append(out.Items, page...)
	for name, n := range kinds {
		out.Kinds = append(out.Kinds, EventCount{name, n})
	}
	slices.SortFunc(out.Kinds, func(a, b EventCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Event, b.Event)) })
	out.Step, out.Steps = steps(seconds)
	return out, nil
}

// eventOf reads a line.
func eventOf(line []byte) (e Event, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return e, err
	}
	if err := json.Unmarshal(fields["time"], &e.Time); err != nil {
		return e, fmt.Errorf("time: %w", err)
	}
	if err := json.Unmarshal(fields["event"], &e.Event); err != nil || e.Event == "" {
		return e, errors.New("an event without a name")
	}
	e.Fields = map[string]string{}
	for name, value := range fields {
		var text string
		switch {
		case name == "time", name == "event":
		case json.Unmarshal(value, &text) == nil:
			e.Fields[name] = text
		default:
			e.Fields[name] = string(value)
		}
	}
	return e, nil
}

// has reports whether all words stand in the event.
func (e *Event) has(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		if strings.Contains(strings.ToLower(e.Event), w) {
			return false
		}
		for name, value := range e.Fields {
			if strings.Contains(strings.ToLower(name+" "+value), w) {
				return false
			}
		}
		return true
	})
}

// maxSteps is how many stretches of time are shown at most.
const maxSteps = 60

// stepLengths are those that people count in.
var stepLengths = []time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour,
}

// steps counts by stretches of time, as short as there is place for.
func steps(seconds map[int64]int64) (time.Duration, []EventStep) {
	if len(seconds) == 0 {
		return 0, []EventStep{}
	}
	first, last := int64(1<<62), int64(-1<<62)
	for s := range seconds {
		first, last = min(first, s), max(last, s)
	}
	length := int64(0)
	for _, d := range stepLengths {
		if length = int64(d / time.Second); floor(last, length)-floor(first, length) < maxSteps {
			break
		}
	}
	for floor(last, length)-floor(first, length) >= maxSteps { // a clock that was wrong
		length *= 2
	}
	from := floor(first, length)
	out := make([]EventStep, floor(last, length)-from+1)
	for i := range out {
		out[i].From = time.Unix((from+int64(i))*length, 0).UTC()
	}
	for s, n := range seconds {
		out[floor(s, length)-from].Count += n
	}
	return time.Duration(length) * time.Second, out
}

// floor is a/b, rounded down also below 0.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
