package prose_test

import (
	"bytes"
	"math"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

func lexicon(t testing.TB, lang string) *prose.Lexicon {
	l, err := prose.NewLexicon(1, lang)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func text(l *prose.Lexicon, seed uint64, sentences, topic int) string {
	var b []byte
	for i := range sentences {
		b = append(l.Sentence(b, dice.Mix(seed, uint64(i)), prose.Voice{Topic: topic}), ' ')
	}
	return string(b)
}

func TestSameNameSameText(t *testing.T) {
	for _, lang := range prose.Languages() {
		a, b := text(lexicon(t, lang), 5, 50, 2), text(lexicon(t, lang), 5, 50, 2)
		if a != b {
			t.Errorf("%s: two texts of one name differ", lang)
		}
		if a == text(lexicon(t, lang), 6, 50, 2) {
			t.Errorf("%s: two names, one text", lang)
		}
		if !utf8.ValidString(a) {
			t.Errorf("%s: not UTF-8", lang)
		}
	}
	if _, err := prose.NewLexicon(1, "xx"); err == nil {
		t.Error("no error for an unknown language")
	}
}

// The frequency of the word of rank r must fall about as 1/r.
func TestZipf(t *testing.T) {
	counts := map[string]int{}
	for _, w := range strings.Fields(strings.ToLower(text(lexicon(t, "en"), 1, 20_000, 0))) {
		counts[strings.Trim(w, ".,")]++
	}
	var freq []int
	for _, n := range counts {
		freq = append(freq, n)
	}
	sort.Sort(sort.Reverse(sort.IntSlice(freq)))
	slope := (math.Log(float64(freq[999])) - math.Log(float64(freq[9]))) / (math.Log(1000) - math.Log(10))
	if slope > -0.7 || slope < -1.2 {
		t.Errorf("slope of log frequency over log rank is %.2f, want about -1", slope)
	}
	if len(freq) < 3900 {
		t.Errorf("only %d different words", len(freq))
	}
}

// Texts of one topic share more rare words than texts of two.
func TestTopics(t *testing.T) {
	l := lexicon(t, "en")
	set := func(seed uint64, topic int) map[string]bool {
		m := map[string]bool{}
		var b []byte
		for i := range uint64(60) {
			b = append(l.Sentence(b, dice.Mix(seed, i), prose.Voice{Topic: topic, Text: dice.Mix(seed) | 1}), ' ')
		}
		for _, w := range strings.Fields(string(b)) {
			m[strings.Trim(strings.ToLower(w), ".,")] = true
		}
		return m
	}
	shared := func(a, b map[string]bool) (n int) {
		for w := range a {
			if b[w] {
				n++
			}
		}
		return n
	}
	same, other := 0, 0
	for i := range uint64(20) {
		a := set(2*i, 3)
		same, other = same+shared(a, set(2*i+1, 3)), other+shared(a, set(2*i+1, 4))
	}
	if same < other+20*15 {
		t.Errorf("%d words shared within a topic, %d across, in 20 pairs", same, other)
	}
}

func TestSlugIsASCII(t *testing.T) {
	for _, lang := range prose.Languages() {
		l := lexicon(t, lang)
		for i := range uint64(500) {
			for _, c := range l.Slug(nil, i, prose.Voice{Topic: 1}) {
				if c != '-' && (c < 'a' || c > 'z') {
					t.Fatalf("%s: slug %q", lang, l.Slug(nil, i, prose.Voice{Topic: 1}))
				}
			}
		}
		for i := range 50 {
			if l.Section(i) == "" || l.Section(i) == l.Section(i+20) {
				t.Errorf("%s: section %d is %q", lang, i, l.Section(i))
			}
		}
	}
}

func BenchmarkSentence(b *testing.B) {
	l := lexicon(b, "en")
	var buf []byte
	b.ReportAllocs()
	for i := range b.N {
		buf = l.Sentence(buf[:0], uint64(i), prose.Voice{Topic: 1, Text: 7})
		b.SetBytes(int64(len(buf)))
	}
	if bytes.IndexByte(buf, '.') < 0 {
		b.Fatal("no sentence")
	}
}
