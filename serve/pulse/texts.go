package pulse

import (
	"context"
	"slices"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/search"
)

// byChance is the score above which a rise by chance has a probability below 0.001 (chi-squared, one degree).
const byChance = 10.83

// textKey tells apart what is said about texts; stamps tell the state of the indexes.
type textKey struct {
	part  string
	class class
	ask   Ask
}

// texts adds what the text indexes tell: changes and words. A collection without one is not spoken of.
func (d *Desk) texts(ctx context.Context, p *Pulse, class class, ask Ask) {
	if d.cfg.Texts == nil {
		return
	}
	sources, err := d.cfg.Texts.Sources(ctx)
	if err != nil {
		p.Trouble = append(p.Trouble, "the text index: "+err.Error())
		return
	}
	var used []fulltext.Source
	stamp := int64(0)
	for _, s := range sources {
		if ask.Collection == "" || s.Name == ask.Collection {
			used = append(used, s)
			stamp = stamp*31 + s.Index.Docs()
		}
	}
	if len(used) == 0 {
		return
	}
	p.Changes, err = keep(&d.kept, textKey{"changes", class, ask}, stamp, func() ([]Change, error) { return changes(ctx, used, ask) })
	if err != nil {
		p.Changes = []Change{}
		p.Trouble = append(p.Trouble, "what changed: "+err.Error())
	}
	p.Words, err = keep(&d.kept, textKey{"words", class, ask}, stamp, func() (*Words, error) { return words(ctx, used, ask) })
	if err != nil {
		p.Trouble = append(p.Trouble, "rising words: "+err.Error())
	}
}

// words finds the words that rise in the time that is asked for, or in the last month. If there is only one, on its
// last day.
func words(ctx context.Context, sources []fulltext.Source, ask Ask) (*Words, error) {
	w := &Words{From: ask.From, To: ask.To, Terms: []fulltext.Rise{}}
	if ask.From.IsZero() {
		for _, b := range []fulltext.Bucket{fulltext.ByMonth, fulltext.ByDay} {
			a, err := fulltext.Search(ctx, sources, fulltext.Query{Trend: b, Limit: -1})
			if err != nil {
				return nil, err
			}
			if len(a.Trend) == 0 {
				return nil, nil
			}
			w.From = a.Trend[len(a.Trend)-1].At
			w.To = b.End(w.From)
			if len(a.Trend) > 1 {
				break
			}
		}
	}
	q := fulltext.Query{From: w.From, To: w.To.Add(-time.Microsecond), Limit: mostWords}
	c, err := search.Telling(ctx, sources, q)
	if err != nil {
		return nil, err
	}
	w.Count = c.In
	for _, t := range c.Terms {
		if t.Score >= byChance {
			w.Terms = append(w.Terms, t)
		}
	}
	return w, nil
}

// looked is how many of the newest versions are looked at for changes.
const looked = 40

// changes finds versions that were met lately, of each collection some, so that a large one does not hide the others:
// those of pages that were there before go before new ones.
func changes(ctx context.Context, sources []fulltext.Source, ask Ask) ([]Change, error) {
	lists := make([][]Change, len(sources))
	for i, s := range sources {
		var err error
		if lists[i], err = changesIn(ctx, s, ask); err != nil {
			return nil, err
		}
	}
	out := []Change{}
	for n := 0; n < mostChanges; n++ { // one of each in turn
		for _, list := range lists {
			if n < len(list) && len(out) < mostChanges {
				out = append(out, list[n])
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int { return b.At.Compare(a.At) })
	return out, nil
}

// changesIn finds those of one collection, changed pages first.
func changesIn(ctx context.Context, s fulltext.Source, ask Ask) ([]Change, error) {
	q := fulltext.Query{Sort: fulltext.ByNewest, Limit: looked}
	if !ask.From.IsZero() {
		q.From, q.To = ask.From, ask.To.Add(-time.Microsecond)
	}
	a, err := fulltext.Search(ctx, []fulltext.Source{s}, q)
	if err != nil {
		return nil, err
	}
	var changed, created []Change
	for _, h := range a.Hits {
		if len(changed) == mostChanges {
			break
		}
		if !ask.covers(h.From) {
			continue
		}
		c, err := changeOf(s, h)
		switch {
		case err != nil:
			return nil, err
		case c.New():
			created = append(created, c)
		default:
			changed = append(changed, c)
		}
	}
	return append(changed, created[:min(len(created), mostChanges-len(changed))]...), nil
}

// mostVersions is how many versions of a page are looked through for the one before.
const mostVersions = 1000

func changeOf(s fulltext.Source, h fulltext.Hit) (Change, error) {
	c := Change{Collection: s.Name, URL: h.URL, Title: h.Title, At: h.From}
	list, err := s.Index.Versions(h.SURT, s.View, mostVersions)
	if err != nil {
		return c, err
	}
	for i := range list {
		if !list[i].From.Equal(h.From) {
			continue
		}
		c.Words = int(list[i].Words)
		if i > 0 {
			c.Before = list[i-1].From
			c.Added, c.Removed = differ(list[i-1].Text, list[i].Text)
		}
	}
	return c, nil
}

// differ counts the words that a text has more of than another: what is moved is no difference.
func differ(before, after string) (added, removed int) {
	n := map[string]int{}
	for w := range strings.FieldsSeq(before) {
		n[w]--
	}
	for w := range strings.FieldsSeq(after) {
		n[w]++
	}
	for _, d := range n {
		if d > 0 {
			added += d
		} else {
			removed -= d
		}
	}
	return added, removed
}
