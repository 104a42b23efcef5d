package pulse_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/derive"
	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/pulse"
)

// texts is one text index, of which a view may show a part.
type texts struct{ source fulltext.Source }

func (t *texts) Sources(context.Context, ...string) ([]fulltext.Source, error) {
	return []fulltext.Source{t.source}, nil
}

func press(t testing.TB) *texts {
	t.Helper()
	dir := t.TempDir()
	if err := servetest.Press(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	ix, err := fulltext.Open(filepath.Join(dir, "collections", "press", "index", "fulltext"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return &texts{fulltext.Source{Name: "press", Index: ix}}
}

// Words and changes are those of the time that is asked for, as far as the visitor may see them.
func TestTexts(t *testing.T) {
	x := press(t)
	at := now
	d := pulse.New(pulse.Config{
		Archive: t.TempDir(), Holdings: &archive{list: []*holdings.Collection{{Name: "press", Title: "Press"}}}, Texts: x, Now: func() time.Time { return at },
	})
	of := func(ask pulse.Ask) *pulse.Pulse {
		t.Helper()
		p, err := d.Of(visitor(access.Viewer), ask)
		if err != nil || len(p.Trouble) > 0 {
			t.Fatalf("%+v: %v %v", ask, err, p.Trouble)
		}
		return p
	}
	may := of(pulse.Ask{From: month(2021, 5), To: month(2021, 6)})
	if w := may.Words; w == nil || w.Count != 10 || len(w.Terms) == 0 || w.Terms[0].Term != "ballotbox" && w.Terms[0].Term != "election" {
		t.Errorf("words of May 2021: %+v", may.Words)
	}
	for _, c := range may.Changes {
		if c.At.Before(month(2021, 5)) || !c.At.Before(month(2021, 6)) {
			t.Errorf("not of May 2021: %+v", c)
		}
		if !c.New() && (!c.Before.Before(c.At) || c.Added+c.Removed == 0) {
			t.Errorf("no change: %+v", c)
		}
	}
	if !slices.ContainsFunc(may.Changes, func(c pulse.Change) bool { return !c.New() }) {
		t.Errorf("changes of pages that were there before go before new ones: %+v", may.Changes)
	}
	last := of(pulse.Ask{})
	if !last.Words.From.Equal(month(2022, 12)) || len(last.Changes) != 8 {
		t.Errorf("the newest: %+v, %d changes", last.Words, len(last.Changes))
	}
	at = at.Add(time.Minute)
	if again := of(pulse.Ask{}); again.Words != last.Words {
		t.Error("words were counted anew though nothing changed")
	}
	x.source.View = &fulltext.View{Key: "b only", May: func(surt string, _ time.Time) bool { return strings.HasPrefix(surt, "test,press,b)") }}
	p, err := pulse.New(pulse.Config{
		Archive: t.TempDir(), Holdings: &archive{list: []*holdings.Collection{{Name: "press"}}}, Texts: x, Now: func() time.Time { return at },
	}).Of(visitor(access.Viewer), pulse.Ask{From: month(2021, 5), To: month(2021, 6)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Changes {
		if !strings.Contains(c.URL, "//b.press.test/") {
			t.Errorf("a withheld page is named: %s", c.URL)
		}
	}
	if p.Words.Count >= may.Words.Count {
		t.Errorf("withheld versions are counted: %d of %d", p.Words.Count, may.Words.Count)
	}
}

// A word that is there because a sentence needs it says nothing about a month.
func TestFunctionWordsDoNotRise(t *testing.T) {
	dir := t.TempDir()
	var list []derive.VersionRow
	for i := range 40 {
		text, at := "A boat left. A boat came back.", month(2021, 4)
		if i%2 > 0 {
			text, at = "Nobody knew since when the harbour was closed, because the council was away.", month(2021, 5)
		}
		host := fmt.Sprintf("h%02d.test", i)
		list = append(list, derive.VersionRow{SURT: "test,h" + host[1:3] + ")/", URL: "http://" + host + "/", Host: host, Language: "en", Text: text, From: at.AddDate(0, 0, 3), Last: at.AddDate(0, 0, 3), Captures: 1})
	}
	none := func(*derive.VersionRow) []derive.FacetValue { return nil }
	if err := servetest.WriteTexts(t.Context(), dir, "press", "Press", list, derive.FacetTable{Job: "press"}, none); err != nil {
		t.Fatal(err)
	}
	ix, err := fulltext.Open(filepath.Join(dir, "collections", "press", "index", "fulltext"))
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	d := pulse.New(pulse.Config{
		Archive: t.TempDir(), Holdings: &archive{list: []*holdings.Collection{{Name: "press", Title: "Press"}}}, Texts: &texts{fulltext.Source{Name: "press", Index: ix}}, Now: func() time.Time { return now },
	})
	p, err := d.Of(visitor(access.Viewer), pulse.Ask{})
	if err != nil || p.Words == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	var got []string
	for _, w := range p.Words.Terms {
		got = append(got, w.Term)
	}
	if slices.Sort(got); !slices.Contains(got, "harbour") || slices.Contains(got, "since") || slices.Contains(got, "the") || slices.Contains(got, "because") {
		t.Errorf("rising: %v", got)
	}
}
