package review

import (
	"bytes"
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

	"varve/crawl"
)

// Steering is something that was done to a crawl while it ran.
type Steering struct {
	Time time.Time `json:"time"`
	By   string    `json:"by,omitempty"` // empty: the crawl itself, as for a full disk
	What string    `json:"what"`
}

// steeringEvents are the events that people cause (docs/formats/crawl-files.md).
var steeringEvents = []string{"paused", "running", "stopping", "scope", "limits", "priority", "urls"}

// maxSteering bounds the list: the last are kept.
const maxSteering = 500

// Steered returns what was done to the crawl in a folder, oldest first, from its events; nil if it has none.
func Steered(ctx context.Context, dir string) ([]Steering, error) {
	f, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Steering
	err = eachLine(ctx, f, &Quality{}, func(text []byte) {
		if s, ok := steeringOf(text); ok {
			if out = append(out, s); len(out) > maxSteering {
				out = slices.Delete(out, 0, 1)
			}
		}
	})
	return out, err
}

// steeringOf reads a line of events.jsonl, if it tells of steering.
func steeringOf(text []byte) (Steering, bool) {
	if !slices.ContainsFunc(steeringEvents, func(e string) bool { return bytes.Contains(text, []byte(`"event":"`+e+`"`)) }) {
		return Steering{}, false
	}
	var e struct {
		Time                   time.Time
		Event, By, Why, Prefix string
		Score                  float64
		Lifted                 bool
		Changed, Rules         int64
		Given, New             int64
		Was, Now               json.RawMessage
	}
	if json.Unmarshal(text, &e) != nil || !slices.Contains(steeringEvents, e.Event) {
		return Steering{}, false
	}
	s := Steering{Time: e.Time, By: e.By}
	if by, ok := strings.CutPrefix(e.Why, "by "); ok {
		s.By, e.Why = by, ""
	}
	switch e.Event {
	case "paused":
		s.What = "paused"
	case "running":
		s.What = "went on"
	case "stopping":
		s.What = "stopped"
	case "scope":
		s.What = fmt.Sprintf("changed what is fetched: %d rules in force", e.Rules)
	case "limits":
		s.What = "changed the limits: " + limitChange(e.Was, e.Now)
	case "priority":
		s.What = map[bool]string{true: "fetch first: ", false: "fetch last: "}[e.Score > 0.5] + e.Prefix
		if e.Lifted {
			s.What = "back in the usual order: " + e.Prefix
		}
		s.What += fmt.Sprintf(" (%d queued addresses moved)", e.Changed)
	case "urls":
		s.What = fmt.Sprintf("added %d addresses, %d of them new", e.Given, e.New)
	}
	if e.Why != "" {
		s.What += ": " + e.Why
	}
	return s, true
}

// limitChange says what is other between two sets of limits.
func limitChange(was, now json.RawMessage) string {
	var a, b crawl.Limits
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(now, &b) != nil {
		return "unknown"
	}
	var out []string
	say := func(name string, was, now any, same bool) {
		if !same {
			out = append(out, fmt.Sprintf("%s %v to %v", name, was, now))
		}
	}
	say("pages", a.MaxPages, b.MaxPages, a.MaxPages == b.MaxPages)
	say("captures", a.MaxURLs, b.MaxURLs, a.MaxURLs == b.MaxURLs)
	say("bytes", a.MaxBytes, b.MaxBytes, a.MaxBytes == b.MaxBytes)
	say("time", time.Duration(a.MaxTime), time.Duration(b.MaxTime), a.MaxTime == b.MaxTime)
	if len(out) == 0 {
		return "none is other"
	}
	return strings.Join(out, ", ") + " (0: no limit)"
}
