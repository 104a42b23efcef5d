package needle

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// counts is how often each word is in the text, by Find.
func counts(s *Set, text []byte) []int {
	out := make([]int, len(s.words))
	s.Find(text, func(w int) bool { out[w]++; return true })
	return out
}

// byForce looks at every place for every word.
func byForce(words []string, text []byte) []int {
	out := make([]int, len(words))
	for i, w := range words {
		for at := range text {
			if bytes.HasPrefix(text[at:], []byte(w)) {
				out[i]++
			}
		}
	}
	return out
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		words []string
		text  string
		want  []int
	}{
		{[]string{"eval(", "atob("}, "return value", []int{0, 0}},
		{[]string{"eval(", "atob("}, "eval(atob(x))", []int{1, 1}},
		{[]string{"aaa"}, "aaaaa", []int{3}},
		{[]string{"abc", "abcd", "abc"}, "zabcd", []int{1, 1, 1}},
		{[]string{"long word", "ord"}, "a long word", []int{1, 1}},
		{[]string{"end"}, "the en", []int{0}},
		{[]string{"end"}, "", []int{0}},
		{[]string{"eva", "e", "zz"}, "ee eva", []int{1, 1, 0}},
		{[]string{"e"}, "xe", []int{1}},
		{nil, "x", []int{}},
	} {
		if got := counts(New(c.words...), []byte(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.words, c.text, got, c.want)
		}
	}
	n := 0
	New("aaa").Find([]byte("aaaaaa"), func(int) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("%d calls after the second said enough", n)
	}
}

// Random words over few letters, in texts that are full of them, and long words.
func TestAgainstForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	letters := func(n, of int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'a' + byte(rnd.IntN(of))
		}
		return b
	}
	for range 2000 {
		of := 1 + rnd.IntN(4)
		words := make([]string, 1+rnd.IntN(8))
		for i := range words {
			words[i] = string(letters(3+rnd.IntN(6), of))
		}
		if rnd.IntN(20) == 0 {
			words = []string{string(letters(300+rnd.IntN(50), 2))}
		}
		text := letters(rnd.IntN(80), of)
		if rnd.IntN(2) == 0 {
			text = append(text, strings.Join(words, "")...)
		}
		if got, want := counts(New(words...), text), byForce(words, text); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q in %q: %v, want %v", words, text, got, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("eval(", "atob(", []byte("x=eval(atob(y))"))
	f.Fuzz(func(t *testing.T, a, b string, text []byte) {
		if len(text) > 2000 {
			return
		}
		got, want := counts(New(a, b), text), byForce([]string{a, b}, text)
		for i, w := range []string{a, b} {
			if len(w) < block {
				got[i], want[i] = min(got[i], 1), min(want[i], 1)
			}
		}
		if a != "" && b != "" && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	words := []string{"https://api.w.org/", "action=rsd", "Mastodon", "mastodon", "Discourse", `rel="next"`}
	text := bytes.Repeat([]byte(`<p>Most of a page is made of words, and of <a href="/some/where.html">links</a> to other pages.</p>`), 150)
	s := New(words...)
	b.Run("set", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s.Find(text, func(int) bool { return true })
		}
	})
	b.Run("contains", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for _, w := range words {
				bytes.Contains(text, []byte(w))
			}
		}
	})
}
