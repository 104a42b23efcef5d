package ui

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/entity"
	"varve/fact"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/strip"
)

// factsData is what the screen of facts shows: who was what, and when, by what texts say of a name.
type factsData struct {
	asked
	*search.Facts
	Said    string // the answer in a sentence
	Rows    []factRow
	Denied  []factRow
	Axis    strip.Axis
	When    *factMark  // the time that is asked for, on the axis
	Kinds   []viewLink // relations
	Begin   []viewLink // names to begin with
	JSON    string
	Trouble *askTrouble
}

// factRow is a fact on the axis: when it can hold, and when it surely does. Places are percent.
type factRow struct {
	search.ToldFact
	Href, SubjectHref, ObjectHref string
	Span                          string // in words
	X, W, SureX, SureW            float64
	OpenX                         float64 // from there on it can go on: its end is not told; 0: it is
	Known                         bool    // when it was is known at all
	Marks                         []factMark
}

// factMark is a statement on the axis, or the time that is asked for.
type factMark struct {
	X, W  float64
	Title string
	Bad   bool // contradicted
}

// factPageData is what the page of one fact shows.
type factPageData struct {
	asked
	*search.FactPage
	Row     factRow
	Others  []factRow
	Against []factRow
	Axis    strip.Axis
	Said    string
	Stated  []factStatement
	JSON    string
	Of      [2]string // addresses of all facts of its names
	Trouble *askTrouble
}

// factStatement is a statement with the passages that make it.
type factStatement struct {
	search.FactStatement
	When   string
	Quotes []factQuote
}

// factQuote is a passage.
type factQuote struct {
	search.FactPassage
	Replay, Document string
}

// facts shows who was what, and when.
func (u *UI) facts(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "facts")
	if err != nil {
		return nil, err
	}
	d := &factsData{asked: a}
	v := &view{template: "facts", title: a.say.Text("Facts"), section: "search", data: d}
	if len(a.All) == 0 {
		return v, nil
	}
	if of := a.Q.Get("of"); of != "" {
		v.title = a.say.Text("Facts about {0}", of)
	}
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, a.Q.Get("q")); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (d *factsData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	q, err := search.ParseFacts(d.Q)
	if err != nil {
		return err
	}
	if d.Facts, err = u.factDesk().Ask(ctx, d.Q.Get("collection"), q); err != nil {
		return err
	}
	d.JSON = address("/api/facts", d.copy())
	for _, n := range d.Names {
		d.Begin = append(d.Begin, viewLink{n.Name, d.with("of", n.Name), false})
	}
	if d.Of == "" {
		return nil
	}
	d.Kinds = []viewLink{{d.say.Text("all relations"), d.with("relation"), d.Relation == ""}}
	for _, r := range d.Relations {
		d.Kinds = append(d.Kinds, viewLink{r.Title, d.with("relation", r.Name), r.Name == d.Relation})
	}
	d.Axis = factAxis(d.say, d.Facts.Facts, d.Alternatives)
	d.Rows, d.Denied = d.rows(d.Facts.Facts, d.Axis), d.rows(d.Alternatives, d.Axis)
	if q.When.Known() && !d.Axis.Empty() {
		if m := placed(d.Axis, q.When.First.Time(), (q.When.Last + 1).Time()); m.W > 0 {
			m.Title = q.When.String()
			d.When = &m
		}
	}
	of := d.say.Count(d.Versions, "version")
	switch {
	case d.Facts.When != "" && len(d.Rows) == 0:
		d.Said = d.say.Text("{0} that you may see state facts about {1}, but none that can hold at {2}.", of, d.Of, d.Facts.When)
	case d.Facts.When != "":
		d.Said = d.say.Text("At {0}, by {1} that you may see: {2}.", d.Facts.When, of, d.say.Count(len(d.Rows), "fact"))
	default:
		d.Said = d.say.Text("{0} that you may see state {1} about {2}.", of, d.say.Count(len(d.Rows), "fact"), d.Of)
	}
	return nil
}

// factDesk answers from the texts.
func (u *UI) factDesk() *search.FactDesk {
	return &search.FactDesk{Texts: u.cfg.Texts, Archive: u.cfg.Archive, Contents: u.cfg.Contents}
}

