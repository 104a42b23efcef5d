package noise_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/lab/chance"
	"varve/text/noise"
)

func TestWorkedExample(t *testing.T) {
	a, b := `<p>Ebb</p><i id="a" data-secret="X7q">`, `<p>Ebb</p><i id="a" data-secret="Kw2">`
	got := noise.Learn([]noise.Sample{{A: []byte(a), B: []byte(b)}})
	if len(got) != 1 || got[0].Left != `secret="` || got[0].Right != `"` {
		t.Fatalf("%+v", got)
	}
	if masked := string(got.Mask([]byte(a))); masked != `<p>Ebb</p><i id="a" data-secret="x">` {
		t.Error(masked)
	}
}

// Each case has what two answers at once taught, and two later captures of another page of the template.
func TestNoiseAndEdits(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b       string // asked for at once
		then, next string
		same       bool
	}{
		{
			"oEmbed", `{"title":"Gale","html":"<blockquote data-secret=\"Ab12\"><a href=\"\/gale\">Gale<\/a><iframe src=\"\/gale#?secret=Ab12\" data-secret=\"Ab12\">"}`,
			`{"title":"Gale","html":"<blockquote data-secret=\"Zz98\"><a href=\"\/gale\">Gale<\/a><iframe src=\"\/gale#?secret=Zz98\" data-secret=\"Zz98\">"}`,
			`{"title":"Ebb","html":"<blockquote data-secret=\"q1W2\"><a href=\"\/ebb\">Ebb<\/a><iframe src=\"\/ebb#?secret=q1W2\" data-secret=\"q1W2\">"}`,
			`{"title":"Ebb","html":"<blockquote data-secret=\"e3R4\"><a href=\"\/ebb\">Ebb<\/a><iframe src=\"\/ebb#?secret=e3R4\" data-secret=\"e3R4\">"}`, true,
		},
		{
			"oEmbed, edited", `{"title":"Gale","html":"<blockquote data-secret=\"Ab12\">"}`, `{"title":"Gale","html":"<blockquote data-secret=\"Zz98\">"}`,
			`{"title":"Ebb","html":"<blockquote data-secret=\"q1W2\">"}`, `{"title":"Flood","html":"<blockquote data-secret=\"e3R4\">"}`, false,
		},
		{
			"rotating host", `<img class="avatar" src="http://0.av.example/7"><img class="avatar" src="http://2.av.example/8">`, `<img class="avatar" src="http://1.av.example/7"><img class="avatar" src="http://2.av.example/8">`,
			`<img class="avatar" src="http://0.av.example/9">`, `<img class="avatar" src="http://2.av.example/9">`, true,
		},
		{
			"rotating host, another picture", `<img class="avatar" src="http://0.av.example/7">`, `<img class="avatar" src="http://1.av.example/7">`,
			`<img class="avatar" src="http://0.av.example/9">`, `<img class="avatar" src="http://2.av.example/10">`, false,
		},
		{
			"a quote among paragraphs", `<p>One stays.</p><p>Two stays.</p><p class="quote">Who dares wins.</p><p>Three.</p>`, `<p>One stays.</p><p>Two stays.</p><p class="quote">Slow and steady.</p><p>Three.</p>`,
			`<p>One stays.</p><p class="quote">Look twice.</p><p>Four.</p>`, `<p>One stays.</p><p class="quote">Never mind.</p><p>Four.</p>`, true,
		},
		{
			"a paragraph edited beside a quote", `<p>One stays.</p><p class="quote">Who dares wins.</p><p>Three.</p>`, `<p>One stays.</p><p class="quote">Slow and steady.</p><p>Three.</p>`,
			`<p>One stays.</p><p class="quote">Look twice.</p><p>Four.</p>`, `<p>One went.</p><p class="quote">Never mind.</p><p>Four.</p>`, false,
		},
		{
			"not told apart: a change", `<p>One</p><p>Two</p><p>One</p><p>Two</p><p>r4nd</p><p>One</p><p>Two</p>`, `<p>One</p><p>Two</p><p>One</p><p>Two</p><p>d1ce</p><p>One</p><p>Two</p>`,
			`<p>One</p><p>Two</p><p>Three</p>`, `<p>One</p><p>Two</p><p>Four</p>`, false,
		},
		{"a time that appears", `<b id=t></b><i>x</i>`, `<b id=t>12</b><i>x</i>`, `<b id=t>3</b>`, `<b id=t></b>`, true},
	} {
		rules := noise.Learn([]noise.Sample{{A: []byte(c.a), B: []byte(c.b)}})
		x, y := rules.Mask([]byte(c.then)), rules.Mask([]byte(c.next))
		if (string(x) == string(y)) != c.same {
			t.Errorf("%s: rules %+v give\n%s\n%s", c.name, rules, x, y)
		}
	}
}

// Pages of a template with noise in known places: unseen pages are equal without it, and every edit of a word elsewhere shows.
func TestPlanted(t *testing.T) {
	rng := chance.Rand(t, 7)
	words := strings.Fields("ebb flood tide moon harbour jetty wall storm lamp keeper boat net crab stone ink table")
	for range 60 {
		random := func() string { return fmt.Sprintf("%x", rng.Uint64()>>rng.IntN(24)) }
		page := func(text []string) string {
			var b strings.Builder
			fmt.Fprintf(&b, `<html><head><script>var cfg={"key":"%s","v":3}</script></head><body data-visit="%s">`, random(), random())
			for i, w := range text {
				fmt.Fprintf(&b, `<p class="c%d">%s</p>`, i%3, w)
			}
			fmt.Fprintf(&b, `<footer>Made in %d ms by <b>us</b></footer><iframe src="/f?secret=%s"></iframe></body></html>`, rng.Uint64(), random())
			return b.String()
		}
		prose := func() (text []string) {
			for range 3 + rng.IntN(20) {
				text = append(text, words[rng.IntN(len(words))]+" "+words[rng.IntN(len(words))])
			}
			return text
		}
		var samples []noise.Sample
		for range 2 {
			text := prose()
			samples = append(samples, noise.Sample{A: []byte(page(text)), B: []byte(page(text))})
		}
		rules := noise.Learn(samples)
		text := prose()
		a, b := rules.Mask([]byte(page(text))), rules.Mask([]byte(page(text)))
		if string(a) != string(b) {
			t.Fatalf("rules %+v leave\n%s\n%s", rules, a, b)
		}
		text[rng.IntN(len(text))] = "edited by hand"
		if c := rules.Mask([]byte(page(text))); string(a) == string(c) {
			t.Fatalf("rules %+v hide an edit in\n%s", rules, c)
		}
	}
}

func TestTwoPagesTeachNothing(t *testing.T) {
	a, b := strings.Repeat("one two three ", 2000), strings.Repeat("four five six ", 2000)
	if got := noise.Learn([]noise.Sample{{A: []byte(a), B: []byte(b)}, {}, {A: []byte("same"), B: []byte("same")}}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func FuzzLearn(f *testing.F) {
	f.Add(`<p a="1">x</p>`, `<p a="2">x</p>`)
	f.Fuzz(func(t *testing.T, a, b string) {
		rules := noise.Learn([]noise.Sample{{A: []byte(a), B: []byte(b)}})
		for _, r := range rules {
			if r.Left == "" || r.Right == "" || r.Most <= 0 {
				t.Errorf("%+v", r)
			}
		}
		rules.Mask([]byte(a))
	})
}
