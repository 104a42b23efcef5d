package near

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func count(text string) int {
	n := 0
	Tokens(text, func(uint64) { n++ })
	return n
}

func hashes(text string) (list []uint64) {
	Tokens(text, func(h uint64) { list = append(list, h) })
	return list
}

// Each token lies where Places says: cut out, it is that token alone, and between tokens there is none.
func TestPlaces(t *testing.T) {
	for _, text := range []string{"", " Ein Übergang, am 5. Mai", "東京tower 2020", "\xffa\xfe b", "x", "...", "naïve—café", "ไทยabc"} {
		last := 0
		Places(text, func(h uint64, from, to int) {
			if got := hashes(text[from:to]); len(got) != 1 || got[0] != h || count(text[last:from]) > 0 {
				t.Errorf("%q: %q at %d behind %q", text, text[from:to], from, text[last:from])
			}
			last = to
		})
		if count(text[last:]) > 0 {
			t.Errorf("%q: %q is left", text, text[last:])
		}
	}
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
	}{
		{"", 0},
		{"  .,;! ", 0},
		{"one", 1},
		{"One two-three_four.", 4},
		{"don't", 2},
		{"Füße straße", 2},
		{"naïve e\u0301tude", 2},
		{"2026-05-01", 3},
		{"東京は日本", 5},
		{"abc東x", 3},
		{"한국어 문장", 2},
		{"мир МИР", 2},
		{"\xff\xfe bad \xc3", 1},
		{"a\u00a0b", 2},
	} {
		if n := count(tt.text); n != tt.n {
			t.Errorf("%q: %d tokens, want %d", tt.text, n, tt.n)
		}
	}
	for _, pair := range [][2]string{{"Hello WORLD", "hello, world!"}, {"МИР", "мир"}, {"ÜBER", "über"}} {
		if !slices.Equal(hashes(pair[0]), hashes(pair[1])) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
	if slices.Equal(hashes("ab c"), hashes("a bc")) {
		t.Error("token borders do not count")
	}
}

// TestRunes compares the short ways of decoding and classing with the long ones, for most alphabets and samples of the rest.
func TestRunes(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if r > 0x1000 {
			r += 36 // each for most alphabets, samples behind
		}
		if !utf8.ValidRune(r) {
			continue
		}
		if got, n := decode(string(r)); got != r || n != utf8.RuneLen(r) {
			t.Fatalf("%U decoded as %U (%d)", r, got, n)
		}
		if kind, low := look(r); kind != classOf(r) || low != unicode.ToLower(r) {
			t.Fatalf("%U: class %d, lower case %U", r, kind, low)
		}
	}
}

// TestStable holds the numbers that archives keep. When it fails, Version must change.
func TestStable(t *testing.T) {
	f := Of("The quick brown fox jumps over the lazy dog. Der Fuß, 東京, 2026.")
	got := fmt.Sprintf("%d %v %08x %08x %08x", f.Tokens, f.Simhash, f.Minhash[0], f.Minhash[31], f.Minhash[63])
	const want = "14 b12b35322dc6036c 018173c8 0400a784 14cb72f0"
	if got != want {
		t.Errorf("fingerprint changed: %s, want %s", got, want)
	}
}

func TestForms(t *testing.T) {
	text := strings.Repeat("some words in a row that mean nothing ", 9)
	a, b := Of(text), Of([]byte(text))
	if a != b {
		t.Error("string and bytes differ")
	}
	if s, n := SimhashOf(text); s != a.Simhash || n != a.Tokens {
		t.Error("SimhashOf differs from Of")
	}
	data, _ := a.MarshalBinary()
	var c Fingerprint
	if err := c.UnmarshalBinary(data); err != nil || c != a {
		t.Errorf("binary form: %v", err)
	}
	for _, bad := range [][]byte{nil, data[:9], append([]byte{9}, data[1:]...)} {
		if c.UnmarshalBinary(bad) == nil {
			t.Errorf("%d bytes accepted", len(bad))
		}
	}
	empty, one := Of(""), Of("one")
	if empty.Minhash.Similarity(&empty.Minhash) != 1 || empty.Minhash.Similarity(&one.Minhash) != 0 || one.Tokens != 1 {
		t.Error("empty text")
	}
	x, y := OfWithout("no page a/b here at all", "/a/b"), OfWithout("no page c here at all", "/c")
	if x != y {
		t.Error("the words of the address were not left out")
	}
}

// words gives n random words of a vocabulary.
func words(rng *rand.Rand, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("w%d", rng.IntN(5000))
	}
	return list
}

// edited replaces a share of the words.
func edited(rng *rand.Rand, list []string, share float64) []string {
	out := slices.Clone(list)
	for i := range out {
		if rng.Float64() < share {
			out[i] = fmt.Sprintf("v%d", rng.IntN(5000))
		}
	}
	return out
}

