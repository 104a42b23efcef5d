package lang_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"varve/text/lang"
)

// Sentences that the model was not trained on.
func TestSentences(t *testing.T) {
	data, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	x := lang.Default()
	wrong, all := 0, 0
	for line := range strings.Lines(string(data)) {
		want, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if want == "#" {
			continue
		}
		all++
		g := x.Rank(text, 2)
		if len(g) != 2 || g[0].Lang != want {
			wrong++
			t.Logf("%s: %+v", want, g)
		}
	}
	if all < 60 || wrong > 2 {
		t.Errorf("%d of %d sentences are wrong", wrong, all)
	}
}

func TestLanguages(t *testing.T) {
	if n := len(lang.Default().Languages()); n != 75 {
		t.Errorf("%d languages", n)
	}
	if b := lang.Default().Bytes(); b > 50<<20 {
		t.Errorf("%d bytes of memory", b)
	}
}

// What is no language of the model is not given the name of one.
func TestNothingToTell(t *testing.T) {
	for _, text := range []string{"", "12 345,67", "!!! ... ---", "\xff\xfe\xfd", "ሁሉም የሰው ልጆች ሲወለዱ ነጻ ናቸው", "មនុស្សទាំងអស់កើតមកមានសេរីភាព", "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ"} {
		if g := lang.Default().Identify(text); g.Lang != "" || g.Confidence != 0 {
			t.Errorf("%q: %+v", text, g)
		}
	}
}

func TestRank(t *testing.T) {
	g := lang.Default().Rank("Alle mennesker er født frie", 75)
	sum := 0.0
	for i := range g {
		sum += g[i].Confidence
		if i > 0 && g[i].Confidence > g[i-1].Confidence {
			t.Fatalf("not in order at %d", i)
		}
	}
	if len(g) != 75 || sum < 0.999 || sum > 1.001 {
		t.Errorf("%d guesses with a sum of %v", len(g), sum)
	}
}

// A model is built, written, read, and is the same each time.
func TestBuild(t *testing.T) {
	build := func() []byte {
		var b lang.Builder
		for range 3 {
			b.Add("xx", "aba abba baab abab")
			b.Add("yy", "cdc cddc dccd cdcd")
		}
		var out bytes.Buffer
		if err := b.Write(&out, lang.DefaultOptions()); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	file := build()
	if !bytes.Equal(file, build()) {
		t.Error("the same texts gave different files")
	}
	x, err := lang.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"abba": "xx", "DDC cd": "yy", "qqqqqq zzzzzzzz": ""} {
		if g := x.Identify(text); g.Lang != want {
			t.Errorf("%q: %+v, want %q", text, g, want)
		}
	}
	for n := range file {
		if _, err := lang.Read(bytes.NewReader(file[:n])); err == nil {
			t.Errorf("a file cut to %d bytes was read", n)
		}
	}
	var none lang.Builder
	if err := none.Write(&bytes.Buffer{}, lang.DefaultOptions()); err == nil {
		t.Error("a model without languages was written")
	}
}

// Identify allocates no more than its answer.
func BenchmarkIdentify(b *testing.B) {
	x := lang.Default()
	const text = "Here, in a region abundant with natural beauty, golfers will surely be rewarded with an exceptional experience."
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		x.Identify(text)
	}
}

func FuzzIdentify(f *testing.F) {
	f.Add("Alle Menschen sind frei")
	f.Add("\xff'’ʼ人人")
	f.Fuzz(func(t *testing.T, s string) {
		if g := lang.Default().Identify(s); g.Confidence < 0 || g.Confidence > 1.0001 || (g.Lang == "") != (g.Confidence == 0) {
			t.Fatalf("%+v", g)
		}
	})
}

// Files that are not ours are refused with an error, not with a panic.
func FuzzRead(f *testing.F) {
	var b lang.Builder
	b.Add("xx", "aba abba baab abab")
	var out bytes.Buffer
	if err := b.Write(&out, lang.Options{}); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := lang.Read(bytes.NewReader(data)); err == nil {
			x.Identify("abba")
		}
	})
}