// factAxis is the time of all facts of a page.
func factAxis(l *message.Language, lists ...[]search.ToldFact) strip.Axis {
	var bands []strip.Band
	for _, list := range lists {
		for i := range list {
			if from, _, _, to := list[i].Span(); !from.IsZero() || !to.IsZero() {
				from, to = known(from, to), known(to, from)
				bands = append(bands, strip.Band{From: from, To: to})
			}
			for _, s := range list[i].Statements {
				if s.Time.Known() {
					bands = append(bands, strip.Band{From: s.Time.First.Time(), To: (s.Time.Last + 1).Time()})
				}
			}
		}
	}
	axis := strip.Over(bands)
	axis.Dates = axisIn(l).Dates
	return axis
}

// known returns a time, or another where it is not known.
func known(t, other time.Time) time.Time {
	if t.IsZero() {
		return other
	}
	return t
}

// placed returns where a time is on an axis, wide enough to be seen.
func placed(axis strip.Axis, from, to time.Time) factMark {
	x, end := axis.At(from), axis.At(to)
	x = min(x, 99.4)
	return factMark{X: x, W: min(max(end-x, 0.6), 100-x)}
}

// rows places facts on an axis.
func (d *asked) rows(list []search.ToldFact, axis strip.Axis) (out []factRow) {
	for i := range list {
		f := &list[i]
		row := factRow{ToldFact: *f, Span: factSpan(d.say, f)}
		row.Href = factPath(d.Q.Get("collection"), f)
		of := func(name string) string {
			return address("/facts", values("of", name, "collection", d.Q.Get("collection")))
		}
		row.SubjectHref, row.ObjectHref = of(f.Subject), of(f.Object)
		from, sureFrom, sureTo, to := f.Span()
		if row.Known = !axis.Empty() && (!from.IsZero() || !to.IsZero()); row.Known {
			m := placed(axis, known(from, to), known(to, from))
			row.X, row.W = m.X, m.W
			if begun := f.Begin.Earliest != entity.Unknown && f.End.Latest == entity.Unknown; begun {
				row.OpenX = min(m.X+m.W, 99)
			}
			if !sureFrom.IsZero() && sureTo.After(sureFrom) {
				m = placed(axis, sureFrom, sureTo)
				row.SureX, row.SureW = m.X, m.W
			}
		}
		for _, s := range f.Statements {
			if s.Time.Known() && !axis.Empty() {
				m := placed(axis, s.Time.First.Time(), (s.Time.Last + 1).Time())
				m.Title, m.Bad = d.say.Text("{0}: {1}, in {2}", aspectWord(d.say, s.Aspect), s.Time, d.say.Count(s.Versions, "version")), s.Contradicted
				row.Marks = append(row.Marks, m)
			}
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b factRow) int { return cmp.Compare(a.X, b.X) })
	return out
}

// OpenW is how wide what may go on is drawn.
func (r factRow) OpenW() float64 { return 100 - r.OpenX }

// factPath is the address of the page of a fact.
func factPath(collection string, f *search.ToldFact) string {
	return address("/fact", values("subject", f.Subject, "relation", f.Relation, "role", f.Role, "object", f.Object, "collection", collection))
}

// aspectWord says what a statement tells of a fact.
func aspectWord(l *message.Language, a fact.Aspect) string {
	switch a {
	case fact.Begin:
		return l.Text("[fact]|begin")
	case fact.End:
		return l.Text("[fact]|end")
	}
	return l.Text("[fact]|at that time")
}

// factSpan says in words when a fact held.
func factSpan(l *message.Language, f *search.ToldFact) string {
	begin := fact.Time{First: f.Begin.Earliest, Last: f.Begin.Latest}
	var end fact.Time
	if f.End.Latest != 0 {
		end = fact.Time{First: f.End.Earliest - 1, Last: f.End.Latest - 1} // the last day on which it holds
	}
	told := begin.First != 0 && begin.Last != 0
	switch {
	case told && end.Known() && begin == end:
		return begin.String()
	case told && end.Known():
		return l.Text("{0} to {1}", begin, end)
	case told:
		return l.Text("since {0}", begin)
	case end.Known():
		return l.Text("until {0}", end)
	}
	from, _, _, to := f.Span()
	if from.IsZero() || to.IsZero() {
		return l.Text("at a time that is not told")
	}
	return l.Text("[fact]|in {0}", fact.Time{First: entity.DayOf(from), Last: entity.DayOf(to) - 1})
}

