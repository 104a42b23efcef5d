package filter_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"varve/crawl/gate"
	"varve/crawl/spamfilter"
	"varve/lab/eval/cpu"
	"varve/learn"
	"varve/spam"
	"varve/spam/content"
	"varve/spam/filter"
	"varve/spam/label"
	"varve/web/wire"
)

// page is page i of a host: stuffed with one word, or not.
func page(i int, stuffed bool) *gate.SampledPage {
	text := fmt.Sprintf("The %dth page tells of a walk through the woods, of birds and of what we had for lunch; nothing of it is meant to sell.", i)
	if stuffed {
		text = strings.Repeat("cheap pills online ", 30) + fmt.Sprint(i)
	}
	return &gate.SampledPage{
		URL: fmt.Sprintf("http://a.example/%d", i), Fetched: time.Unix(1.7e9, 0),
		Header: wire.Header{{Name: "Content-Type", Value: "text/html"}, {Name: "Last-Modified", Value: "Mon, 13 Nov 2023 10:00:00 GMT"}},
		Body:   []byte("<title>Page</title><p>" + text + "</p><a href=\"http://b.example/\">b</a>"),
	}
}

// model is trained on hosts of such pages.
func model(t testing.TB, attributes []learn.Attribute) *learn.Model {
	t.Helper()
	s := &learn.Set{Attributes: attributes, Class: learn.Attribute{Name: "class", Values: []string{"spam", "normal"}}, Columns: make([][]float64, len(attributes))}
	for n := range 40 {
		var h content.Host
		for i := range 3 + n%5 {
			h.Add(filter.PageOf(page(n+7*i, n%2 == 0), nil))
		}
		for a, v := range filter.Row(&h)[:len(attributes)] {
			s.Columns[a] = append(s.Columns[a], v)
		}
		s.Y = append(s.Y, n%2)
	}
	c, err := learn.Forest{Trees: 30}.Train(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &learn.Model{Classifier: c, Header: learn.Header{Class: s.Class, Attributes: attributes, Typical: spam.Typical(s)}}
}

func newAssessor(t testing.TB) *filter.Assessor {
	t.Helper()
	a, err := filter.New(model(t, filter.Attributes()))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sample merges pages in pieces of the given size.
func sample(t testing.TB, a *filter.Assessor, pages, piece int, stuffed bool) []byte {
	t.Helper()
	var s []byte
	for i := 0; i < pages; i += piece {
		var looks [][]byte
		for k := i; k < min(i+piece, pages); k++ {
			looks = append(looks, a.Look(page(k, stuffed)))
		}
		var err error
		if s, err = a.Merge(s, looks); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// However pages come into a sample, it is the same; and it says what the pages themselves would.
func TestSamples(t *testing.T) {
	a := newAssessor(t)
	whole := sample(t, a, 12, 12, true)
	if string(whole) != string(sample(t, a, 12, 1, true)) || string(whole) != string(sample(t, a, 12, 5, true)) {
		t.Error("the sample depends on how it was merged")
	}
	var direct, merged content.Host
	for i := range 12 {
		direct.Add(filter.PageOf(page(i, true), nil))
	}
	if err := merged.UnmarshalBinary(whole); err != nil {
		t.Fatal(err)
	}
	want, got := filter.Row(&direct), filter.Row(&merged)
	for i, name := range filter.Names() {
		if want[i] != got[i] && !(math.IsNaN(want[i]) && math.IsNaN(got[i])) {
			t.Errorf("%s: %v, of the pages %v", name, got[i], want[i])
		}
	}
}

func TestAssess(t *testing.T) {
	a := newAssessor(t)
	bad, err := a.Assess("a.example", sample(t, a, 20, 20, true))
	if err != nil || bad.Spamicity < 0.8 {
		t.Errorf("%+v, %v", bad, err)
	}
	if why, err := a.Explain(sample(t, a, 20, 20, true)); err != nil || !strings.Contains(why, "normal") {
		t.Errorf("reasons %q, %v", why, err)
	}
	if _, err := a.Explain([]byte("damaged")); err == nil {
		t.Error("a damaged sample was explained")
	}
	good, err := a.Assess("a.example", sample(t, a, 20, 20, false))
	if err != nil || good.Spamicity > 0.2 {
		t.Errorf("%+v, %v", good, err)
	}
	if _, err := a.Assess("a.example", []byte("damaged")); err == nil {
		t.Error("a damaged sample was judged")
	}
	if _, err := a.Merge(nil, [][]byte{[]byte("damaged")}); err == nil {
		t.Error("a damaged look was merged")
	}
}

// A model that needs more than a crawl has is refused, with a feature that it lacks.
func TestModels(t *testing.T) {
	m := model(t, filter.Attributes())
	m.Attributes = append([]learn.Attribute{{Name: "graph.pagerank"}}, m.Attributes[1:]...)
	if _, err := filter.New(m); err == nil || !strings.Contains(err.Error(), "graph.pagerank") {
		t.Error(err)
	}
	m.Class.Values = []string{"a", "b", "c"}
	if _, err := filter.New(m); err == nil {
		t.Error("a model of three classes was taken")
	}
	if n := len(filter.Names()); n < 100 || n != len(filter.Attributes()) {
		t.Errorf("%d names", n)
	}
}

func TestLists(t *testing.T) {
	dir := t.TempDir()
	black, white := filepath.Join(dir, "black"), filepath.Join(dir, "white")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(black, "# spam\nBad.example # a ring\n*.farm.example\nboth.example\nodd.example:8080\n")
	write(white, "both.example\n\n")
	log := label.Open(dir)
	e := label.Entry{Host: "bad.example", Label: label.Normal, Who: "eva", When: time.Unix(1.7e9, 0), Why: "a blog"}
	if err := log.Append(label.Entry{Host: "pills.example", Label: label.Spam, Who: "eva", When: time.Unix(1.7e9, 0)}); err != nil {
		t.Fatal(err)
	}
	l, err := filter.OpenLists(log, []string{black}, []string{white})
	if err != nil {
		t.Fatal(err)
	}
	check := func(want map[string]spamfilter.Ruling) {
		t.Helper()
		for host, r := range want {
			if got, why := l.Of(host); got != r || (r != spamfilter.Undecided) != (why != "") {
				t.Errorf("%s: %v (%s), want %v", host, got, why, r)
			}
		}
	}
	check(map[string]spamfilter.Ruling{
		"bad.example": spamfilter.Refuse, "x.farm.example": spamfilter.Refuse, "farm.example": spamfilter.Refuse, "a.b.farm.example:81": spamfilter.Refuse,
		"both.example": spamfilter.Allow, "odd.example:8080": spamfilter.Refuse, "odd.example": spamfilter.Undecided, "pills.example": spamfilter.Refuse,
		"other.example": spamfilter.Undecided, "example": spamfilter.Undecided, "notfarm.example": spamfilter.Undecided,
	})
	if l.Changed() {
		t.Error("nothing changed")
	}
	if err := log.Append(e); err != nil {
		t.Fatal(err)
	}
	if !l.Changed() || l.Changed() {
		t.Error("a new label was not noticed, or twice")
	}
	check(map[string]spamfilter.Ruling{"bad.example": spamfilter.Allow, "pills.example": spamfilter.Refuse})
	write(white, "a b c\n")
	if l.Changed() {
		t.Error("a list that cannot be read changed the rulings")
	}
	check(map[string]spamfilter.Ruling{"both.example": spamfilter.Allow})
	if _, err := filter.OpenLists(nil, []string{filepath.Join(dir, "none")}, nil); err == nil {
		t.Error("a list that does not exist was taken")
	}
	if _, err := filter.OpenLists(nil, nil, []string{white}); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a list that cannot be read: %v", err)
	}
}

func FuzzMerge(f *testing.F) {
	a := newAssessor(f)
	f.Add(sample(f, a, 2, 2, true), a.Look(page(1, false)))
	f.Add([]byte{}, []byte{1, 71})
	f.Fuzz(func(_ *testing.T, s, look []byte) {
		if merged, err := a.Merge(s, [][]byte{look}); err == nil {
			_, _ = a.Assess("a.example", merged)
		}
	})
}

// One merge and one assessment: what a page of a sample costs the committer.
func BenchmarkAssess(b *testing.B) {
	a := newAssessor(b)
	s := sample(b, a, 20, 20, false)
	for b.Loop() {
		if _, err := a.Assess("a.example", s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	a := newAssessor(b)
	s, look := sample(b, a, 20, 20, false), a.Look(page(30, false))
	for b.Loop() {
		if _, err := a.Merge(s, [][]byte{look}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(s)), "bytes/sample")
}

// The ensemble that people train, with and without reasons: what a host costs once its features are there.
func BenchmarkEnsemble(b *testing.B) {
	var rows [][]float64
	s := &learn.Set{Attributes: filter.Attributes(), Class: learn.Attribute{Name: "class", Values: []string{"spam", "normal"}}, Columns: make([][]float64, len(filter.Attributes()))}
	for n := range 300 {
		var h content.Host
		for i := range 3 {
			h.Add(filter.PageOf(page(n+7*i, n%2 == 0), nil))
		}
		row := filter.Row(&h)
		rows = append(rows, row)
		for a, v := range row {
			s.Columns[a] = append(s.Columns[a], v+float64(n*(a+3)%17)/40)
		}
		s.Y = append(s.Y, n%2)
	}
	m, err := spam.Train(b.Context(), s, spam.Config{Library: spam.Library(), Folds: 5, Seed: 1}, nil, time.Unix(0, 0))
	if err != nil {
		b.Fatal(err)
	}
	a, err := filter.New(m)
	if err != nil {
		b.Fatal(err)
	}
	bad, good := sample(b, a, 20, 20, true), sample(b, a, 20, 20, false)
	p := make([]float64, 2)
	for name, do := range map[string]func(i int){
		"classify":    func(i int) { m.Classifier.Classify(rows[i%len(rows)], p) },
		"explain":     func(i int) { spam.Explain(m, rows[i%len(rows)], 3) },
		"explain-one": func(int) { _, _ = a.Explain(bad) },
		"assess":      func(int) { _, _ = a.Assess("a.example", good) },
	} {
		b.Run(name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			from, n := cpu.Thread(), 0
			for b.Loop() {
				do(n)
				n++
			}
			b.ReportMetric(float64((cpu.Thread()-from).Microseconds())/float64(n), "cpu-µs/op")
		})
	}
}

func BenchmarkLook(b *testing.B) {
	a := newAssessor(b)
	p := page(1, false)
	p.Body = []byte("<title>Page</title>" + strings.Repeat(string(p.Body), 100))
	b.SetBytes(int64(len(p.Body)))
	for b.Loop() {
		a.Look(p)
	}
}
