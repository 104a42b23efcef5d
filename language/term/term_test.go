package term_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varve/language/sentence"
	"varve/language/tag"
	"varve/language/term"
)

// add counts the candidates of a text.
func add(s *term.Set, text, lang string) {
	tagger := tag.Default().NewTagger()
	for sent := range sentence.SplitIn(text, lang) {
		words, tokens := []string{}, []term.Token{}
		for _, t := range sent.Tokens {
			words = append(words, t.Text)
			tokens = append(tokens, term.Token{Text: t.Text, Start: t.Start, End: t.End})
		}
		if term.Tagged(lang) {
			for i, g := range tagger.Tag(words) {
				tokens[i].Penn, tokens[i].Lemma = g.Penn, g.Lemma
			}
		}
		s.Add(text, tokens)
	}
}

func newSet(t testing.TB, lang string, o term.Options) *term.Set {
	t.Helper()
	s, err := term.New(lang, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scores returns the scores of all candidates by key.
func scores(s *term.Set, m term.Measure) map[string]float64 {
	out := map[string]float64{}
	n, _ := s.Len()
	for _, t := range s.Terms(n, m) {
		out[t.Key] = t.Score
	}
	return out
}

func TestWorkedExample(t *testing.T) {
	s := newSet(t, "en", term.Options{})
	add(s, "Wind turbines turn. A wind turbine has a rotor.", "en")
	for _, want := range []struct {
		measure term.Measure
		key     string
		score   float64
	}{
		{term.Frequency, "turbine", 2},
		{term.CValue, "turbine", 0},
		{term.CValue, "wind turbine", math.Log2(3) * 2},
		{term.TFIDF, "turbine", 2 * math.Ln2},
		{term.TFIDF, "wind turbine", 2 * math.Ln2},
		{term.Augmented, "turbine", 4 * math.Ln2},
		{term.Augmented, "wind turbine", 2 * math.Ln2},
		{term.Kyoto, "turbine", 2},
		{term.Kyoto, "wind turbine", 1},
		{term.Kyoto, "wind", 1}, // no head of a wind turbine
	} {
		if got, ok := scores(s, want.measure)[want.key]; !ok || math.Abs(got-want.score) > 1e-9 {
			t.Errorf("%s of %q: %v, want %v", want.measure, want.key, got, want.score)
		}
	}
	if got := s.Terms(1, term.CValue); got[0].Key != "wind turbine" || got[0].Text() != "Wind turbines" || len(got[0].Forms) != 2 {
		t.Errorf("the best term is %+v", got)
	}
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct{ lang, text, want, not string }{
		{"en", "The tip-speed ratio of the rotor blades matters.", "tip speed ratio|ratio|rotor blade|blade", "tip|of|the|ratio of the rotor blade"},
		{"en", "The board of directors met the public prosecutor.", "board of director|public prosecutor|public", "board of|of director"},
		{"en", "Heavily ### 12 ϕ x1 ratios", "ratio", "###|12|x1"},
		{"fr", "La vitesse du vent et l'énergie éolienne dans le parc d’éoliennes.", "vitess du vent|énerg éolien|parc d éolien", "du vent|l énerg"},
		{"nl", "De kosten van windenergie stijgen.", "windenergie", "de|van windenergie"},
		{"de", "Der Mietspiegel der Stadt steigt.", "mietspiegel", "der"},
	} {
		s := newSet(t, c.lang, term.Options{})
		add(s, c.text, c.lang)
		found := scores(s, term.Frequency)
		for want := range strings.SplitSeq(c.want, "|") {
			if _, ok := found[want]; !ok {
				t.Errorf("%s: no candidate %q in %v", c.text, want, found)
			}
		}
		for not := range strings.SplitSeq(c.not, "|") {
			if _, ok := found[not]; ok {
				t.Errorf("%s: %q is a candidate", c.text, not)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "The Kyoto protocol\n on greenhouse   gases limits greenhouse gas emissions."
	s := newSet(t, "en", term.Options{Places: true})
	add(s, text, "en")
	for _, found := range s.Terms(100, term.Combined) {
		if len(found.Places) != found.Frequency {
			t.Errorf("%s: %d places, met %d times", found.Key, len(found.Places), found.Frequency)
		}
		for _, p := range found.Places {
			form := strings.Join(strings.Fields(text[p.Start:p.End]), " ")
			if !slices.ContainsFunc(found.Forms, func(f term.Form) bool { return f.Text == form }) {
				t.Errorf("%s: %q stands at %d, not among %v", found.Key, form, p.Start, found.Forms)
			}
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	if _, err := term.New("xx", term.Options{}); err == nil || !strings.Contains(err.Error(), `"xx"`) {
		t.Errorf("%v", err)
	}
	for _, lang := range term.Languages() {
		newSet(t, lang, term.Options{}) // its background can be read
	}
}

// seed returns the seed of a random test; VARVE_SEED repeats one.
func seed(t *testing.T) *rand.Rand {
	n := rand.Uint64()
	if v := os.Getenv("VARVE_SEED"); v != "" {
		var err error
		if n, err = strconv.ParseUint(v, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("VARVE_SEED=%d", n)
	return rand.New(rand.NewPCG(n, 1))
}

// corpus returns sentences of few nouns and adjectives, as tokens with tags.
func corpus(random *rand.Rand, sentences int) (text string, out [][]term.Token) {
	var b strings.Builder
	for range sentences {
		var tokens []term.Token
		for range 1 + random.IntN(7) {
			word, penn := fmt.Sprintf("w%c%c", 'a'+rune(random.IntN(3)), 'a'+rune(random.IntN(2))), "NN"
			switch random.IntN(6) {
			case 0:
				penn = "JJ"
			case 1:
				word, penn = "of", "IN"
			case 2:
				word, penn = "the", "DT"
			}
			start := b.Len()
			b.WriteString(word + " ")
			tokens = append(tokens, term.Token{Text: word, Start: start, End: start + len(word), Penn: penn, Lemma: word})
		}
		out = append(out, tokens)
	}
	return b.String(), out
}

// All scores equal those of their definitions, computed the long way: each candidate against each other.
func TestBruteForce(t *testing.T) {
	random := seed(t)
	for range 30 {
		text, sentences := corpus(random, 12)
		s := newSet(t, "en", term.Options{})
		f, df, seen := map[string]int{}, map[string]int{}, map[[2]any]bool{}
		for i, tokens := range sentences {
			if i == 6 {
				s.NextDocument()
			}
			s.Add(text, tokens)
			for from := range tokens {
				for to := from + 1; to <= len(tokens); to++ {
					if key, ok := phrase(tokens[from:to]); ok {
						f[key]++
						if at := [2]any{key, i / 6}; !seen[at] {
							seen[at] = true
							df[key]++
						}
					}
				}
			}
		}
		got := map[term.Measure]map[string]float64{}
		for _, m := range term.Measures {
			if got[m] = scores(s, m); len(got[m]) != len(f) {
				t.Fatalf("%s: %d candidates, want %d", m, len(got[m]), len(f))
			}
		}
		tfidf := func(key string) float64 { return float64(f[key]) * math.Log(3/float64(df[key])) }
		for a := range f {
			containers, within, hyponyms, augmented := 0, 0, 0, tfidf(a)
			for b := range f {
				if a == b {
					continue
				}
				wordsA, wordsB := strings.Fields(a), strings.Fields(b)
				for at := range wordsB {
					if at+len(wordsA) > len(wordsB) || !slices.Equal(wordsA, wordsB[at:at+len(wordsA)]) {
						continue
					}
					containers++
					within += f[b]
					if ofB := slices.Contains(wordsB, "of"); ofB && at == 0 || !ofB && at+len(wordsA) == len(wordsB) {
						hyponyms++
						augmented += tfidf(b)
					}
				}
			}
			alone := float64(f[a])
			if containers > 0 {
				alone -= float64(within) / float64(containers)
			}
			words := len(strings.Fields(strings.ReplaceAll(" "+a+" ", " of ", " ")))
			for m, want := range map[term.Measure]float64{
				term.Frequency: float64(f[a]), term.TFIDF: tfidf(a), term.Augmented: augmented, term.Kyoto: float64(df[a]) * float64(1+hyponyms),
				term.CValue: math.Log2(float64(words)+1) * alone,
			} {
				if math.Abs(got[m][a]-want) > 1e-6 {
					t.Fatalf("%s of %q: %v, want %v", m, a, got[m][a], want)
				}
			}
		}
	}
}

// phrase reports whether tokens are a candidate by the rules of the package comment.
func phrase(tokens []term.Token) (key string, ok bool) {
	words, of := 0, 0
	var keys []string
	for i, k := range tokens {
		keys = append(keys, k.Lemma)
		switch k.Penn {
		case "IN":
			if of++; i == 0 || tokens[i-1].Penn != "NN" {
				return "", false
			}
		case "DT":
			return "", false
		default:
			words++
		}
	}
	last := tokens[len(tokens)-1].Penn
	return strings.Join(keys, " "), words <= 5 && of <= 1 && (last == "NN" || last == "JJ" && len(tokens) == 1)
}

// Without drops, documents may come in any order.
func TestOrder(t *testing.T) {
	random := seed(t)
	text, sentences := corpus(random, 60)
	var first []term.Term
	for round := range 4 {
		s := newSet(t, "en", term.Options{})
		for _, i := range random.Perm(60) {
			s.Add(text, sentences[i])
			s.NextDocument()
		}
		got := s.Terms(50, term.Combined)
		if round == 0 {
			first = got
		} else if fmt.Sprint(got) != fmt.Sprint(first) {
			t.Fatalf("another order gives\n%v, not\n%v", got, first)
		}
	}
}

// A set that is too small keeps the frequent candidates and says what it may have lost.
func TestDropped(t *testing.T) {
	random := seed(t)
	s := newSet(t, "en", term.Options{Candidates: 300})
	for i := range 20_000 {
		word := fmt.Sprintf("w%x", random.Uint64())
		word = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r - '0' + 'g'
			}
			return r
		}, word)
		if i%10 == 0 {
			word = "turbine"
		}
		s.Add(word, []term.Token{{Text: word, End: len(word), Penn: "NN", Lemma: word}})
		if n, _ := s.Len(); n > 300 {
			t.Fatalf("%d candidates", n)
		}
	}
	dropped, most := s.Dropped()
	best := s.Terms(1, term.Frequency)
	if dropped == 0 || most == 0 || best[0].Key != "turbine" || best[0].Frequency != 2000 {
		t.Errorf("dropped %d of up to %d occurrences, best %+v", dropped, most, best)
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("Wind turbines turn. The tip-speed ratio of rotors.", "en")
	f.Add("l'énergie d’éoliennes ''''' - -- – a-b-c", "fr")
	f.Add("\u202e zalgơ̷̢ \x00\xff of of of - of", "en")
	tagger := tag.Default().NewTagger()
	f.Fuzz(func(t *testing.T, text, lang string) {
		s, err := term.New(lang, term.Options{Places: true, Candidates: 500})
		if err != nil {
			return
		}
		for sent := range sentence.SplitIn(text, lang) {
			var words []string
			tokens := make([]term.Token, len(sent.Tokens))
			for i, k := range sent.Tokens {
				words = append(words, k.Text)
				tokens[i] = term.Token{Text: k.Text, Start: k.Start, End: k.End}
			}
			for i, g := range tagger.Tag(words) {
				tokens[i].Penn, tokens[i].Lemma = g.Penn, g.Lemma
			}
			s.Add(text, tokens)
		}
		for _, m := range term.Measures {
			for _, found := range s.Terms(10, m) {
				if math.IsNaN(found.Score) || math.IsInf(found.Score, 0) || found.Key == "" || len(found.Forms) == 0 {
					t.Fatalf("%s: %+v", m, found)
				}
				for _, p := range found.Places {
					if p.Start < 0 || p.End > len(text) || p.Start >= p.End {
						t.Fatalf("%q stands at %v of %d bytes", found.Key, p, len(text))
					}
				}
			}
		}
	})
}

// Cost is linear in the text, whatever it is: the number of candidates that are counted is bounded by the tokens.
func TestLongRuns(t *testing.T) {
	for _, text := range []string{strings.Repeat("wind ", 40_000), strings.Repeat("a-", 40_000), strings.Repeat("wind of ", 20_000), strings.Repeat("x", 1<<20)} {
		s := newSet(t, "en", term.Options{})
		add(s, text, "en")
		counted := 0.0
		for _, n := range scores(s, term.Frequency) {
			counted += n
		}
		if tokens := strings.Count(text, " ") + 1; counted > float64(9*tokens) {
			t.Errorf("%.20q: %v candidates of %d tokens", text, counted, tokens)
		}
	}
}
