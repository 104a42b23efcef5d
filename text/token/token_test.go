package token_test

import (
	"slices"
	"strings"
	"testing"

	"varve/text/token"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"The quick (brown) fox can't jump 32.3 feet, right?": "The quick brown fox can't jump 32.3# feet right",
		"Größe, naïve — l’été":                               "Größe naïve l’été",
		"x86-64 and C++":                                     "x86 64# and C",
		"人人生而自由 ok":                                          "人! 人! 生! 而! 自! 由! ok",
		"カタカナ と":                                             "カタカナ と!",
		"한국어 단어":                                             "한국어 단어",
		"... !!! —":                                          "",
		"a\u0301 e\u0301t":                                   "a\u0301 e\u0301t",
		"12:30 2026-11-15":                                   "12# 30# 2026# 11# 15#",
	} {
		var got []string
		for w := range token.Words(text) {
			got = append(got, w.Text+map[token.Kind]string{token.Number: "#", token.Alone: "!"}[w.Kind])
			if text[w.Start:w.End] != w.Text {
				t.Errorf("%q: %q is not at %d", text, w.Text, w.Start)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		lang string
		want []string
	}{
		{"en", []string{"Dr. Smith paid 3.50 to Mr. Jones.", "He left at 5 p.m. on Monday.", "Why?", "Nobody knows!"}},
		{"en", []string{"J. S. Bach wrote it.", "See Fig. 3 for more."}},
		{"en", []string{"It is the U.S. Army.", "“Really?” she asked.", "Yes."}},
		{"en", []string{"It rained.[1] [12]", "Then it stopped. [3]", "See p. 5 of it.", "He said no.", "They left the U.S.", "The U.S. Army and O.J. Simpson came."}},
		{"en", []string{"2.1. Methods were new, e.g. The Times.", "Apple Inc. announced it.", "It is made by Apple Inc.", "He left."}},
		{"de", []string{"Das geschah am 5. März 2020 in St. Gallen.", "Es gab z.B. Kuchen.", "Danach war Ruhe."}},
		{"de", []string{"Er wohnt in der Hauptstr. 5, vgl. Abs. 3.", "Mehr nicht."}},
		{"fr", []string{"M. Dupont est arrivé.", "Il est parti av. J.-C. ou après."}},
		{"ru", []string{"Это было в 1999 г. в Москве.", "Потом он уехал."}},
		{"cs", []string{"Stalo se to 5. května ráno.", "Nikdo to neviděl."}},
		{"zh", []string{"人人生而自由。", "他们赋有理性和良心！"}},
		{"ja", []string{"すべての人間は自由である。", "本当ですか？"}},
		{"", []string{"One sentence.", "Another one."}},
	} {
		text := strings.Join(c.want, " ")
		if c.lang == "zh" || c.lang == "ja" {
			text = strings.Join(c.want, "")
		}
		var got []string
		for s := range token.Sentences(text, c.lang) {
			got = append(got, s.Text)
			if text[s.Start:s.End] != s.Text {
				t.Errorf("%q: %q is not at %d", text, s.Text, s.Start)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q\nwant\n%q", c.lang, got, c.want)
		}
	}
}

// A line that was broken for its length goes on; a heading does not, nor a list.
func TestWrappedLines(t *testing.T) {
	for text, want := range map[string]int{
		"A line that was broken because it was too long for the page\nends here. Another one.": 2,
		"A short heading\nthe text": 2,
		"A line that was not broken though it is as long as a line;\nthe next":  2,
		"A line that is long enough and before another paragraph of it\n\nhere": 2,
	} {
		if got := len(slices.Collect(token.Sentences(text, "en"))); got != want {
			t.Errorf("%q: %d sentences, want %d", text, got, want)
		}
	}
}

// Blocks on lines of their own are sentences of their own.
func TestHeadingsEndSentences(t *testing.T) {
	got := slices.Collect(token.Sentences("A heading\nThe text begins. It ends\n\nMore", "en"))
	if len(got) != 4 {
		t.Errorf("%+v", got)
	}
}

func TestStems(t *testing.T) {
	for lang, words := range map[string]string{
		"en": "running run, houses hous", "de": "häuser haus, laufenden laufend", "fr": "continuellement continuel", "es": "corriendo corr",
		"ru": "книгами книг", "sv": "husen hus", "hu": "házakban ház", "tr": "kitaplar kitap",
	} {
		s, ok := token.NewStemmer(lang)
		if !ok {
			t.Fatalf("no stemmer for %s", lang)
		}
		for pair := range strings.SplitSeq(words, ", ") {
			word, want, _ := strings.Cut(pair, " ")
			if got := s.Stem(word); got != want {
				t.Errorf("%s: %s became %s, want %s", lang, word, got, want)
			}
		}
	}
	if s, ok := token.NewStemmer("zh"); ok || s.Stem("人") != "人" {
		t.Error("Chinese has stems")
	}
	if n := len(token.StemLanguages()); n < 18 {
		t.Errorf("%d languages", n)
	}
}

// Words and sentences lie in the text, in order and apart, whatever the bytes are.
func FuzzCut(f *testing.F) {
	f.Add("Dr. Smith paid 3.50. z.B. J. S. 5. 人人。\xff\n\nx", "de")
	f.Fuzz(func(t *testing.T, text, lang string) {
		at := 0
		for w := range token.Words(text) {
			if w.Start < at || w.End <= w.Start || text[w.Start:w.End] != w.Text {
				t.Fatalf("word %+v after %d", w, at)
			}
			at = w.End
		}
		at = 0
		for s := range token.Sentences(text, lang) {
			if s.Start < at || s.End <= s.Start || text[s.Start:s.End] != s.Text {
				t.Fatalf("sentence %+v after %d", s, at)
			}
			at = s.End
		}
	})
}

// Stemmers of the library must not panic, whatever they are given.
func FuzzStem(f *testing.F) {
	for _, w := range []string{"running", "häuser", "ы", "ﷲ", "\xff", "aaaa'"} {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, word string) {
		for _, l := range token.StemLanguages() {
			s, _ := token.NewStemmer(l)
			if once := s.Stem(word); len(once) > 2*len(word)+8 {
				t.Fatalf("%s: %q became %q", l, word, once)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat("The tide table of the harbour is printed twice a year. ", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range token.Words(text) {
		}
	}
}

func BenchmarkSentences(b *testing.B) {
	text := strings.Repeat("The tide table of the harbour is printed twice a year. ", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range token.Sentences(text, "en") {
		}
	}
}
