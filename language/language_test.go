package language_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"varve"
	"varve/archive/scan"
	"varve/language"
)

// analyse makes all units of an English text.
func analyse(t testing.TB, a *language.Analyser, text string) language.Document {
	t.Helper()
	d, err := a.Analyse(t.Context(), language.Text{Text: text, Language: "en", Date: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)}, language.Units()...)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Missing) > 0 {
		t.Fatal(d.Missing)
	}
	return *d
}

const text = `Chancellor Angela Merkel met Barack Obama in Berlin on Monday.

Merkel said that Germany doesn't want to leave the European Union. "We are friends," she told reporters.`

func TestAnalyse(t *testing.T) {
	d := analyse(t, language.New(), text)
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
	if len(d.Times) != 1 || d.Times[0].Text != "Monday" && d.Times[0].Text != "on Monday" || d.Times[0].Earliest.IsZero() {
		t.Errorf("%+v", d.Times)
	}
	// Whether the Union is an institution or a group is not what is tested here.
	if got, want := strings.ReplaceAll(strings.Join(names, ", "), "GROUP:", "ORG:"), "PER:Angela Merkel, PER:Barack Obama, LOC:Berlin, PER:Merkel, LOC:Germany, ORG:European Union"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A unit that does not know the language says so, and the others are made.
func TestOtherLanguages(t *testing.T) {
	const german = "Am 3. Oktober sprach Frau Dr. Merkel in Berlin. Danach war Schluss."
	d, err := language.New().Analyse(t.Context(), language.Text{Text: german, Language: "de"}, language.Sentences, language.Opinions)
	if err != nil || len(d.Sentences) != 2 || len(d.Opinions) != 0 || d.Sentences[0].Tokens[0].Penn != "" {
		t.Errorf("%+v, %v", d, err)
	}
	if len(d.Missing) != 1 || d.Missing[0].Unit != language.Opinions || d.Missing[0].Language != "de" || !strings.Contains(d.Missing[0].Why, "en only") {
		t.Errorf("%+v", d.Missing)
	}
	d, err = language.New().Analyse(t.Context(), language.Text{Text: "Zaległości rosną.", Language: "pl"}, language.Mentions)
	if err != nil || len(d.Missing) != 1 || len(d.Listed) != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	for _, u := range language.Units() {
		if err := u.Known("en"); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
}

// Where there is no model, names are found by lists, without tags, and the document says so.
func TestListedNames(t *testing.T) {
	const german = "Am 3. Oktober sprach Angela Merkel in Berlin. Danach schwieg Merkel. Die Essen waren gut."
	d, err := language.New().Analyse(t.Context(), language.Text{Text: german, Language: "de"}, language.Mentions)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range d.Mentions {
		if german[m.Start:m.End] != m.Text || m.Confidence <= 0 || m.Confidence > 1 {
			t.Errorf("%+v", m)
		}
		names = append(names, string(m.Type)+":"+m.Text)
	}
	if got, want := strings.Join(names, ", "), "PER:Angela Merkel, LOC:Berlin, PER:Merkel"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !slices.Equal(d.Listed, []language.Unit{language.Mentions}) || len(d.Missing) != 0 || d.Sentences[0].Tokens[0].Penn != "" {
		t.Errorf("%+v", d)
	}
	if d := analyse(t, language.New(), text); len(d.Listed) != 0 {
		t.Errorf("English has a model: %v", d.Listed)
	}
}

// Lower units are made once, and only what was asked for is there.
func TestUnits(t *testing.T) {
	r, err := language.Read(language.Text{Text: text, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	a, b := language.New(), language.New()
	if err := a.Do(t.Context(), r, language.Tags); err != nil || len(r.Mentions) != 0 {
		t.Fatal(err, r.Mentions)
	}
	r.Sentences[0].Tokens[0].Penn = "kept"
	if err := b.Do(t.Context(), r, language.Mentions); err != nil || len(r.Mentions) == 0 || r.Sentences[0].Tokens[0].Penn != "kept" || r.Sentences[0].Tokens[0].Confidence != 0 {
		t.Errorf("%v: %+v", err, r.Document)
	}
	got, err := language.ParseUnits([]string{"mentions", "sentences", "mentions"})
	if err != nil || !reflect.DeepEqual(got, []language.Unit{language.Sentences, language.Mentions}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := language.ParseUnits([]string{"smells"}); varve.KindOf(err) != varve.Invalid || !strings.Contains(varve.HintOf(err), "mentions") {
		t.Error(err)
	}
	at := map[language.Unit]int{}
	for i, u := range language.Units() {
		at[u] = i
		for _, n := range u.Needs() {
			if j, ok := at[n]; !ok || j >= i {
				t.Errorf("%s comes before %s, which it needs", u, n)
			}
		}
	}
}

// The confidence of tags is asked for.
func TestConfidence(t *testing.T) {
	a := language.New()
	a.Confidence = true
	for _, s := range analyse(t, a, text).Sentences {
		for _, k := range s.Tokens {
			if !(k.Confidence > 0 && k.Confidence <= 1) {
				t.Errorf("%+v", k)
			}
		}
	}
}

// What is too long is refused or told, and what has no time left ends.
func TestBounds(t *testing.T) {
	if _, err := language.Read(language.Text{Text: strings.Repeat("a", language.MaxText+1)}); varve.KindOf(err) != varve.Invalid || varve.HintOf(err) == "" {
		t.Error(err)
	}
	long := strings.Repeat("a. b ", language.MaxText/5)
	d, err := language.New().Analyse(t.Context(), language.Text{Text: long, Language: "en"}, language.Sentences)
	tokens := 0
	for _, s := range d.Sentences {
		tokens += len(s.Tokens)
	}
	if last := d.Sentences[len(d.Sentences)-1].End; err != nil || tokens > language.MaxTokens || tokens < language.MaxTokens-500 || d.Analysed < last || d.Analysed > last+1 {
		t.Errorf("%d tokens, %d bytes, %v", tokens, d.Analysed, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := language.Read(language.Text{Text: text, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if err := language.New().Do(over, r, language.Mentions); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := language.New().Do(t.Context(), r, language.Mentions); err != nil || len(r.Mentions) != 6 {
		t.Errorf("after one that ended early: %v, %v", r.Mentions, err)
	}
}

// All processors, the same answer as one.
func TestConcurrent(t *testing.T) {
	want, _ := json.Marshal(analyse(t, language.New(), text))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			a := language.New()
			for range 5 {
				if got, _ := json.Marshal(analyse(t, a, text)); string(got) != string(want) {
					t.Error("another answer")
				}
			}
		})
	}
	group.Wait()
}

// An analyser does not remember the text before.
func TestAgain(t *testing.T) {
	a := language.New()
	first := analyse(t, a, text)
	analyse(t, a, strings.Repeat("Something Else entirely, says Paris Hilton. ", 50))
	if again := analyse(t, a, text); !reflect.DeepEqual(first, again) {
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
	for _, e := range d.Times {
		if e.Start < at || e.End <= e.Start || text[e.Start:e.End] != e.Text || !(e.Confidence >= 0 && e.Confidence <= 1) || !e.Latest.IsZero() && e.Latest.Before(e.Earliest) {
			t.Fatalf("%+v after %d in %.200q", e, at, text)
		}
		at = e.End
	}
	at = 0
	for _, m := range d.Mentions {
		if m.Start < at || m.End <= m.Start || !(m.Confidence > 0 && m.Confidence <= 1) {
			t.Fatalf("%+v after %d in %.200q", m, at, text)
		}
		at = m.End
	}
}

// seeded returns random numbers whose seed is printed, and taken back from VARVE_SEED.
func seeded(t *testing.T) *rand.Rand {
	seed, err := strconv.ParseUint(os.Getenv("VARVE_SEED"), 10, 64)
	if err != nil {
		seed = 1611
	}
	t.Logf("VARVE_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Whatever the text is: an answer whose places lie in it.
func TestHostile(t *testing.T) {
	random, a := seeded(t), language.New()
	for range 200 {
		text := hostile(random)
		check(t, text, analyse(t, a, text))
	}
}

// Names that are found by lists: whatever the text is, their places lie in it, in order.
func TestHostileListed(t *testing.T) {
	random, a := seeded(t), language.New()
	texts := []string{strings.Repeat("Angela Merkel ", 5_000), strings.Repeat("Angela von ", 5_000), strings.Repeat("in Dresden. ", 5_000)}
	for range 200 {
		texts = append(texts, hostile(random))
	}
	for i, text := range texts {
		d, err := a.Analyse(t.Context(), language.Text{Text: text, Language: []string{"de", "es", "fr"}[i%3]}, language.Mentions)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, m := range d.Mentions {
			if m.Start < at || m.End <= m.Start || text[m.Start:m.End] != m.Text {
				t.Fatalf("%+v after %d in %.200q", m, at, text)
			}
			at = m.End
		}
	}
}

// huge makes texts of n bytes at most that are one word, one sign, marks on one letter, or nothing; and others without a blank whose every second
// character is a token.
func huge(random *rand.Rand, n int) map[string]string {
	binary := make([]byte, n)
	for i := range binary {
		binary[i] = byte(random.Uint32())
	}
	out := map[string]string{"binary": string(binary), "marks": "z" + strings.Repeat("\u0351", n/2-1)}
	for _, piece := range []string{
		"a", "A", ".", "A.", " ", "\n", "a-", "'s", "'", "[1]", "a@", "a/", "A. ", "U.S. [1] ", "\u202e", "a\u202e ", "Angela Merkel ", "3 May 1997 ", "1 ", "in the ", "next ", "Monday-", "PRESIDENT ", "人",
	} {
		out[piece] = strings.Repeat(piece, n/len(piece))
	}
	return out
}

// Texts of a megabyte, all of whose tokens are few.
func TestHuge(t *testing.T) {
	a := language.New()
	few := []string{"a", "A", ".", "marks", "A.", " ", "\n", "\u202e", "人"}
	texts := huge(seeded(t), language.MaxText)
	for _, name := range few {
		check(t, texts[name], analyse(t, a, texts[name]))
	}
	for _, text := range huge(seeded(t), 1<<12) {
		check(t, text, analyse(t, a, text))
	}
}

// cost returns the processor time of an analysis, the least of some tries: what is above it is of others.
func cost(t *testing.T, a *language.Analyser, text string) time.Duration {
	least := time.Hour
	for range 2 {
		least = min(least, scan.CPUTime(func() { analyse(t, a, text) }))
	}
	return least
}

// Eight times as much of whatever it is costs about eight times as much: a quadratic step would cost 64 times.
func TestLinear(t *testing.T) {
	runtime.LockOSThread() // whose time is measured
	defer runtime.UnlockOSThread()
	a := language.New()
	small, large := huge(seeded(t), 2<<10), huge(seeded(t), 16<<10)
	analyse(t, a, small["binary"]) // models
	for name, text := range large {
		before, after := cost(t, a, small[name]), cost(t, a, text)
		if grown := float64(after) / float64(max(before, 200*time.Microsecond)); grown > 24 {
			t.Errorf("%q: %v for 2 KiB, %v for 16 KiB: %.0f times", name, before, after, grown)
		}
	}
}

// 10,000 hostile texts, and a megabyte of each kind: answers whose places are right, in bounded memory.
func TestDrillHostile(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	random, a := seeded(t), language.New()
	for range 10_000 {
		text := hostile(random)
		check(t, text, analyse(t, a, text))
	}
	most := uint64(0)
	names := slices.Sorted(maps.Keys(huge(random, 1<<10)))
	for _, name := range names {
		text := huge(random, language.MaxText)[name] // one at a time: what the others take is not of the analysis
		runtime.GC()
		begun := time.Now()
		done, peak := make(chan struct{}), make(chan uint64)
		go func() {
			var m runtime.MemStats
			top := uint64(0)
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for {
				runtime.ReadMemStats(&m)
				top = max(top, m.HeapAlloc)
				select {
				case <-done:
					peak <- top
					return
				case <-tick.C:
				}
			}
		}()
		check(t, text, analyse(t, a, text))
		close(done)
		held := <-peak
		most = max(most, held)
		t.Logf("%-14q %4d MB %v", name, held>>20, time.Since(begun).Round(time.Millisecond))
	}
	t.Logf("at most %d MB of heap, models included", most>>20)
	if most > 200<<20 {
		t.Errorf("%d MB of heap", most>>20)
	}
}

func FuzzAnalyse(f *testing.F) {
	f.Add(text)
	f.Add("\xff\u202eDr. Who?! n't 's U.S. [1] @a #b http://c.org/ A. B.")
	a := language.New()
	f.Fuzz(func(t *testing.T, text string) { check(t, text, analyse(t, a, text)) })
}
