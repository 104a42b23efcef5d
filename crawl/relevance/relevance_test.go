package relevance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/crawl/priority"
	"varve/crawl/scope"
	"varve/lab/chance"
)

// What is wrong with a definition is told with its place.
func TestCheck(t *testing.T) {
	million := About{Keywords: make([]Keyword, 1_000_000)}
	for _, c := range []struct {
		about About
		want  string // "": nothing is wrong
	}{
		{About{}, ""},
		{About{Keywords: []Keyword{{"flood", 2}, {"sport", -1}}, Weights: map[string]float64{"anchor": 0}}, ""},
		{About{Keywords: []Keyword{{"flood", 2}, {"Flood", -1}}}, `keyword 2 "Flood": weight: is wanted and unwanted at once: keyword 1 "flood" has weight 2`},
		{About{Keywords: []Keyword{{"flood", 2}, {" flood.", 0}}}, `keyword 2 " flood.": word: stands here twice: it is keyword 1, too`},
		{About{Keywords: []Keyword{{"...", 0}}}, `keyword 1 "...": word: "..." has no letter or digit`},
		{About{Keywords: []Keyword{{"a", 1e9}}}, `keyword 1 "a": weight: 1e+09 is not between -100 and 100`},
		{million, "keyword: 1000000 keywords and names, at most 10000 are allowed"},
		{About{Entities: []Entity{{Name: "Rhine", Other: []string{""}}}}, `entity 1: other: "" has no letter or digit`},
		{About{Weights: map[string]float64{"anker": 1}}, `anker: there is no module "anker"; there are anchor, document,`},
		{About{Weights: map[string]float64{"anchor": -1}}, "anchor: the weight -1 is not between 0 and 100"},
		{About{Events: []Event{{"flood", "2021-07-14", "2021-07-13"}}}, `event 1 "flood": from: ends before it begins`},
		{About{Events: []Event{{From: "summer"}}}, `event 1: from: "summer" is no day, month or year`},
		{About{Patterns: []Pattern{{"(", 1}}}, `url 1 "(": regex: is no regular expression`},
		{About{Patterns: []Pattern{{"a", 2}}}, `url 1 "a": weight: 2 is not between -1 and 1`},
		{About{References: []Reference{{Text: "too short"}}}, "reference 1: text: has fewer than 20 words"},
		{About{Languages: []string{"German!"}}, `languages: "German!" is no language`},
		{About{Threshold: 3}, "threshold: 3 is not between 0 and 1"},
	} {
		err := c.about.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	all := map[string]float64{}
	for name := range defaultWeights {
		all[name] = 0
	}
	if err := (&About{Weights: all}).Check(); err == nil || !strings.Contains(err.Error(), "nothing is left to judge by") {
		t.Error(err)
	}
}

// Phrases are found as a search for each of them finds them.
func TestPhrases(t *testing.T) {
	rng := chance.Rand(t, 1)
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("abc"[rng.IntN(3)])
			b.WriteByte(" ,"[rng.IntN(2)])
		}
		return b.String()
	}
	for range 200 {
		var p phrases
		var list []words
		for range 1 + rng.IntN(6) {
			s := text(1 + rng.IntN(4))
			p.add(s)
			list = append(list, phrase(s))
		}
		where := phrase(text(30))
		got, want := make([]int, len(list)), make([]int, len(list))
		p.find(where, func(n, _ int) { got[n]++ })
		for n, w := range list {
			for i := 0; i+len(w) <= len(where); i++ {
				if where[i:i+len(w)].key() == w.key() {
					want[n]++
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("found %v, want %v", got, want)
		}
	}
}

const flooded = `The river rose above the bridge in July 2021. The flood in the valley of the Ahr was the worst since 1910: houses were lost, roads were gone.`

// The worked example of the package: each module says what its formula gives, the score is their weighted mean, and one without an
// opinion is left out.
func TestModules(t *testing.T) {
	about := About{
		Keywords:  []Keyword{{"flood", 2}, {"football", -3}},
		Entities:  []Entity{{Name: "Ahr valley", Other: []string{"valley of the Ahr"}}},
		Events:    []Event{{"the flood", "2021-07-14", "2021-07-20"}},
		Languages: []string{"en"},
		Patterns:  []Pattern{{"/news/", 1}, {"/login", -1}},
		References: []Reference{
			{Text: flooded},
			{Text: strings.Repeat("the match was won by the guests after a late goal ", 3), Unwanted: true},
		},
		Weights: map[string]float64{"document": 2, "time": 1},
	}
	j, err := New(about, nil)
	if err != nil {
		t.Fatal(err)
	}
	page := &Page{
		URL: "http://a.example/news/1", Title: "Flood", Text: flooded, Language: "en-GB",
		Links: []priority.Link{
			{URL: "http://a.example/news/2", Anchor: "more on the flood", Around: "read more on the flood here"},
			{URL: "http://a.example/login", Anchor: "log in"},
			{URL: "http://b.example/x", Anchor: "football", Around: "football"},
		},
		Spam: func(url string) (float64, bool) { return 0.75, strings.Contains(url, "b.example") },
	}
	total, said := j.Explain(page, -1)
	// keywords: flood twice, S = 2(1 + ln 2) = 3.386, S/(S+2) = 0.629; entities: once, 1/(1+2); time: 2021 of 2021 and 1910.
	want := map[string]float64{"keywords": 0.6287, "entities": 0.3333, "time": 0.5, "url": 1}
	sum, weight := 0.0, 0.0
	for _, s := range said {
		if w, ok := want[s.Module]; ok && (!s.Has || s.Value < w-0.001 || s.Value > w+0.001) {
			t.Errorf("%s: %v %.4f, want %.4f", s.Module, s.Has, s.Value, w)
		}
		if s.Has {
			sum, weight = sum+s.Weight*s.Value, weight+s.Weight
		}
		if s.Module == "entities" && !strings.HasPrefix(s.Why, "Ahr valley 1") || s.Module == "keywords" && !strings.HasPrefix(s.Why, "flood 2: ") {
			t.Errorf("%s: %q", s.Module, s.Why)
		}
		if (s.Module == "language" || s.Module == "anchor" || s.Module == "place" || s.Module == "way" || s.Module == "spam") && s.Has {
			t.Errorf("%s has an opinion on a page", s.Module)
		}
		if s.Module == "reference" && s.Value < 0.8 {
			t.Errorf("the page is a reference page, and is like one by %.2f", s.Value)
		}
	}
	if !total.Set || total.Value < sum/weight-1e-9 || total.Value > sum/weight+1e-9 {
		t.Errorf("relevance %v, want %g", total, sum/weight)
	}
	of := func(link int) map[string]Said {
		_, list := j.Explain(page, link)
		m := map[string]Said{}
		for _, s := range list {
			m[s.Module] = s
		}
		return m
	}
	first, login, elsewhere := of(0), of(1), of(2)
	switch {
	case first["anchor"].Value <= elsewhere["anchor"].Value || first["paragraph"].Value == 0 || !first["document"].OfPage:
		t.Errorf("the link to more on it: %+v", first)
	case login["url"].Value != 0 || login["paragraph"].Has || !strings.HasPrefix(login["keywords"].Why, "on its page flood 2: "):
		t.Errorf("the link to log in: %+v", login)
	case elsewhere["keywords"].OfPage || elsewhere["keywords"].Value != 0 || elsewhere["spam"].Value != 0.25 || !elsewhere["url"].OfPage:
		t.Errorf("the link to something unwanted: %+v", elsewhere)
	}
	// keywords of the links: 3.386/2 of the page (which is short); flood in the anchor and around it, 2(1 + ln 2) more; football twice, 3(1 + ln 2) less.
	for i, want := range []float64{0.7175, 0.4584, 0} {
		if got := of(i)["keywords"]; got.OfPage || got.Value < want-0.001 || got.Value > want+0.001 {
			t.Errorf("keywords of link %d: %+v, want %.4f", i, got, want)
		}
	}
	r := j.Rate(page)
	if !(r.Links[0].Value > 0.1+max(r.Links[1].Value, r.Links[2].Value)) {
		t.Errorf("links: %v", r.Links)
	}
	if !j.Hits(page) || j.Similarity(page) <= 0 {
		t.Error("the page has keywords, and words of the definition")
	}
}

// A page in a wanted language is not relevant for that, and one in another is so less; where nothing but languages is asked for, they decide.
func TestLanguageIsNoTopic(t *testing.T) {
	const dry = "The new timetable of the buses is on the notice board beside the door of the hall."
	for _, c := range []struct {
		about    About
		language string
		text     string
		relevant bool
	}{
		{About{Keywords: []Keyword{{Word: "flood"}}, Languages: []string{"en"}}, "en", dry, false},
		{About{Keywords: []Keyword{{Word: "flood"}}, Languages: []string{"en"}}, "en", flooded, true},
		{About{Languages: []string{"en"}}, "en", dry, true},
		{About{Languages: []string{"en"}}, "de", dry, false},
	} {
		j, err := New(c.about, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Rate(&Page{URL: "http://a.example/", Text: c.text, Language: c.language}).Page; got.Value >= c.about.Relevant() != c.relevant {
			t.Errorf("%+v: %.20q in %s: %+v", c.about, c.text, c.language, got)
		}
	}
	j, err := New(About{Keywords: []Keyword{{Word: "flood"}}, Languages: []string{"en"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	here, there := j.Rate(&Page{Text: flooded, Language: "en"}).Page.Value, j.Rate(&Page{Text: flooded, Language: "de"}).Page.Value
	if here <= there {
		t.Errorf("in English %.3f, in German %.3f", here, there)
	}
}

// On a page that is full of keywords a link with one of them is worth more than a link with none, and on a long page a link
// with none is worth less than on a short one.
func TestOwnWordsOfLinks(t *testing.T) {
	j, err := New(About{Keywords: []Keyword{{Word: "flood"}, {Word: "dyke"}, {Word: "river"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	of := func(more int) (with, without float64) {
		p := &Page{URL: "http://a.example/", Text: strings.Repeat("flood dyke river ", 20) + strings.Repeat("and so on ", more), Links: []priority.Link{
			{URL: "http://a.example/1", Anchor: "one", Around: "one of the dyke"}, {URL: "http://a.example/2", Anchor: "two", Around: "two of the match"},
		}}
		_, a := j.Explain(p, 0)
		_, b := j.Explain(p, 1)
		is := func(s Said) bool { return s.Module == "keywords" }
		return a[slices.IndexFunc(a, is)].Value, b[slices.IndexFunc(b, is)].Value
	}
	with, without := of(0)
	longWith, longWithout := of(2000)
	if with <= without || longWith <= longWithout || longWithout >= without || longWithout <= 0 {
		t.Errorf("short page: with %.3f, without %.3f; long page: %.3f, %.3f", with, without, longWith, longWithout)
	}
}

// Where relevant pages were, more of them are looked for.
func TestPlace(t *testing.T) {
	j, err := New(About{Keywords: []Keyword{{Word: "flood"}}, Weights: map[string]float64{"document": 0, "anchor": 0, "paragraph": 0, "keywords": 0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(url string) Opinion {
		return j.Rate(&Page{URL: "http://x.example/", Links: []priority.Link{{URL: url}}}).Links[0]
	}
	for i := range placePages {
		if o := ask("http://a.example/good/z"); o.Set && 2*i < placePages { // those of the host count together
			t.Errorf("after %d pages there is an opinion", i)
		}
		j.Learn(&Page{URL: fmt.Sprintf("http://a.example/good/%d", i)}, scope.Is(0.8))
		j.Learn(&Page{URL: fmt.Sprintf("http://a.example/bad/%d", i)}, scope.Is(0.2))
	}
	for url, want := range map[string]float64{"http://a.example/good/z": 0.8, "http://a.example/bad/z": 0.2, "http://a.example/new/z": 0.5} {
		if o := ask(url); !o.Set || o.Value < want-1e-9 || o.Value > want+1e-9 {
			t.Errorf("%s: %v, want %g", url, o, want)
		}
	}
}

// faulty is a module that does what the test says.
type faulty struct {
	name string
	do   func()
}

func (f *faulty) Name() string       { return f.name }
func (f *faulty) Page(*Page) Opinion { return scope.Is(1.0) }
func (f *faulty) Link(*Page, *priority.Link) Opinion {
	f.do()
	return scope.Is(1.0)
}

// A module that panics or hangs loses its voice; the page is rated by the others.
func TestSilent(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	panics := &faulty{"panics", func() { panic("no") }}
	hangs := &faulty{"hangs", func() { <-release }}
	about := About{Keywords: []Keyword{{Word: "flood"}}}
	sound, err := New(about, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := New(about, nil, panics, hangs)
	if err != nil {
		t.Fatal(err)
	}
	j.patience = 50 * time.Millisecond
	page := func() *Page {
		return &Page{URL: "http://a.example/", Text: flooded, Links: []priority.Link{{URL: "http://a.example/b", Anchor: "flood"}}}
	}
	want := sound.Rate(page())
	for range 2 {
		if got := j.Rate(page()); got.Page != want.Page || got.Links[0] != want.Links[0] {
			t.Errorf("rated %v, want %v", got, want)
		}
	}
	silent := j.Silent()
	if len(silent) != 2 || !strings.Contains(silent["panics"], "panicked on http://a.example/: no") || !strings.Contains(silent["hangs"], "took more than 50ms") {
		t.Errorf("silent are %v", silent)
	}
}

// BenchmarkRate is the cost of a page of 600 words and 60 links with a definition of 200 terms.
func BenchmarkRate(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("w%d", int(5000*rng.Float64()*rng.Float64())) }
	var about About
	for i := range 200 {
		about.Keywords = append(about.Keywords, Keyword{Word: fmt.Sprintf("w%d", i*20)})
	}
	j, err := New(about, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := &Page{URL: "http://a.example/x/y"}
	for i := range 60 {
		from := int32(len(p.Text))
		for range 10 {
			p.Text += word() + " "
		}
		at := priority.Place{From: from, To: from + int32(strings.IndexByte(p.Text[from:], ' '))}
		p.Links = append(p.Links, priority.Link{URL: fmt.Sprintf("http://a.example/x/%d", i), Anchor: p.Text[at.From:at.To], AnchorAt: at})
	}
	for i := range p.Links {
		l := &p.Links[i]
		l.AroundAt = priority.Place{From: max(0, l.AnchorAt.From-200), To: min(int32(len(p.Text)), l.AnchorAt.To+200)}
		l.Around = p.Text[l.AroundAt.From:l.AroundAt.To]
	}
	for b.Loop() {
		r := j.Rate(p)
		j.Learn(p, r.Page)
		j.Done(p)
	}
}