// fact shows one fact: when it held, who says so, and what stands against it.
func (u *UI) fact(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "facts")
	if err != nil {
		return nil, err
	}
	d := &factPageData{asked: a}
	v := &view{template: "fact", title: a.say.Text("A fact"), section: "search", data: d}
	if err := d.ask(r, u); err != nil {
		if varve.KindOf(err) == varve.NotFound {
			return nil, err
		}
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, ""); err != nil {
			return nil, err
		}
		return v, nil
	}
	v.title = d.Subject + " " + d.Title + " " + d.Object
	return v, nil
}

func (d *factPageData) ask(r *http.Request, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	ctx, cancel := context.WithTimeout(r.Context(), markingTime)
	defer cancel()
	select { // texts are read again
	case u.marking <- struct{}{}:
		defer func() { <-u.marking }()
	case <-ctx.Done():
		return &varve.Error{Kind: varve.Unavailable, Op: "show a fact", Err: ctx.Err(), Hint: "the server is busy: ask again in a moment"}
	}
	collection := d.Q.Get("collection")
	var err error
	if d.FactPage, err = u.factDesk().Fact(ctx, collection, d.Q.Get("relation"), d.Q.Get("role"), d.Q.Get("subject"), d.Q.Get("object")); err != nil {
		return err
	}
	d.JSON = address("/api/facts/"+url.PathEscape(d.Relation), values("subject", d.Subject, "object", d.Object, "role", d.Role, "collection", collection))
	one := []search.ToldFact{d.ToldFact}
	d.Axis = factAxis(d.say, one, d.FactPage.Others)
	d.Row = d.rows(one, d.Axis)[0]
	d.Others, d.Against = d.rows(d.FactPage.Others, d.Axis), d.rows(d.FactPage.Against, d.Axis)
	for i, name := range []string{d.Subject, d.Object} {
		d.Of[i] = address("/facts", values("of", name, "collection", collection))
	}
	d.Said = d.say.Text("{0}, {1} % sure", d.Row.Span, d.say.Decimal(min(100*d.Confidence, 99), 0))
	if !d.Believed {
		d.Said = d.say.Text("Not believed: every statement of it contradicts better supported ones.")
	}
	for _, s := range d.ToldFact.Statements {
		one := factStatement{FactStatement: s, When: d.say.Text("{0}: {1}", aspectWord(d.say, s.Aspect), s.Time)}
		if !s.Time.Known() {
			one.When = d.say.Text("at a time that is not told")
		}
		for _, p := range s.Passages {
			if p.Sentence, err = u.shownText(r, p.Sentence); err != nil {
				return err
			}
			q := factQuote{FactPassage: p, Document: documentPath(p.Collection, p.URL, p.From)}
			q.Replay = u.replay(p.Collection, holdings.IndexedCapture{Capture: varve.Capture{URL: p.URL, Time: p.From}}, "if_")
			switch {
			case p.InRow != "": // its words stand in several cells
				name := d.Object
				if !strings.Contains(p.Sentence, name) { // the page is the object
					name = d.Subject
				}
				q.Replay = passage(q.Replay, "", mark{Text: name})
			case p.Sentence != "":
				q.Replay = passage(q.Replay, p.Before, mark{Text: p.Sentence, Start: len(p.Before)})
			}
			one.Quotes = append(one.Quotes, q)
		}
		d.Stated = append(d.Stated, one)
	}
	return nil
}

// Kept are the fields of the question that the form does not show.
func (d factsData) Kept() []field {
	return d.kept("of", "with", "when", "relation", "collection", "cursor")
}

// Anytime is the address of the question without its time.
func (d factsData) Anytime() string { return d.with("when") }