// exact gives the resemblance by its definition.
func exact(a, b []string, k int) float64 {
	set := func(l []string) map[string]bool {
		m := map[string]bool{}
		for i := 0; i+k <= len(l); i++ {
			m[strings.Join(l[i:i+k], " ")] = true
		}
		return m
	}
	x, y := set(a), set(b)
	both := 0
	for s := range x {
		if y[s] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

// TestMinhashAccuracy compares the estimate with the exact resemblance over pairs of all degrees: no bias, and
// errors as large as theory says, not larger.
func TestMinhashAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var bias, square, theory float64
	beyond := 0
	const pairs = 800
	for range pairs {
		a := words(rng, 100+rng.IntN(400))
		b := edited(rng, a, rng.Float64()*rng.Float64()*0.4)
		j := exact(a, b, minShingle)
		x, y := Of(strings.Join(a, " ")), Of(strings.Join(b, " "))
		e := x.Minhash.Similarity(&y.Minhash) - j
		bias += e
		square += e * e
		theory += StandardError(j) * StandardError(j)
		if math.Abs(e) > 4*StandardError(j)+1e-9 {
			beyond++
		}
	}
	bias /= pairs
	rms, want := math.Sqrt(square/pairs), math.Sqrt(theory/pairs)
	t.Logf("bias %+.4f, error %.4f, theory %.4f, beyond 4 sigma %d of %d", bias, rms, want, beyond, pairs)
	if math.Abs(bias) > 4*want/math.Sqrt(pairs) {
		t.Errorf("bias %.4f", bias)
	}
	if rms > 1.1*want || rms < 0.9*want {
		t.Errorf("error %.4f, theory %.4f", rms, want)
	}
	if beyond > 3 {
		t.Errorf("%d of %d pairs beyond 4 sigma", beyond, pairs)
	}
}

// TestSimhashAngle: the share of differing bits is the angle between the shingle vectors over pi.
func TestSimhashAngle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, share := range []float64{0, 0.01, 0.05, 0.2, 1} {
		var got, want float64
		const pairs = 100
		for range pairs {
			a := words(rng, 400)
			b := edited(rng, a, share)
			x, _ := SimhashOf(strings.Join(a, " "))
			y, _ := SimhashOf(strings.Join(b, " "))
			got += float64(x.Distance(y)) / 64 / pairs
			want += math.Acos(min(cosine(a, b, simShingle), 1)) / math.Pi / pairs
		}
		t.Logf("edited %.2f: %.4f of the bits differ, angle/pi %.4f", share, got, want)
		if math.Abs(got-want) > 0.02 {
			t.Errorf("edited %.2f: %.4f of the bits differ, angle/pi is %.4f", share, got, want)
		}
	}
}

func cosine(a, b []string, k int) float64 {
	vector := func(l []string) map[string]float64 {
		m := map[string]float64{}
		for i := 0; i+k <= len(l); i++ {
			m[strings.Join(l[i:i+k], " ")]++
		}
		return m
	}
	x, y := vector(a), vector(b)
	var dot, xx, yy float64
	for s, v := range x {
		dot += v * y[s]
		xx += v * v
	}
	for _, v := range y {
		yy += v * v
	}
	return dot / math.Sqrt(xx*yy)
}

// TestVotes compares the bit planes with 64 counters.
func TestVotes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 300 {
		var v votes
		var counters [64]int
		for range n {
			h := rng.Uint64() & rng.Uint64() // uneven
			v.add(h)
			for b := range counters {
				counters[b] += int(h >> b & 1)
			}
		}
		var want Simhash
		for b, c := range counters {
			if 2*c > n {
				want |= 1 << b
			}
		}
		if got := v.result(); got != want {
			t.Fatalf("%d hashes: %v, want %v", n, got, want)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("some text, 東京", "text")
	f.Add("\xff\xc3é\u0301", "")
	f.Fuzz(func(t *testing.T, text, skip string) {
		a := Of(text)
		if a != Of([]byte(text)) {
			t.Error("string and bytes differ")
		}
		if s, n := SimhashOf(text); s != a.Simhash || n != a.Tokens || n > len(text) {
			t.Error("SimhashOf differs")
		}
		if OfWithout(text, text).Tokens != 0 || OfWithout(text, skip).Tokens > a.Tokens {
			t.Error("OfWithout")
		}
	})
}

// BenchmarkOf reports MB per second of CPU, which does not depend on what else the machine does.
func BenchmarkOf(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	text := strings.Join(edited(rng, words(rng, 20000), 0.3), " ")
	for _, bb := range []struct {
		name, text string
		do         func(string)
	}{
		{"simhash and minhash", text, func(s string) { Of(s) }},
		{"simhash", text, func(s string) { SimhashOf(s) }},
		{"cyrillic", strings.Repeat("быстрая коричневая лиса прыгает через ленивую собаку ", 2000), func(s string) { Of(s) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				bb.do(bb.text)
			}
			b.ReportMetric(float64(len(bb.text))*float64(b.N)/1e6/(cpuTime()-start).Seconds(), "MB/CPU-s")
		})
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
