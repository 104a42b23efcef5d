package variant

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Co-operation, to\u2010day!":       "co-operation to-day",
		"govern- ment -- a-b- --x x-y 7th": "govern ment a-b x-y th",
		"Ärzte naïve e\u0301tat":           "ärzte naïve e\u0301tat",
		strings.Repeat("w", 41) + " end":   "end",
		"":                                 "",
	} {
		if got := strings.Join(slices.Collect(words(text)), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// archive makes texts of 1950 to 1999 in which spellings give way at 1980, some with exceptions, among other words.
func archive(add func(year int, text string), seed uint64) {
	random := rand.New(rand.NewPCG(seed, 29))
	for year := 1950; year < 2000; year++ {
		for range 4 {
			late := year >= 1980
			pick := func(old, new string) string {
				if late != (random.IntN(20) == 0) {
					return new
				}
				return old
			}
			colour := pick("olour", "olor") // who writes keeps to one habit
			var b strings.Builder
			fmt.Fprintf(&b, "We meet %s for the co%s. ", pick("to-day", "today"), "mmon good")
			fmt.Fprintf(&b, "They said that the c%s of the house and the harb%s of the land is in %s with the law. ", colour, colour[2:], pick("connexion", "connection"))
			fmt.Fprintf(&b, "And the harb%s is a c%s of the sea. ", colour[2:], colour)
			if random.IntN(2) == 0 { // of one subject: both stand in the texts of a time
				fmt.Fprintf(&b, "The states and the state have a %s. ", map[bool]string{true: "station", false: "stations"}[late])
				fmt.Fprintf(&b, "Of the station some stations were closed. ")
			}
			if !late {
				b.WriteString("A worker broke the rower. ")
			} else {
				b.WriteString("It is a power in time. ")
			}
			add(year, b.String())
		}
	}
}

func find(texts func(func(int, string))) []Pair {
	var c Counter
	texts(c.Add)
	p := c.Compare()
	texts(p.Add)
	return p.Pairs()
}

func TestPairs(t *testing.T) {
	const seed = 5
	texts := func(add func(int, string)) { archive(add, seed) }
	got := find(texts)
	var names []string
	for _, p := range got {
		names = append(names, p.Old+"/"+p.New)
		if p.Turn != 1980 {
			t.Errorf("seed %d: %s turns to %s in %d, want 1980", seed, p.Old, p.New, p.Turn)
		}
	}
	slices.Sort(names)
	if want := []string{"colour/color", "connexion/connection", "harbour/harbor", "to-day/today"}; !slices.Equal(names, want) {
		t.Errorf("seed %d: %v, want %v", seed, names, want)
	}
	if again := find(texts); !slices.Equal(got, again) {
		t.Errorf("seed %d: another time %v, before %v", seed, again, got)
	}
}

// The worked example of the package comment.
func TestTurn(t *testing.T) {
	var c Counter
	for i := range 10 {
		c.Add(1950, []string{"to-day", "today"}[i/8])
		c.Add(1990, []string{"today", "tomorrow"}[i/9])
	}
	got, ok := c.turn("today", "to-day")
	if want := (Pair{"to-day", "today", 1990, Use{8, 2}, Use{0, 9}}); !ok || got != want {
		t.Errorf("%v %v, want %v", got, ok, want)
	}
	if g := ratio(got.Before, got.After); math.Abs(g-15.9) > 0.1 {
		t.Errorf("the ratio is %v", g)
	}
	if _, ok := c.turn("tomorrow", "today"); ok {
		t.Error("one text more is no turn")
	}
}

// What differs in one piece of up to two letters is found, as by comparing all pairs.
func TestNeighbouringAgainstAllPairs(t *testing.T) {
	const seed = 17
	random := rand.New(rand.NewPCG(seed, 1))
	for range 40 {
		var list []string
		for range 30 {
			w := make([]byte, 3+random.IntN(4))
			for i := range w {
				w[i] = "abé"[random.IntN(2)]
			}
			list = append(list, string(w))
		}
		slices.Sort(list)
		list = slices.Compact(list)
		got := map[[2]string]bool{}
		for a, b := range neighbouring(list) {
			got[[2]string{min(a, b), max(a, b)}] = true
		}
		for i, a := range list {
			for _, b := range list[i+1:] {
				x, y, _ := strings.Cut(alternation(a, b), "/")
				if want := a[0] == b[0] && len(x) <= piece && len(y) <= piece; want != got[[2]string{a, b}] {
					t.Fatalf("seed %d: %s, %s: found %v, want %v", seed, a, b, !want, want)
				}
			}
		}
	}
}

// More slices than are kept are counted and told.
func TestLeft(t *testing.T) {
	var c Counter
	for year := range maxSlices + 3 {
		c.Add(year, "word")
	}
	if c.Left() != 3 || len(find(func(add func(int, string)) { add(1, ""); add(2, "\xff\xfe -") })) != 0 {
		t.Errorf("%d left", c.Left())
	}
}

func FuzzWords(f *testing.F) {
	f.Add("co-operation \u2010 a--b \xff e\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		for w := range words(text) {
			if w == "" || strings.HasPrefix(w, "-") || strings.HasSuffix(w, "-") || strings.Contains(w, "--") {
				t.Fatalf("%q in %q", w, text)
			}
		}
	})
}

// On the speeches before the United Nations, whose editors changed their house style twice.
func TestDrillSpeeches(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL is not set")
	}
	files, _ := filepath.Glob("../../../shared/data/evolution/ungdc/*.jsonl.gz")
	if len(files) == 0 {
		t.Skip("no speeches in ../shared/data")
	}
	got := find(func(add func(int, string)) {
		for _, file := range files {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			for d := json.NewDecoder(z); ; {
				var v struct {
					Year int
					Text string
				}
				if err := d.Decode(&v); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				add(v.Year, v.Text)
			}
			f.Close()
		}
	})
	found := map[string]int{}
	for _, p := range got {
		found[p.Old+"/"+p.New] = p.Turn
		t.Logf("%d  %s -> %s  %v %v", p.Turn, p.Old, p.New, p.Before, p.After)
	}
	for _, want := range strings.Fields("connexion/connection co-operation/cooperation program/programme honor/honour center/centre peace-keeping/peacekeeping world-wide/worldwide over-all/overall") {
		if found[want] == 0 {
			t.Errorf("%s was not found", want)
		}
	}
	if len(got) < 100 || len(got) > 250 {
		t.Errorf("%d pairs", len(got))
	}
}

// Words that nobody speaks, all alike but for two letters, must not be compared each with each.
func TestManyAlike(t *testing.T) {
	var list []string
	for a := rune(0x4e00); len(list) < 50_000; a++ {
		for b := rune(0x4e00); b < 0x4e00+500; b++ {
			list = append(list, "be"+string(a)+string(b)+"ing")
		}
	}
	pairs := 0
	for range neighbouring(list) {
		pairs++
	}
	if pairs > 50_000_000 {
		t.Errorf("%d pairs", pairs)
	}
}
