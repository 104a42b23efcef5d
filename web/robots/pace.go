package robots

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Pace is one line about speed. These are customs, not part of RFC 9309: Crawl-delay (seconds between
// requests), Request-rate (documents/time, optionally with hours) and Visit-time (hours).
//
// By RFC 9309 such a line does not end a list of User-agent lines. But "User-agent: a, Crawl-delay: 5,
// User-agent: b" is written by people who mean a alone; so the line counts for the agents above it.
type Pace struct {
	Name   string        `json:"name"`            // "crawl-delay", "request-rate" or "visit-time"
	Delay  time.Duration `json:"delay,omitempty"` // between two requests; 0 for visit-time
	Hours  Hours         `json:"hours,omitzero"`  // when it counts, or when visits are welcome
	Line   int           `json:"line"`
	agents int           // how many agents of the group stand above the line
}

// Hours is a daily stretch in UTC, in minutes after midnight; it may run over midnight. The zero
// value is the whole day.
type Hours struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Contains tells whether the instant lies in the hours.
func (h Hours) Contains(t time.Time) bool {
	if h.From == h.To {
		return true
	}
	t = t.UTC()
	m := t.Hour()*60 + t.Minute()
	if h.From < h.To {
		return h.From <= m && m < h.To
	}
	return m >= h.From || m < h.To
}

// CleanParam names query parameters that do not change the content under a path prefix.
type CleanParam struct {
	Params []string `json:"params"`
	Prefix string   `json:"prefix"` // "" = everywhere
	Line   int      `json:"line"`
}

// pace reads one of the three lines.
func (p *parser) pace(name, value, content string) {
	if len(p.group.Agents) == 0 {
		p.file.find(p.number, content, name+" before any user-agent")
		return
	}
	line := Pace{Name: name, Line: p.number, agents: len(p.group.Agents)}
	var err error
	switch name {
	case "crawl-delay":
		line.Delay, err = parseSeconds(value)
	case "request-rate":
		line.Delay, line.Hours, err = parseRate(value)
	case "visit-time":
		line.Hours, err = parseHours(value)
	}
	if err != nil {
		p.file.find(p.number, content, err.Error())
		return
	}
	p.group.Pace = append(p.group.Pace, line)
}

// cleanParam reads "a&b /path".
func (p *parser) cleanParam(value, content string) {
	words := strings.Fields(value)
	if len(words) == 0 || len(words) > 2 {
		p.file.find(p.number, content, "clean-param wants names and an optional path")
		return
	}
	c := CleanParam{Params: strings.Split(words[0], "&"), Line: p.number}
	if len(words) == 2 {
		c.Prefix = words[1]
	}
	p.file.CleanParams = append(p.file.CleanParams, c)
}

// maxDelay keeps absurd figures inside a Duration; a crawler has its own, smaller limit.
const maxDelay = 365 * 24 * time.Hour

// parseSeconds reads a count of seconds, possibly with a fraction.
func parseSeconds(s string) (time.Duration, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "s"), 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, errors.New("not a number of seconds")
	}
	if f > maxDelay.Seconds() {
		return maxDelay, nil
	}
	return time.Duration(f * float64(time.Second)), nil
}

// parseRate reads "1/5", "1/10s", "30/1m" or "1/1h 0900-1700".
func parseRate(s string) (time.Duration, Hours, error) {
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 2 {
		return 0, Hours{}, errors.New("request-rate wants documents/time")
	}
	docs, span, ok := strings.Cut(words[0], "/")
	n, err := strconv.Atoi(docs)
	if !ok || err != nil || n <= 0 {
		return 0, Hours{}, errors.New("request-rate wants documents/time")
	}
	unit := time.Second
	switch {
	case strings.HasSuffix(span, "m"):
		unit, span = time.Minute, strings.TrimSuffix(span, "m")
	case strings.HasSuffix(span, "h"):
		unit, span = time.Hour, strings.TrimSuffix(span, "h")
	}
	per, err := parseSeconds(span)
	if err != nil {
		return 0, Hours{}, fmt.Errorf("request-rate: %w", err)
	}
	delay := min(time.Duration(min(per.Seconds()*float64(unit)/float64(n), float64(maxDelay))), maxDelay)
	if len(words) == 1 {
		return delay, Hours{}, nil
	}
	h, err := parseHours(words[1])
	return delay, h, err
}

// parseHours reads "0600-0845".
func parseHours(s string) (Hours, error) {
	from, to, ok := strings.Cut(strings.ReplaceAll(s, " ", ""), "-")
	f, err1 := parseClock(from)
	t, err2 := parseClock(to)
	if !ok || err1 != nil || err2 != nil {
		return Hours{}, errors.New("hours are not of the form 0600-0845")
	}
	return Hours{From: f, To: t}, nil
}

// parseClock reads "0845" or "08:45" as minutes after midnight.
func parseClock(s string) (int, error) {
	n, err := strconv.ParseUint(strings.ReplaceAll(s, ":", ""), 10, 16)
	if err != nil || n > 2400 || n%100 > 59 {
		return 0, errors.New("not a time of day")
	}
	return int(n/100)*60 + int(n%100), nil
}
