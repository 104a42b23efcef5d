package changerate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestPool: pages say something of those like them, and nothing of other hosts.
func TestPool(t *testing.T) {
	p := &Pool{Prior: 0.01}
	of := func(url string) float64 { return p.Forecast(Subject{URL: url}).Value }
	if got := of("http://a.test/news/2026/x"); got != 0.01 {
		t.Errorf("before anything was met: %v", got)
	}
	p.Horizon = 50
	p.Learn(Subject{URL: "http://a.test/news/2026/one"}, 50)
	p.Learn(Subject{URL: "http://a.test/news/2027/two"}, 150)
	if got := of("http://a.test/news/2028/three"); !(got > 0.004 && got < 0.025) {
		t.Errorf("an article: %v, want about 0.01", got)
	}
	for range 20 {
		p.Learn(Subject{URL: "http://a.test/shop/x?id=1"}, 1)
	}
	shop, article, other := of("http://a.test/shop/y?id=9"), of("http://a.test/news/2026/x"), of("http://b.test/")
	if !(shop > 0.1 && article < 0.1 && other == 0.01) {
		t.Errorf("shop %v, article %v, another host %v", shop, article, other)
	}
	p.Learn(Subject{URL: "http://a.test/"}, math.NaN())
	p.Learn(Subject{URL: "http://a.test/"}, -5)
	if got := of("http://a.test/shop/y?id=9"); got != shop {
		t.Errorf("an age that cannot be was learnt: %v, was %v", got, shop)
	}
}

// TestPoolFindsRates: of templates with known rates, each page met at a random instant, the forecast of a page that was never met is near the rate of its template.
func TestPoolFindsRates(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 2))
	p := &Pool{Prior: 1e-3}
	for kind := range 5 {
		rate := math.Pow(10, -float64(kind)) // one change a second to one in three hours
		for i := range 400 {
			p.Learn(Subject{URL: fmt.Sprintf("http://a.test/kind%c/%d", 'a'+kind, i)}, r.ExpFloat64()/rate)
		}
	}
	for kind := range 5 {
		rate := math.Pow(10, -float64(kind))
		got := p.Forecast(Subject{URL: fmt.Sprintf("http://a.test/kind%c/900", 'a'+kind)})
		if rate < 1 && math.Abs(math.Log(got.Value/rate)) > 0.25 || got.Source != FromCrawl { // HTTP dates have seconds: half of one is the least age
			t.Errorf("kind %d: %v, want %v", kind, got.Value, rate)
		}
	}
}

func TestKinds(t *testing.T) {
	for url, want := range map[string][3]string{
		"http://a.test/":                       {"a.test", "a.test/", "=a.test/"},
		"http://a.test/about":                  {"a.test", "a.test/", "=a.test/about"},
		"http://a.test/news/2026/03/title-7":   {"a.test", "a.test/news/", "=a.test/news/#/#/*"},
		"http://a.test/list?page=3&sort=x":     {"a.test", "a.test/", "=a.test/list?"},
		"http://a.test/img/logo.svg":           {"a.test.svg", "a.test/img/.svg", "=a.test/img/*.svg"},
		"http://a.test/forum/t123/post?id=abc": {"a.test", "a.test/forum/", "=a.test/forum/*/*?"},
		"":                                     {"", "/", "=/"},
	} {
		if got := kindsOf(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

// forecasts are rates by address.
type forecasts map[string]float64

func (f forecasts) Forecast(s Subject) Rate { return Rate{Value: f[s.URL], Source: FromPredictor} }

// TestPoolKeepsDistinctions: what the forecaster tells apart stays apart, and what it has wrong for all pages of a kind is put right.
func TestPoolKeepsDistinctions(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 4))
	base, truth := forecasts{}, map[string]float64{}
	for i := range 400 {
		url := fmt.Sprintf("http://a.test/x/%d", i)
		truth[url] = math.Pow(10, -float64(i%3))
		base[url] = truth[url] / 5
	}
	p := &Pool{Base: base}
	for i := range 300 {
		url := fmt.Sprintf("http://a.test/x/%d", i)
		p.Learn(Subject{URL: url}, r.ExpFloat64()/truth[url])
	}
	for i := 300; i < 400; i++ {
		url := fmt.Sprintf("http://a.test/x/%d", i)
		if got := p.Forecast(Subject{URL: url}).Value; math.Abs(math.Log(got/truth[url])) > 0.35 {
			t.Errorf("%s: %v, want %v", url, got, truth[url])
		}
	}
}

// TestPoolIsBounded holds no more kinds than it may; pages of others count for the wider ones.
func TestPoolIsBounded(t *testing.T) {
	p := &Pool{Prior: 0.01}
	for i := range 2 * maxKinds {
		p.Learn(Subject{URL: fmt.Sprintf("http://a.test/s%c%c%c%c/x", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'a'+i/17576%26)}, 10)
	}
	if len(p.kinds) > maxKinds || p.kinds["a.test"].total != 2*maxKinds {
		t.Errorf("%d kinds, of the host %v", len(p.kinds), p.kinds["a.test"].total)
	}
}
