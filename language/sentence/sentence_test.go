package sentence_test

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/language/sentence"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "",
		"I don't know.":                           "I do n't know .",
		"It's Elena's, they’ll say":               "It 's Elena 's , they ’ll say",
		"Dr. Smith (U.S. citizen)":                "Dr. Smith ( U.S. citizen )",
		"well-known non-profit e-mail":            "well - known non-profit e-mail",
		"Wait... really?! Yes!!!":                 "Wait ... really ?! Yes !!!",
		"$5.50, 20% and 1,000":                    "$ 5.50 , 20 % and 1,000",
		"at 10:30 or 5pm on 11/15/2026":           "at 10:30 or 5 pm on 11/15/2026",
		"See http://a.org/x?y=1, www.b.com.":      "See http://a.org/x?y=1 , www.b.com .",
		"Mail a.b@port.ac.uk; @name #tag":         "Mail a.b@port.ac.uk ; @name #tag",
		"and/or :) \"quoted\"":                    "and / or :) \" quoted \"",
		"cannot gonna":                            "can not gon na",
		"Research [1]–[11].":                      "Research [ 1 ] – [ 11 ] .",
		"O'Connor and AT&T":                       "O'Connor and AT&T",
		"‘Hi’ -- 713-853-3989":                    "‘ Hi ’ -- 713-853-3989",
		"a\u200bb \u202eright\u202c left\x00over": "a b right left over",
		"人人生而自由 ok":                               "人人生而自由 ok",
		"N'T I'D":                                 "N'T I 'D",
	} {
		var got []string
		for _, k := range sentence.AppendTokens(nil, text, 0, len(text)) {
			got = append(got, k.Text)
			if text[k.Start:k.End] != k.Text {
				t.Errorf("%q: %q is not at %d", text, k.Text, k.Start)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q:\n got %q\nwant %q", text, strings.Join(got, " "), want)
		}
	}
}

func TestSplit(t *testing.T) {
	text := "2.1. Methods\n\nThe U.S. Army came.[1] They left the U.S. They said no. Warhol (p. 5) agreed\nwith Mr. Jones.\n\n- first item\n- second item"
	want := []string{
		"2.1. Methods", "The U.S. Army came.[1]", "They left the U.S.", "They said no.", "Warhol (p. 5) agreed", "with Mr. Jones.", "- first item", "- second item",
	}
	var got []string
	for s := range sentence.Split(text) {
		got = append(got, text[s.Start:s.End])
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	wrapped := "This line of a plain text file was broken for its length and\ngoes on here. Then comes another."
	n := 0
	for range sentence.Split(wrapped) {
		n++
	}
	if n != 2 {
		t.Errorf("%d sentences in a wrapped text", n)
	}
}

// A sentence without an end is cut.
func TestLongest(t *testing.T) {
	text := strings.Repeat("word ", 3*sentence.MaxTokens)
	n := 0
	for s := range sentence.Split(text) {
		if n++; len(s.Tokens) != sentence.MaxTokens {
			t.Errorf("%d tokens", len(s.Tokens))
		}
	}
	if n != 3 {
		t.Errorf("%d sentences", n)
	}
}

// A sentence as long as the text is cut while it is read: a megabyte without an end takes no memory of its tokens.
func TestMemory(t *testing.T) {
	for _, part := range []string{"[1]", "()", "'s'", "a ", "#a"} {
		text := strings.Repeat(part, 1<<20/len(part))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range sentence.Split(text) {
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%q: %d KiB", part, got>>10)
		}
	}
}

// Text without a blank costs as much per byte, however long it is: 16 times the text takes nowhere near 256 times as long.
func TestLinear(t *testing.T) {
	for _, part := range []string{"()", "(a", "a-", "'s'", "co-", "#a", "$€", ":)", "a.b.", "don't", "a@b.", "人。"} {
		cost := func(n int) time.Duration {
			text := strings.Repeat(part, n/len(part))
			least := time.Duration(math.MaxInt64)
			for range 3 {
				least = min(least, scan.CPUTime(func() {
					for range sentence.Split(text) {
					}
				}))
			}
			return least
		}
		if short, long := cost(1<<15), cost(1<<19); long > 64*(short+time.Millisecond) {
			t.Errorf("%q: %v, 16 times as much %v", part, short, long)
		}
	}
}

// Tokens lie in the text, in order and apart; nothing but white space and what is ignored is between them.
func FuzzSplit(f *testing.F) {
	f.Add("Dr. Smith paid $3.50... don't! http://x.org/a, a-b-c 'tis 人人。\xff\n\n[1] x")
	f.Add("''''n't-'s-@#a.b@c.com..,,--")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for s := range sentence.Split(text) {
			if len(s.Tokens) == 0 || s.Start != s.Tokens[0].Start || s.End != s.Tokens[len(s.Tokens)-1].End {
				t.Fatalf("%+v", s)
			}
			for _, k := range s.Tokens {
				if k.Start < at || k.End <= k.Start || text[k.Start:k.End] != k.Text {
					t.Fatalf("token %+v after %d", k, at)
				}
				at = k.End
			}
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("The tide table of the harbour isn't printed twice a year, says Dr. Smith. ", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range sentence.Split(text) {
		}
	}
}
