package ui

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/curate/selection"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
)

// selectionData is what the screen of a selection shows: proposals to decide on.
type selectionData struct {
	asked
	selection.Definition
	In      *holdings.Collection
	Counts  selection.Counts
	Problem string // lines of its journal that could not be read
	Ready   bool
	State   string
	States  []stateLink
	Items   []selectionItem
	Back    string // parameters of this view
	Before  string
	After   string
	From    int
	Above   string // versions from each hundredth of relevance on, for the slider
	Least   float64
	WARC    string
	WACZ    string
	CSRF    string
}

// stateLink leads to the items of a state.
type stateLink struct {
	viewLink
	Count int
}

// selectionItem is a version to decide on.
type selectionItem struct {
	selection.Item
	ID       string
	Stamp    string // its begin, exactly
	Percent  int    // relevance against the best
	Document string
	Open     string
}

// itemsShown is how many versions a page of a selection has.
const itemsShown = 25

// selection shows what a selection proposes and what was decided, the most relevant first.
func (u *UI) selection(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "selection")
	if err != nil {
		return nil, err
	}
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	d := &selectionData{asked: a, In: c, State: a.Q.Get("state"), Back: a.Q.Encode(), CSRF: access.From(r.Context()).CSRF}
	if d.From, err = strconv.Atoi(a.Q.Get("from")); err != nil || d.From < 0 {
		d.From = 0
	}
	if err := d.read(u, r, r.PathValue("selection")); err != nil {
		return nil, err
	}
	return &view{template: "selection", title: "Selection " + d.Name, section: "search", data: d}, nil
}

// read goes through the items once: counts, the page that is shown, and how many a threshold would propose.
func (d *selectionData) read(u *UI, r *http.Request, name string) error {
	switch selection.State(d.State) {
	case "", selection.Included, selection.Excluded, selection.Proposed, selection.Below:
	default:
		return &varve.Error{Kind: varve.Invalid, Op: "show a selection", Msg: "state=" + d.State + " is none", Hint: "included, excluded, proposed or below"}
	}
	may, err := u.maySee(r, d.In.Name)
	if err != nil {
		return err
	}
	var hundredths [101]int
	top, n, more := 0.0, 0, false
	s, counts, err := selection.Each(r.Context(), u.savedDir(d.In.Name), name, may, func(it selection.Item) (bool, error) {
		hundredths[min(100, max(0, int(it.Relevance*100)))]++
		if d.State != "" && string(it.State) != d.State {
			return true, nil
		}
		top = max(top, it.Relevance)
		switch n++; {
		case n <= d.From:
		case len(d.Items) == itemsShown:
			more = true
		default:
			d.Items = append(d.Items, u.selectionItem(d.In.Name, it, top))
		}
		return true, nil
	})
	if err != nil && !errors.Is(err, selection.ErrNotProposed) {
		return selectionError("show the selection "+name, err)
	}
	d.Definition, d.Counts, d.Ready = s.Definition, counts, err == nil
	if s.Lost != nil {
		d.Problem = lostLines(message.From(r.Context()), d.In.Title, s.Lost)
	}
	d.lead(more)
	d.Above = cumulated(hundredths[:])
	d.Least = d.Threshold / 2
	return nil
}

// cumulated writes how many items are at each hundredth or above.
func cumulated(list []int) string {
	out := make([]string, len(list))
	sum := 0
	for i := len(list) - 1; i >= 0; i-- {
		sum += list[i]
		out[i] = strconv.Itoa(sum)
	}
	return strings.Join(out, ",")
}

func (u *UI) selectionItem(collection string, it selection.Item, top float64) selectionItem {
	sum := sha256.Sum256([]byte(it.SURT + it.From.UTC().Format(time.RFC3339Nano)))
	out := selectionItem{
		Item: it, ID: "i" + hex.EncodeToString(sum[:6]), Stamp: it.From.UTC().Format(time.RFC3339Nano), Document: documentPath(collection, it.URL, it.From),
		Open: u.replayURL(collection, holdings.IndexedCapture{Capture: varve.Capture{URL: it.URL, Time: it.From}}),
	}
	if top > 0 {
		out.Percent = int(100*it.Relevance/top + 0.5)
	}
	return out
}

// lead makes the addresses that lead on.
func (d *selectionData) lead(more bool) {
	c := d.Counts
	for _, s := range []struct {
		state, label string
		count        int
	}{
		{"", "all", c.Included + c.Excluded + c.Proposed + c.Below},
		{"proposed", "proposed, undecided", c.Proposed},
		{"included", "included", c.Included},
		{"excluded", "excluded", c.Excluded},
		{"below", "below the threshold", c.Below},
	} {
		d.States = append(d.States, stateLink{viewLink{s.label, address(d.Path, values("state", s.state)), s.state == d.State}, s.count})
	}
	to := func(from int) string {
		if from <= 0 {
			return address(d.Path, values("state", d.State))
		}
		return address(d.Path, values("state", d.State, "from", strconv.Itoa(from)))
	}
	if d.From > 0 {
		d.Before = to(d.From - itemsShown)
	}
	if more {
		d.After = to(d.From + itemsShown)
	}
	api := "/api" + collectionPath(d.In.Name) + "/selections/" + d.Name + "/export"
	d.WARC, d.WACZ = address(api, values("format", "warc")), address(api, values("format", "wacz"))
}

// maySee gives what tells whether the visitor may see a version of a collection; nil: all.
func (u *UI) maySee(r *http.Request, collection string) (selection.May, error) {
	return u.cfg.Rules.May(r.Context(), collection, u.cfg.Now())
}
