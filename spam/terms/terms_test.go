package terms

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestVocabulary(t *testing.T) {
	var pages [][3]string
	for i := range 60 {
		pages = append(pages, [3]string{"en", "Harbour News", fmt.Sprintf("the harbour is open the ship%d", i%3)})
		pages = append(pages, [3]string{"de", "Hafen", "der hafen der stadt"})
	}
	pages = append(pages, [3]string{"fr", "", "le port"}, [3]string{"", "", "the"})
	v, err := Collect(pages)
	if err != nil {
		t.Fatal(err)
	}
	en := v.For("en")
	if en.Pages != 60 || en.Tokens != 360 || en.Terms[0].Word != "the" || en.Terms[0].Count != 120 {
		t.Fatalf("%+v", en.Terms[:3])
	}
	// the, harbour, is, open are on every page, ship0..2 on a third of them: all stop words but news, which is in titles alone
	if r := en.Lookup("news"); en.Stop != 7 || r.Corpus != 0 || r.Query != 0 || en.Lookup("the") != (Ranks{0, Never, Never}) || en.Lookup("absent").Popular != Never {
		t.Errorf("%d stop words, news is %+v, the is %+v", en.Stop, r, en.Lookup("the"))
	}
	if fr := v.For("fr"); fr != v.For("") || fr.Pages != 122 {
		t.Error("a language with one page must be measured with all")
	}
	all := v.For("")
	if i := slices.IndexFunc(all.Terms, func(t Term) bool { return t.Word == "the" }); all.Terms[i].Count != 121 {
		t.Errorf("all languages: %+v", all.Terms[i])
	}
	v.Queries([]string{"pills", "harbour"})
	if en.Lookup("pills").Query != 0 || en.Lookup("harbour").Query != 1 || en.Lookup("news").Query != Never || en.Query != 2 {
		t.Error("the query log is not used")
	}
	var none *Vocabulary
	if none.For("en") != nil {
		t.Error("words of nothing")
	}
}

// Only the commonest are kept, whatever the order they came in.
func TestBuilderKeepsTheCommonest(t *testing.T) {
	var b Builder
	for i := range Most + 100 {
		b.Add(Term{Language: "en", Word: fmt.Sprintf("w%06d", i), Count: int64(i % 1000)})
	}
	v, err := b.Build(map[string]Size{"en": {Pages: 100}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if l := v.Languages["en"]; len(l.Terms) != Most || l.Terms[0].Count != 999 || l.Terms[Most-1].Count < 1 {
		t.Errorf("%d kept, last %+v", len(l.Terms), l.Terms[len(l.Terms)-1])
	}
	if _, err := New([]Term{{Language: "xx", Word: "a"}}, nil, nil); err == nil {
		t.Error("a word of no language is no error")
	}
}

// A sketch is never too low, and too high by at most 2N/w for three of four.
func TestSketch(t *testing.T) {
	s := NewSketch()
	r := rand.New(rand.NewPCG(1, 1))
	truth := map[uint64]uint32{}
	for range 300_000 {
		h := Mix(r.Uint64N(100_000))
		truth[h]++
		s.Add(h)
	}
	wrong := 0
	for h, n := range truth {
		got := s.Count(h)
		if got < n {
			t.Fatalf("%d counted as %d", n, got)
		}
		if got > n+uint32(2*300_000/Columns) {
			wrong++
		}
	}
	if wrong > len(truth)/4 || s.Total != 300_000 {
		t.Errorf("%d of %d are too high", wrong, len(truth))
	}
	other := NewSketch()
	b := s.Append(nil)
	for range 2 {
		if err := other.Merge(b); err != nil {
			t.Fatal(err)
		}
	}
	for h := range truth {
		if other.Count(h) != 2*s.Count(h) {
			t.Fatal("merged twice is not twice")
		}
	}
	if other.Kinds != s.Kinds || other.Probability(12345) >= s.Probability(maxKey(truth)) {
		t.Error("probabilities")
	}
	for _, bad := range []string{"", "\x01", string(b[:len(b)-1]), string(b) + "x"} {
		if NewSketch().Merge([]byte(bad)) == nil {
			t.Errorf("%d bytes are no error", len(bad))
		}
	}
}

func maxKey(m map[uint64]uint32) (best uint64) {
	for h, n := range m {
		if n > m[best] {
			best = h
		}
	}
	return best
}

func TestHashed(t *testing.T) {
	a, b := BagOf("a a b c"), BagOf("b c c d")
	x, y := a.Hashed(), b.Hashed()
	j, c := Alike(x, y)
	if j != .5 || math.Abs(c-3/math.Sqrt(6*6)) > 1e-12 {
		t.Errorf("Jaccard %v, cosine %v", j, c)
	}
	sum := x.Plus(y)
	if sum.Count(Half(Hash("c"))) != 3 || sum.Tokens() != 8 || sum.Count(1) != 0 {
		t.Errorf("%v", sum)
	}
	back, err := ParseHashed(sum.Append(nil))
	if err != nil || !slices.Equal(back, sum) {
		t.Error(back, err)
	}
	if j, c := Alike(nil, nil); j == j || c == c {
		t.Error("two empty bags")
	}
	if j, c := Alike(x, nil); j != 0 || c != 0 {
		t.Error("an empty bag")
	}
	var big, more Hashed
	for i := range uint32(MaxEntries) {
		big = append(big, Entry{i * 2, 2})
		more = append(more, Entry{i*2 + 1, 1})
	}
	if got := big.Plus(more); len(got) != MaxEntries || got[1].Hash != 2 {
		t.Error("the rarest words must go first")
	}
}

// The worked example of docs/algorithms/spam_features.md.
func TestBM25(t *testing.T) {
	var pages [][3]string
	for i := range 100 {
		text := "filler"
		if i < 10 {
			text = "pills filler"
		}
		pages = append(pages, [3]string{"en", "", text})
	}
	v, err := Collect(pages)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWeigher(v, 10, map[string]int{"en": 10})
	if w.Len() != 1 || w.Definitions()[0].Name != "en.pills" { // filler is a stop word
		t.Fatalf("%v", w.Definitions())
	}
	bag := BagOf("pills pills x x x x x x x x x").Hashed() // as long as the mean of 110 / 10
	idf := math.Log(1 + 90.5/10.5)
	if got, want := w.BM25(nil, "en", bag)[0], idf*2*2.2/(2+1.2); math.Abs(got-want) > 1e-12 {
		t.Errorf("BM25 %v, want %v", got, want)
	}
	if got, want := w.TFIDF(nil, "en", bag)[0], (1+math.Log(2))*math.Log(10); math.Abs(got-want) > 1e-12 {
		t.Errorf("tf-idf %v, want %v", got, want)
	}
	if w.BM25(nil, "de", bag)[0] != 0 {
		t.Error("a word of another language counts")
	}
}

func FuzzParseHashed(f *testing.F) {
	f.Add(BagOf("a b c").Hashed().Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParseHashed(b)
		if err != nil {
			return
		}
		again, err := ParseHashed(h.Append(nil))
		if err != nil || !slices.Equal(h, again) {
			t.Errorf("%v: %v", err, again)
		}
	})
}

func BenchmarkBag(b *testing.B) {
	text := strings.Repeat("The harbour office opened its new building on Monday. ", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		BagOf(text)
	}
}
