package quality

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/lab/chance"
	"varve/language/lexicon"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"The Gov-ernment's (m1litary) to*bring wi|l, 12 x a^":            "The Gov ernment's m1litary to*bring wi|l",
		"l'Afrique “été”—Žluť":                                           "l'Afrique été Žluť",
		strings.Repeat("x", 41) + " ok " + strings.Repeat("long", 10):    "ok " + strings.Repeat("long", 10),
		"\xff\xfe \x00ab\x00 " + strings.Repeat("\u0301", 5) + "  c3 dd": "ab dd",
	} {
		var got []string
		for w := range Words(text) {
			got = append(got, w.Text)
			if text[w.Start:w.End] != w.Text {
				t.Errorf("%q: %d to %d is not %q", text, w.Start, w.End, w.Text)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

// Words near another, against the plain table of distances.
func TestNear(t *testing.T) {
	rnd := chance.Rand(t, 1)
	word := func() string {
		b := make([]byte, 1+rnd.IntN(6))
		for i := range b {
			b[i] = "abc"[rnd.IntN(3)]
		}
		return string(b)
	}
	seen := map[string]bool{}
	for range 400 {
		seen[word()] = true
	}
	var words []string
	for w := range seen {
		words = append(words, w)
	}
	n := newNear(words)
	for range 300 {
		w, limit := word(), rnd.IntN(4)
		var got, want []string
		n.find([]rune(w), limit, func(c []rune) { got = append(got, string(c)) })
		for _, c := range words {
			if distance(w, c) <= limit {
				want = append(want, c)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q within %d: %v, want %v", w, limit, got, want)
		}
	}
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		up := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := up
			if a[i] != b[j] {
				d++
			}
			up = row[j+1]
			row[j+1] = min(d, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// The channel cuts words into pieces: modern scanned as modem is rn for m, not two edits.
func TestLikelihood(t *testing.T) {
	ch := &channel{learned: map[[2]string]float64{{"rn", "m"}: 1e-3, {"s", "f"}: 0.01}}
	for _, c := range []struct{ w, c, want string }{
		{"modem", "modern", "rn>m"},
		{"fupport", "support", "s>f"},
		{"fame", "same", "s>f"},
		{"word", "word", ""},
		{"wrod", "word", "or>ro"},
		{"ab", "", "ab?"},
	} {
		p, pieces := ch.likelihood([]rune(c.w), []rune(c.c))
		var got []string
		for _, x := range pieces {
			got = append(got, x[0]+">"+x[1])
		}
		if c.want == "ab?" {
			if len(pieces) != 2 || p > -20 {
				t.Errorf("%q from nothing: %v %v", c.w, p, got)
			}
			continue
		}
		if s := strings.Join(got, " "); s != c.want || (c.want == "") != (p == 0) {
			t.Errorf("%q from %q: %q %v, want %q", c.w, c.c, s, p, c.want)
		}
	}
}

// archive returns an archive of sentences that are often the same, with some words scanned badly, always in the same ways.
func archive() *Counts {
	sentences := []string{
		"the representatives of all governments have stated their support for the security of the region",
		"we have seen the same situation in many modern countries and the government said so",
		"some members support the resolution of the assembly and others have reservations",
		"it is necessary to consider the reasons of the members in this situation",
	}
	var c Counts
	for range 200 {
		for _, s := range sentences {
			c.Add(s)
		}
	}
	for _, s := range []string{"fupport", "reafons", "neceffary", "fituation", "feen", "refolution", "affembly", "fecurity", "modem", "goverment"} {
		c.Add(s)
	}
	return &c
}

func TestRepair(t *testing.T) {
	known := func(w string) bool { return w == "unheard" }
	r := New(archive(), known)
	text := "we fupport the fecurity of the region andSouth, the govcrnment faid so; the reafons of themembers unheard Fupport xylophone1 to*the sltuation2."
	got := r.Read(text)
	var list []string
	for _, p := range got.Repairs {
		if text[p.Start:p.End] != p.From || p.Confidence <= 0 || p.Confidence > 1 {
			t.Errorf("%+v", p)
		}
		list = append(list, p.From+">"+p.To)
	}
	want := "fupport>support fecurity>security govcrnment>government faid>said reafons>reasons themembers>the members to*the>to the sltuation2>situation"
	if s := strings.Join(list, " "); s != want {
		t.Errorf("\n got %s\nwant %s", s, want)
	}
	if got.Words != 21 || got.Recognised != 10 || got.Share() > 0.5 || (Report{}).Share() != 1 {
		t.Errorf("%d of %d words", got.Recognised, got.Words)
	}
	again := New(archive(), known)
	if s := fmt.Sprint(again.Read(text)); s != fmt.Sprint(got) || fmt.Sprint(r.Clone().Read(text)) != fmt.Sprint(got) {
		t.Error("another run repairs otherwise")
	}
}

// A quotation in another language in a good text stays as it is.
func TestForeign(t *testing.T) {
	r := New(archive(), nil)
	good := strings.Repeat("the members have stated the reasons of the resolution ", 20)
	if got := r.Read(good + "seen fame thein modem seem " + good); len(got.Repairs) != 0 {
		t.Errorf("%+v", got.Repairs)
	}
	if got := r.Read(good + "the fecurity of the region " + good); len(got.Repairs) != 1 {
		t.Errorf("%+v", got.Repairs)
	}
}

type dictionary map[string]bool

func (d dictionary) Readings(w string) uint32 {
	if d[w] {
		return 1
	}
	return 0
}

func TestEnglish(t *testing.T) {
	known := English(dictionary{"zealous": true, "communist": true, "occupy": true, "landing": true, "satellite": true})
	for w, want := range map[string]bool{"zealous": true, "zealousness": true, "noncommunist": true, "communists": true, "zealouzness": false, "un": false, "fupport": false} {
		if known(w) != want {
			t.Errorf("%s: %v", w, !want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("we fupport the\xfffecurity andSouth to*bring 1a2b3c")
	r := New(archive(), nil)
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		report := r.Read(text)
		for _, p := range report.Repairs {
			if p.Start < end || p.End > len(text) || p.Start >= p.End || p.To == "" || p.To == p.From {
				t.Fatalf("%q: %+v after %d", text, p, end)
			}
			end = p.End
		}
		if report.Recognised > report.Words {
			t.Fatalf("%+v", report)
		}
	})
}

func TestPlain(t *testing.T) {
	known := func(w string) bool { return strings.Contains(" the minister of said that will ", " "+w+" ") }
	for text, want := range map[string][2]int{
		"":                                  {0, 0},
		"The minister of Zorp said":         {3, 3},
		"tbe minifter's of 12 1st wi|l THE": {4, 1},
		"the minister's":                    {2, 2},
	} {
		if words, recognised := Plain(text, known); words != want[0] || recognised != want[1] {
			t.Errorf("%q: %d of %d, want %d of %d", text, recognised, words, want[1], want[0])
		}
	}
}

// Every word of plain English is one, whatever the archive has: function words and contractions, too.
func TestPlainEnglish(t *testing.T) {
	known := English(lexicon.Default())
	for w := range strings.FieldsSeq("the of and that won't can’t they're she'll wouldn't whom themselves zealousness noncommunist ministers went") {
		if !known(w) {
			t.Errorf("%q is not known", w)
		}
	}
	for w := range strings.FieldsSeq("tbe minifter ofthe committce wiht") {
		if known(w) {
			t.Errorf("%q is known", w)
		}
	}
}
