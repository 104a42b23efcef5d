package ui

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/serve/compare"
	"varve/serve/holdings"
	"varve/serve/message"
)

// compareData is what the comparison of two captures shows.
type compareData struct {
	*holdings.Collection
	Tab      string
	URL      string
	View     string // text, links, side
	Views    []viewLink
	A, B     side
	Captures []captureChoice
	Earlier  string // one version back and forth
	Later    string
	Swap     string
	Result   *compare.Result
	Rows     []diffRow
	Trouble  string // why contents could not be compared
}

// side is one of the two captures.
type side struct {
	holdings.IndexedCapture
	Stamp string
	Open  string
	Frame string
	Marks string // lines to be marked in the frame, as JSON
}

// viewLink is a way to look at the comparison.
type viewLink struct {
	Label, Href string
	Here        bool
}

// captureChoice is a capture that can be chosen.
type captureChoice struct{ Stamp, Label string }

// diffRow is a row of the text comparison: a line, or lines left out because nothing changed.
type diffRow struct {
	compare.Line
	Skipped int
}

// context is how many equal lines are shown around a change.
const contextLines = 3

// compare shows two captures of a URL side by side.
func (u *UI) compare(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	captures, _, err := u.capturesOf(r, c.Name, q.Get("url"))
	if err != nil {
		return nil, err
	}
	l, versions := message.From(r.Context()), holdings.Versions(captures, nil)
	a, b, err := chosen(captures, versions, q.Get("a"), q.Get("b"))
	if err != nil {
		return nil, err
	}
	d := compareData{Collection: c, Tab: "pages", URL: q.Get("url"), View: q.Get("view")}
	if d.View != "links" && d.View != "side" {
		d.View = "text"
	}
	d.A, d.B = u.side(c.Name, a), u.side(c.Name, b)
	for _, v := range []struct{ name, label string }{{"text", l.Text("Text")}, {"links", l.Text("Links")}, {"side", l.Text("Side by side")}} {
		d.Views = append(d.Views, viewLink{v.label, comparePath(c.Name, d.URL, a, b, v.name), v.name == d.View})
	}
	d.Swap = comparePath(c.Name, d.URL, b, a, d.View)
	d.addChoices(l, versions, a, b)
	if u.addResult(r, &d); d.Result != nil && d.View == "side" {
		d.A.Marks, d.B.Marks = frameMarks(d.Result.Text)
	}
	return &view{template: "compare", title: l.Text("Compare {0}", d.URL), section: "collections", wide: d.View == "side", data: d}, nil
}

func (u *UI) side(collection string, c holdings.IndexedCapture) side {
	return side{IndexedCapture: c, Stamp: cdxj.Timestamp(c.Time), Open: u.replayURL(collection, c), Frame: u.replay(collection, c, "mp_")}
}

// chosen finds the captures that the address names; without names, the last two versions.
func chosen(captures []holdings.IndexedCapture, versions []holdings.HeldVersion, a, b string) (x, y holdings.IndexedCapture, err error) {
	x, y = captures[0], captures[len(captures)-1]
	if n := len(versions); n > 1 {
		x, y = versions[n-2].Newest, versions[n-1].First
	}
	for _, p := range []struct {
		stamp string
		to    *holdings.IndexedCapture
	}{{a, &x}, {b, &y}} {
		if p.stamp == "" {
			continue
		}
		at, err := parseStamp(p.stamp)
		if err != nil {
			return x, y, err
		}
		*p.to = closest(captures, at)
	}
	return x, y, nil
}

func parseStamp(s string) (time.Time, error) {
	at, err := cdxj.ParseTimestamp(s)
	if err != nil {
		return at, &varve.Error{Kind: varve.Invalid, Op: "read the time " + s, Err: err, Hint: "times in addresses have 14 digits: YYYYMMDDhhmmss"}
	}
	return at, nil
}

// closest is the capture nearest to an instant.
func closest(captures []holdings.IndexedCapture, at time.Time) holdings.IndexedCapture {
	return slices.MinFunc(captures, func(a, b holdings.IndexedCapture) int {
		return int(a.Time.Sub(at).Abs().Truncate(time.Second).Seconds()) - int(b.Time.Sub(at).Abs().Truncate(time.Second).Seconds())
	})
}

