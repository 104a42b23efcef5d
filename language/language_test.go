package language_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"varve"
	"varve/language"
)

func analyser(t testing.TB) *language.Analyser {
	t.Helper()
	a, err := language.New("en")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const text = `Chancellor Angela Merkel met Barack Obama in Berlin on Monday.

Merkel said that Germany doesn't want to leave the European Union. "We are friends," she told reporters.`

func TestAnalyse(t *testing.T) {
	d := analyser(t).Analyse(text)
	if len(d.Sentences) != 3 {
		t.Fatalf("%d sentences", len(d.Sentences))
	}
	var tags []string
	for _, k := range d.Sentences[1].Tokens {
		tags = append(tags, k.Text+"/"+k.Penn+"/"+k.Lemma)
		if text[k.Start:k.End] != k.Text {
			t.Errorf("%+v is elsewhere", k)
		}
	}
	if got, want := strings.Join(tags, " "), "Merkel/NNP/Merkel said/VBD/say that/IN/that Germany/NNP/Germany does/VBZ/do n't/RB/not want/VB/want to/TO/to leave/VB/leave"; !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s ...", got, want)
	}
	var names []string
	for _, m := range d.Mentions {
		names = append(names, string(m.Type)+":"+m.Text)
		if text[m.Start:m.End] != m.Text || m.Confidence <= 0 || m.Confidence > 1 {
			t.Errorf("%+v", m)
		}
	}
	// Whether the Union is an institution or a group is not what is tested here.
	if got, want := strings.ReplaceAll(strings.Join(names, ", "), "GROUP:", "ORG:"), "PER:Angela Merkel, PER:Barack Obama, LOC:Berlin, PER:Merkel, LOC:Germany, ORG:European Union"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOtherLanguages(t *testing.T) {
	if _, err := language.New("de"); varve.KindOf(err) != varve.NotFound || varve.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

// All processors, the same answer as one.
func TestConcurrent(t *testing.T) {
	want, _ := json.Marshal(analyser(t).Analyse(text))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			a := analyser(t)
			for range 5 {
				if got, _ := json.Marshal(a.Analyse(text)); string(got) != string(want) {
					t.Error("another answer")
				}
			}
		})
	}
	group.Wait()
}

// An analyser does not remember the text before.
func TestAgain(t *testing.T) {
	a := analyser(t)
	first := a.Analyse(text)
	a.Analyse(strings.Repeat("Something Else entirely, says Paris Hilton. ", 50))
	if again := a.Analyse(text); !reflect.DeepEqual(first, again) {
		t.Error("the second reading differs")
	}
}

// hostile makes texts that no writer had in mind.
func hostile(random *rand.Rand) string {
	pieces := []string{
		"\u202eright to left\u202c ", "z\u0351\u0352\u0353a\u0310\u0311l\u0312g\u0313o\u0314 ", "\xff\xfe\x00\x01", "....", "''''", "----", "((((", "n't", "'s", "@", "#a", "http://",
		"A.B.C.D.", "\n", "\n\n", "[1]", " ", "U.S. ", "Dr. ", "I", "人人", "\u200b", "\ufeff", "😀", "𝔸𝔹", "İ", "ß", "a-b-", "1,000.00", "5pm", "www.", ".com", "\t", "é", "PRESIDENT OBAMA ",
	}
	var b strings.Builder
	for range random.IntN(200) {
		if random.IntN(8) == 0 {
			c := byte(random.IntN(256))
			b.WriteString(strings.Repeat(string([]byte{c}), random.IntN(30)))
		}
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}

func check(t *testing.T, text string, d language.Document) {
	t.Helper()
	at := 0
	for _, s := range d.Sentences {
		for _, k := range s.Tokens {
			if k.Start < at || k.End <= k.Start || text[k.Start:k.End] != k.Text || k.Penn == "" || k.Universal == "" {
				t.Fatalf("%+v after %d in %.200q", k, at, text)
			}
			at = k.End
		}
	}
	at = 0
	for _, m := range d.Mentions {
		if m.Start < at || m.End <= m.Start || !(m.Confidence > 0 && m.Confidence <= 1) {
			t.Fatalf("%+v after %d in %.200q", m, at, text)
		}
		at = m.End
	}
}

// Whatever the text is: an answer whose places lie in it.
func TestHostile(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("VARVE_SEED"), 10, 64)
	if err != nil {
		seed = 1611
	}
	t.Logf("VARVE_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	a := analyser(t)
	texts := 200
	if os.Getenv("VARVE_DRILL") != "" {
		texts = 10_000
	}
	for range texts {
		text := hostile(random)
		check(t, text, a.Analyse(text))
	}
}

// Texts of a megabyte that are one word, one sign, marks on one letter, or nothing; and long ones without a blank whose
// every second character is a token.
func TestHuge(t *testing.T) {
	a := analyser(t)
	const n, many = 1 << 20, 1 << 14
	binary := make([]byte, many)
	random := rand.New(rand.NewPCG(5, 5))
	for i := range binary {
		binary[i] = byte(random.Uint32())
	}
	for _, text := range []string{
		strings.Repeat("a", n), strings.Repeat("A", n), strings.Repeat(".", n), "z" + strings.Repeat("\u0351", n/2), strings.Repeat("A.", n/2), strings.Repeat(" ", n), strings.Repeat("\n", n),
		strings.Repeat("a-", many), strings.Repeat("'s", many), strings.Repeat("'", many), strings.Repeat("[1]", many), strings.Repeat("a@", many), strings.Repeat("a/", many),
		strings.Repeat("A. ", many), strings.Repeat("U.S. [1] ", many/4), string(binary),
	} {
		check(t, text, a.Analyse(text))
	}
}

func FuzzAnalyse(f *testing.F) {
	f.Add(text)
	f.Add("\xff\u202eDr. Who?! n't 's U.S. [1] @a #b http://c.org/ A. B.")
	a, err := language.New("en")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text, a.Analyse(text)) })
}
