package event_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/language/event"
	"varve/language/lexicon"
	"varve/language/mention"
)

// sentence reads words with their tags: "Merkel/NNP met/VBD"; names and times stand in brackets: [PER Angela/NNP Merkel/NNP], [T Monday/NNP].
func sentence(text string) event.Sentence {
	var s event.Sentence
	from, kind := 0, ""
	for w := range strings.FieldsSeq(text) {
		if k, ok := strings.CutPrefix(w, "["); ok && k != "" && !strings.Contains(k, "/") {
			from, kind = len(s.Tokens), k
			continue
		}
		word, end := strings.CutSuffix(w, "]")
		i := strings.LastIndexByte(word, '/')
		form, penn := word[:i], word[i+1:]
		s.Tokens = append(s.Tokens, event.Token{Text: form, Penn: penn, Lemma: lexicon.Default().Lemma(form, penn)})
		if span := (event.Span{From: from, To: len(s.Tokens)}); end && kind == "T" {
			s.Times = append(s.Times, span)
		} else if end {
			s.Names = append(s.Names, event.Name{Span: span, Type: mention.Type(kind)})
		}
	}
	return s
}

// show writes events on a line each: verb class who > whom @when in where.
func show(s event.Sentence, events []event.Event) string {
	parts := func(of []event.Part) string {
		var out []string
		for _, p := range of {
			var words []string
			for _, t := range s.Tokens[p.From:p.To] {
				words = append(words, t.Text)
			}
			out = append(out, strings.Join(words, " "))
		}
		return strings.Join(out, "+")
	}
	var out []string
	for _, e := range events {
		line := fmt.Sprintf("%s %s: %s > %s", e.Verb, e.Class, parts(e.Who), parts(e.Whom))
		if len(e.When) > 0 {
			line += " @" + parts(e.When)
		}
		if len(e.Where) > 0 {
			line += " in " + parts(e.Where)
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestWorkedExample(t *testing.T) {
	s := sentence("On/IN [T Monday/NNP] ,/, [PER Obama/NNP] ,/, who/WP was/VBD elected/VBN in/IN [T 2008/CD] ,/, met/VBD [PER Merkel/NNP] and/CC [PER Macron/NNP] in/IN [LOC Berlin/NNP] ./.")
	const want = "elect office:  > Obama @2008; meet meet: Obama > Merkel+Macron @Monday in Berlin"
	if got := show(s, event.NewFinder().Find(s)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFind(t *testing.T) {
	f := event.NewFinder()
	for _, c := range []struct{ why, text, want string }{
		{"active", "[PER Ann/NNP] bought/VBD a/DT red/JJ boat/NN ./.", "buy exchange: Ann > boat"},
		{"passive with an agent", "The/DT bridge/NN was/VBD built/VBN by/IN [ORG Acme/NNP] in/IN [T 1920/CD] ./.", "build make: Acme > bridge @1920"},
		{"agents in a list", "He/PRP is/VBZ being/VBG attacked/VBN by/IN [PER Ann/NNP] ,/, [PER Bob/NNP] and/CC [PER Cid/NNP] ./.", "attack conflict: Ann+Bob+Cid > He"},
		{"subjects in a list", "[PER Ann/NNP] ,/, [PER Bob/NNP] and/CC two/CD friends/NNS left/VBD ./.", "leave move: Ann+Bob+friends > "},
		{"one subject, two verbs", "[PER Ann/NNP] resigned/VBD in/IN [T 1994/CD] and/CC joined/VBD [ORG Acme/NNP] ./.", "resign office: Ann >  @1994; join office: Ann > Acme"},
		{"and begins a clause", "[PER Ann/NNP] left/VBD and/CC [PER Bob/NNP] arrived/VBD ./.", "leave move: Ann > ; arrive move: Bob > "},
		{"apposition", "[PER Ann/NNP Lee/NNP] ,/, spokeswoman/NN of/IN the/DT army/NN ,/, said/VBD it/PRP rained/VBD ./.", "say say: Ann Lee > "},
		{"relative clause", "We/PRP know/VBP [PER Ann/NNP] ,/, who/WP wrote/VBD a/DT book/NN ./.", "write make: Ann > book"},
		{"left-out object", "the/DT best/JJS pupil/NN he/PRP ever/RB taught/VBD", "teach office: he > pupil"},
		{"speech before the speaker", "\"/`` It/PRP rains/VBZ ,/, \"/'' said/VBD [PER Ann/NNP] ./.", "say say: Ann > "},
		{"participle", "His/PRP$ book/NN was/VBD the/DT [WORK Ark/NNP] ,/, published/VBN in/IN [T 1724/CD] ./.", "publish make:  > Ark @1724"},
		{"gerund", "[PER Holt/NNP] was/VBD named/VBN captain/NN after/IN hitting/VBG a/DT homer/NN ./.", "name office:  > Holt; hit contest: Holt > homer"},
		{"a verb that hands its subject on", "[PER Santa/NNP] seems/VBZ to/TO have/VB come/VBN ./.", "come move: Santa > "},
		{"what a refusal is about", "[PER Ann/NNP] refused/VBD to/TO pay/VB [PER Bob/NNP] ./.", "refuse say: Ann > Bob"},
		{"preposition of the verb", "[PER Ann/NNP] spoke/VBD to/IN [PER Bob/NNP] ./.", "speak say: Ann > Bob"},
		{"particle", "[PER Ann/NNP] grew/VBD up/RP in/IN the/DT village/NN of/IN [LOC Clyst/NNP] ./.", "grow up life: Ann >  in Clyst"},
		{"light verb", "[PER Ann/NNP] took/VBD office/NN ./.", "take office: Ann > office"},
		{"owner", "[PER Ann/NNP] 's/POS old/JJ house/NN was/VBD sold/VBN ./.", "sell exchange:  > house"},
		{"title with of", "They/PRP killed/VBD Minister/NNP of/IN Defence/NNP [PER Hazem/NNP Shaalan/NNP] ./.", "kill conflict: They > Hazem Shaalan"},
		{"place of a move", "[PER Ann/NNP] fled/VBD to/IN [LOC Rome/NNP] ./.", "flee move: Ann >  in Rome"},
		{"object in a place", "[ORG Katrina/NNP] devastated/VBN refineries/NNS in/IN [LOC Louisiana/NNP] and/CC [LOC Texas/NNP] ./.", "devastate conflict: Katrina > refineries in Louisiana"},
		{"announced", "[ORG Acme/NNP] will/MD open/VB a/DT plant/NN ./.", "open make: Acme > plant"},
		{"headline", "[PER Ann/NNP] wins/VBZ race/NN", "win contest: Ann > race"},

		{"state", "[PER Ann/NNP] was/VBD in/IN [LOC Rome/NNP] ./.", ""},
		{"habit", "The/DT [LOC Nile/NNP] goes/VBZ north/RB ./.", ""},
		{"denied", "[PER Ann/NNP] did/VBD n't/RB leave/VB ./.", ""},
		{"denied subject", "No/DT friend/NN of/IN [PER Ann/NNP] left/VBD ./.", ""},
		{"possible", "[PER Ann/NNP] may/MD leave/VB ./.", ""},
		{"condition", "It/PRP ends/VBZ if/IN [PER Ann/NNP] left/VBD ./.", ""},
		{"wish", "[PER Ann/NNP] wants/VBZ to/TO leave/VB [LOC Rome/NNP] ./.", ""},
		{"hoped", "They/PRP hope/VBP that/IN [PER Ann/NNP] left/VBD ./.", ""},
		{"question", "Who/WP killed/VBD [PER Ann/NNP] ?/.", ""},
		{"no name", "The/DT dog/NN bit/VBD a/DT man/NN ./.", ""},
		{"nothing", "", ""},
	} {
		s := sentence(c.text)
		events := f.Find(s)
		if got := show(s, events); got != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.why, c.text, got, c.want)
		}
		for _, e := range events {
			if !(e.Confidence > 0 && e.Confidence < 1) {
				t.Errorf("%s: confidence %g", c.why, e.Confidence)
			}
		}
	}
}

// A verb has one class, a noun of light verbs too, and all classes of the file are known.
func TestLists(t *testing.T) {
	file, err := os.ReadFile("verbs.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"state": true}
	for _, c := range event.Classes() {
		known[string(c)] = true
	}
	seen := map[string]string{}
	for line := range strings.Lines(string(file)) {
		list, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		class, noun := strings.CutPrefix(list, "of ")
		switch list {
		case "raise", "wish", "with", "two", "light":
			continue
		}
		if !known[class] {
			t.Errorf("there is no class %q", class)
		}
		for w := range strings.FieldsSeq(words) {
			key := fmt.Sprint(noun, w)
			if seen[key] != "" {
				t.Errorf("%s is both %s and %s", w, seen[key], list)
			}
			seen[key] = list
		}
	}
	if len(seen) < 1000 {
		t.Errorf("%d words", len(seen))
	}
}

// hostile makes a sentence of n tokens that repeats words.
func hostile(part string, n int) event.Sentence {
	one := sentence(part)
	var s event.Sentence
	for len(s.Tokens) < n {
		for _, m := range one.Names {
			m.From, m.To = m.From+len(s.Tokens), m.To+len(s.Tokens)
			s.Names = append(s.Names, m)
		}
		for _, m := range one.Times {
			m.From, m.To = m.From+len(s.Tokens), m.To+len(s.Tokens)
			s.Times = append(s.Times, m)
		}
		s.Tokens = append(s.Tokens, one.Tokens...)
	}
	return s
}

func TestLinear(t *testing.T) {
	f := event.NewFinder()
	for _, part := range []string{
		"[PER Ann/NNP] ,/,", "and/CC [PER Ann/NNP]", "(/-LRB-", ")/-RRB-", "said/VBD", "to/TO begin/VB", "of/IN [PER Ann/NNP]", "[PER Ann/NNP] left/VBD", "[PER Ann/NNP] ,/, who/WP came/VBD ,/, left/VBD",
		"the/DT", "big/JJ", "'s/POS", "not/RB", "be/VB", "in/IN [T 1990/CD]", "in/IN [LOC Rome/NNP]", "if/IN", "by/IN leaving/VBG", "gone/VBN [PER Ann/NNP]", "-/HYPH in/IN -/HYPH", "\"/``",
	} {
		cost := func(n int) time.Duration {
			s := hostile(part, n)
			least := time.Duration(math.MaxInt64)
			for range 3 {
				least = min(least, scan.CPUTime(func() { f.Find(s) }))
			}
			return least
		}
		if short, long := cost(1<<11), cost(1<<15); long > 64*(short+time.Millisecond) {
			t.Errorf("%q: %v, 16 times as much %v", part, short, long)
		}
	}
}

// Whatever the tags and names are, places lie in the sentence and the answer is the same each time.
func FuzzFind(f *testing.F) {
	f.Add("Ann said that Bob was born in Rome", []byte("NVSNPVITN"))
	f.Add("of of of and and ' x", []byte("iicc'qQ"))
	f.Fuzz(func(t *testing.T, text string, tags []byte) {
		kinds := []string{"NN", "NNP", "NNS", "VBD", "VB", "VBZ", "VBG", "VBN", "TO", "MD", "IN", "CC", ",", ".", "DT", "JJ", "PRP", "PRP$", "POS", "WP", "WDT", "WRB", "RB", "RP", "CD", "``", "''", "-LRB-", "-RRB-", "HYPH", "EX", "FW", ""}
		var s event.Sentence
		for i, w := range strings.Fields(text) {
			b := byte(0)
			if len(tags) > 0 {
				b = tags[i%len(tags)]
			}
			s.Tokens = append(s.Tokens, event.Token{Text: w, Penn: kinds[int(b)%len(kinds)], Lemma: strings.ToLower(w)})
			if b&0x80 != 0 && i > 0 {
				s.Names = append(s.Names, event.Name{Span: event.Span{From: i, To: i + 1 + int(b&1)}, Type: mention.Types[int(b>>2)%len(mention.Types)]})
			}
			if b&0x60 == 0x60 {
				s.Times = append(s.Times, event.Span{From: i, To: i + 1})
			}
		}
		finder := event.NewFinder()
		first := finder.Find(s)
		if a, b := fmt.Sprint(first), fmt.Sprint(finder.Find(s)); a != b {
			t.Fatalf("%s, then %s", a, b)
		}
		for _, e := range first {
			if e.Trigger < 0 || e.Trigger >= len(s.Tokens) || e.Class == "" {
				t.Fatalf("%+v", e)
			}
			for _, role := range [][]event.Part{e.Who, e.Whom, e.When, e.Where} {
				for _, p := range role {
					if p.From < 0 || p.To <= p.From || p.To > len(s.Tokens) {
						t.Fatalf("%+v of %d tokens", p, len(s.Tokens))
					}
				}
			}
		}
	})
}