// addChoices offers the first capture of each version, and the steps to earlier and later versions.
func (d *compareData) addChoices(l *message.Language, versions []holdings.HeldVersion, a, b holdings.IndexedCapture) {
	at := -1
	for i, v := range versions {
		d.Captures = append(d.Captures, captureChoice{cdxj.Timestamp(v.First.Time), l.Stamp(v.First.Time)})
		if !v.Valid.From.After(b.Time) {
			at = i
		}
	}
	for _, c := range []holdings.IndexedCapture{a, b} {
		s := cdxj.Timestamp(c.Time)
		if !slices.ContainsFunc(d.Captures, func(x captureChoice) bool { return x.Stamp == s }) {
			d.Captures = append(d.Captures, captureChoice{s, l.Stamp(c.Time)})
		}
	}
	slices.SortFunc(d.Captures, func(x, y captureChoice) int { return cmpText(x.Stamp, y.Stamp) })
	if at >= 2 {
		d.Earlier = comparePath(d.Name, d.URL, versions[at-2].Newest, versions[at-1].First, d.View)
	}
	if at >= 0 && at+1 < len(versions) {
		d.Later = comparePath(d.Name, d.URL, versions[at].Newest, versions[at+1].First, d.View)
	}
}

// addResult compares the contents; if they cannot be read the page says why and shows the rest.
func (u *UI) addResult(r *http.Request, d *compareData) {
	if u.cfg.Contents == nil {
		d.Trouble = message.From(r.Context()).Text("contents cannot be read here")
		return
	}
	var docs [2]compare.Document
	for i, c := range []holdings.IndexedCapture{d.A.IndexedCapture, d.B.IndexedCapture} {
		got, err := u.cfg.Contents.Content(r.Context(), d.Name, c, maxContent)
		if err != nil {
			d.Trouble = err.Error()
			return
		}
		docs[i] = compare.Document{URL: c.URL, MIME: got.MIME, Body: got.Body}
	}
	result, err := compare.Documents(docs[0], docs[1])
	if err != nil {
		d.Trouble = err.Error()
		return
	}
	d.Result = result
	d.Rows = fold(result.Text)
}

// maxFrameMarks bounds what is marked in a frame, and maxMarkText what of a line is looked for there.
const (
	maxFrameMarks = 300
	maxMarkText   = 400
)

// frameMarks lists the lines that differ, for both sides, as the frames are asked to mark them (beside.js).
func frameMarks(lines []compare.Line) (a, b string) {
	type mark struct {
		Kind string `json:"kind"`
		Text string `json:"text"`
	}
	sides := [2][]mark{{}, {}}
	add := func(side int, kind string, spans []compare.Span) {
		var text strings.Builder
		for _, s := range spans {
			text.WriteString(s.Text)
		}
		if t := text.String(); strings.TrimSpace(t) != "" && len(t) <= maxMarkText && len(sides[side]) < maxFrameMarks {
			sides[side] = append(sides[side], mark{kind, t})
		}
	}
	for _, l := range lines {
		switch l.Op {
		case compare.Delete:
			add(0, "removed", l.Left)
		case compare.Insert:
			add(1, "added", l.Right)
		case compare.Replace:
			add(0, "reworded", l.Left)
			add(1, "reworded", l.Right)
		case compare.Move:
			if l.A > 0 {
				add(0, "moved", l.Left)
			} else {
				add(1, "moved", l.Right)
			}
		}
	}
	out := [2]string{"[]", "[]"}
	for i := range sides {
		if text, err := json.Marshal(sides[i]); err == nil {
			out[i] = string(text)
		}
	}
	return out[0], out[1]
}

// maxDiffRows bounds a page; the API gives everything.
const maxDiffRows = 2000

// fold leaves out equal lines that are far from any change.
func fold(lines []compare.Line) []diffRow {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Op != compare.Equal {
			for j := max(0, i-contextLines); j <= min(len(lines)-1, i+contextLines); j++ {
				near[j] = true
			}
		}
	}
	var out []diffRow
	for i, l := range lines {
		switch {
		case len(out) >= maxDiffRows:
			return out
		case near[i]:
			out = append(out, diffRow{Line: l})
		case len(out) > 0 && out[len(out)-1].Skipped > 0:
			out[len(out)-1].Skipped++
		default:
			out = append(out, diffRow{Skipped: 1})
		}
	}
	return out
}
