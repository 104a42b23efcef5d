package ui

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/index/fulltext"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/strip"
)

// evolvedData is what the screens of words, names and phrases through time have in common.
type evolvedData struct {
	*holdings.Collection
	Tab   string
	Views []viewLink // the screens
	Q     url.Values
	Why   string // there is nothing: why, and what to do
	Hint  string
	Axis  strip.Axis
	JSON  string
	CSV   string
	path  string
	say   *message.Language
}

// yearBar is a year on the axis. Places are percent.
type yearBar struct {
	X, W, Y, H float64
	Year       int
	Title      string // in words
	Href       string
	On         bool
}

// evolved begins a screen. Where no tables are, or rules withhold some of what they are made of, Why tells so and ok is false.
func (u *UI) evolved(r *http.Request, view string) (d evolvedData, status int, ok bool, err error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return d, 0, false, err
	}
	d = evolvedData{Collection: c, Tab: "evolution", Q: url.Values{}, path: collectionPath(c.Name) + "/" + view, say: message.From(r.Context())}
	for k, list := range r.URL.Query() {
		if v := strings.TrimSpace(list[0]); v != "" {
			d.Q.Set(k, v)
		}
	}
	for _, v := range [][2]string{{"terms", d.say.Text("Terms and their senses")}, {"names", d.say.Text("What was it called before?")}, {"phrases", d.say.Text("Phrases that begin")}} {
		d.Views = append(d.Views, viewLink{v[1], collectionPath(c.Name) + "/" + v[0], v[0] == view})
	}
	d.Views = append(d.Views, viewLink{d.say.Text("Beside another collection"), address("/beside", values("a", c.Name)), false})
	if _, err := u.cfg.Evolution.Tables(r.Context(), c.Name); err != nil {
		status, err = d.trouble(err)
		return d, status, false, err
	}
	api := d.copy("format")
	d.JSON = address("/api"+d.path, api)
	api.Set("format", "csv")
	d.CSV = address(d.path, api)
	return d, 0, true, nil
}

// trouble keeps errors of the question on its screen.
func (d *evolvedData) trouble(err error) (status int, rest error) {
	switch varve.KindOf(err) {
	case varve.Invalid, varve.NotFound, varve.Forbidden:
		t := newTrouble(d.say, err)
		d.Why, d.Hint = t.Why, t.Hint
		if varve.KindOf(err) == varve.NotFound {
			return http.StatusOK, nil // the screen is there, as a search that finds nothing
		}
		return varve.HTTPStatus(err), nil
	}
	return 0, err
}

func (d *evolvedData) copy(without ...string) url.Values {
	q := url.Values{}
	for k, v := range d.Q {
		if !slices.Contains(without, k) {
			q[k] = v
		}
	}
	return q
}

// with is the address of the screen with one parameter changed.
func (d *evolvedData) with(name, value string) string {
	q := d.copy("format", name)
	if value != "" {
		q.Set(name, value)
	}
	return address(d.path, q)
}

// years sets the axis.
func (d *evolvedData) years(first, last int) {
	if first > 0 {
		d.Axis = bucketAxis(d.say, fulltext.ByYear, newYear(first), newYear(last))
	}
}

func newYear(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }

// bar places a year on the axis; its height is a share of the highest.
func (d *evolvedData) bar(year int, value, most float64) yearBar {
	x := d.Axis.At(newYear(year))
	b := yearBar{X: x, W: d.Axis.At(newYear(year+1)) - x, Year: year}
	if value > 0 {
		b.H = max(3, 100*value/max(most, 1e-9))
	}
	b.Y = 100 - b.H
	return b
}

// found is the address of the search for words in some years.
func (d *evolvedData) found(from, to int, words ...string) string {
	var quoted []string
	for _, w := range words {
		w = strings.Map(func(r rune) rune {
			if !fulltext.Quotable(string(r)) {
				return ' '
			}
			return r
		}, w)
		quoted = append(quoted, `"`+strings.TrimSpace(w)+`"`)
	}
	q := values("collection", d.Name, "q", strings.Join(quoted, " "))
	if from > 0 {
		q.Set("from", strconv.Itoa(from))
		q.Set("to", strconv.Itoa(to))
	}
	return address("/search", q)
}

// textWith leads to a text with a phrase: its place in replay, or where it is not shown again, its document.
func (u *UI) textWith(collection, target string, at time.Time, phrase string) (replay, document string) {
	document = address("/document", values("collection", collection, "url", target, "time", cdxj.Timestamp(at)))
	base := u.replay(collection, holdings.IndexedCapture{Capture: varve.Capture{URL: target, Time: at}}, "if_")
	return passage(base, "", mark{Text: phrase}), document
}

// year is a year in a sentence: numbers would get marks between thousands.
func year(y int) string { return strconv.Itoa(y) }

func yearSpan(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}
