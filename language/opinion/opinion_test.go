package opinion_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/language/opinion"
	"varve/language/sentence"
)

func tokens(text string) []opinion.Token {
	var out []opinion.Token
	for _, t := range sentence.AppendTokens(nil, text, 0, len(text)) {
		out = append(out, opinion.Token(t))
	}
	return out
}

func TestWorkedExample(t *testing.T) {
	got := opinion.Default().Lexicon().Rule(tokens("The plot is not very good, but I love it!"))
	if math.Abs(got-0.742) > 0.005 { // valences are stored in steps of 0.03
		t.Errorf("%v, want 0.742", got)
	}
}

// Each sentence is judged better than the next of its row.
func TestOrder(t *testing.T) {
	for _, row := range []string{
		"The food is extremely good!!!|The food is good.|The food is barely good.|The food is not good.|The food is horrible.",
		"I love it :)|I hate it :(",
		"The room was dirty, but the staff was wonderful.|The staff was wonderful, but the room was dirty.",
		"It is GREAT fun|It is great fun|It is no fun",
	} {
		last := math.Inf(1)
		for s := range strings.SplitSeq(row, "|") {
			got := opinion.Default().Lexicon().Rule(tokens(s))
			if got >= last {
				t.Errorf("%q: %v, and %v before it", s, got, last)
			}
			last = got
		}
	}
}

func TestSentence(t *testing.T) {
	r := opinion.Default().NewReader()
	for _, c := range []struct {
		text string
		sign float64
	}{
		{"What a wonderful, brilliant film!", 1},
		{"This is the worst phone I have ever owned, a terrible waste of money.", -1},
		{"The service was not good and the soup was awful.", -1},
		{"I am so happy with these great speakers.", 1},
	} {
		o, _, ok := r.Sentence(tokens(c.text), nil)
		if !ok || o.Score*c.sign < 0.2 || o.Confidence <= 0 || o.Confidence > 1 {
			t.Errorf("%s: %+v %v", c.text, o, ok)
		}
	}
	if o, _, ok := r.Sentence(tokens("The session opens at noon on Monday."), nil); ok {
		t.Errorf("a sentence without any judgement has an opinion: %+v", o)
	}
	if _, _, ok := r.Sentence(nil, nil); ok {
		t.Error("nothing has an opinion")
	}
}

func TestTargets(t *testing.T) {
	text := "The screen is wonderful and bright, but the battery is a terrible disappointment; the box is square."
	span := func(word string) opinion.Span {
		i := strings.Index(text, word)
		return opinion.Span{Start: i, End: i + len(word)}
	}
	_, about, ok := opinion.Default().NewReader().Sentence(tokens(text), []opinion.Span{span("screen"), span("battery"), span("box")})
	if !ok || len(about) != 2 || about[0].Span != span("screen") || about[0].Score < 0.2 || about[1].Span != span("battery") || about[1].Score > -0.2 {
		t.Errorf("%+v %v", about, ok)
	}
}

// A sentence with many clauses and many targets costs as much as its words and its targets, not their product.
func TestManyClauses(t *testing.T) {
	r := opinion.Default().NewReader()
	cost := func(n int) time.Duration {
		text := strings.Repeat("a good box; ", n)
		list, targets := tokens(text), []opinion.Span(nil)
		for at := 7; at < len(text); at += len("a good box; ") {
			targets = append(targets, opinion.Span{Start: at, End: at + 3})
		}
		return scan.CPUTime(func() {
			_, about, ok := r.Sentence(list, targets)
			if !ok || len(about) != n || about[7].Span != targets[7] || about[7].Score <= 0 {
				t.Errorf("%d of %d targets, %v", len(about), n, ok)
			}
		})
	}
	if short, long := cost(1_000), cost(32_000); long > 128*(short+time.Millisecond) {
		t.Errorf("%v, 32 times as much %v", short, long)
	}
}

func TestHolder(t *testing.T) {
	r := opinion.Default().NewReader()
	for _, c := range []struct {
		text, holder string
		quoted       bool
	}{
		{`“This law is a disgrace,” said Angela Merkel on Monday.`, "Angela Merkel", true},
		{`She said: "It was a great success."`, "She", true},
		{`"A horrible idea", the minister wrote.`, "", true},
		{`"A horrible idea" of the Gulf States, said Merkel.`, "Merkel", true},
		{`Angela Merkel said that the success of the "pact" is great.`, "", false},
	} {
		o, _, ok := r.Sentence(tokens(c.text), nil)
		if got := c.text[o.Holder.Start:o.Holder.End]; !ok || got != c.holder || o.Quoted != c.quoted {
			t.Errorf("%s: held by %q, quoted %v, %v", c.text, got, o.Quoted, ok)
		}
	}
}

// A model learns from ratings, and its file is the same each time.
func TestTrain(t *testing.T) {
	l := opinion.Default().Lexicon()
	var examples []opinion.Example
	for range 8 {
		examples = append(examples, opinion.Example{Tokens: tokens("the zorp is frabjous"), Rating: 0.7}, opinion.Example{Tokens: tokens("the zorp is gribbly"), Rating: -0.7})
	}
	var files [2]bytes.Buffer
	for i := range files {
		m, err := opinion.Train(examples, l, opinion.Both, opinion.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Chain().Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the same sentences gave other bytes")
	}
	m, err := opinion.Read(files[0].Bytes(), l)
	if err != nil {
		t.Fatal(err)
	}
	r := m.NewReader()
	if good, bad := r.Score(tokens("a frabjous day"), opinion.Both), r.Score(tokens("a gribbly day"), opinion.Both); good <= bad {
		t.Errorf("frabjous %v, gribbly %v", good, bad)
	}
	if _, err := opinion.Read(files[0].Bytes()[:100], l); err == nil {
		t.Error("half a model was read")
	}
	if _, err := opinion.ReadLexicon(nil); err == nil {
		t.Error("an empty lexicon was read")
	}
}

func FuzzOpinion(f *testing.F) {
	f.Add("The screen is good, but “awful” :-( said He!!!", 4, 10)
	f.Add("\u202e\x00\xff ''' but but ; ; —", 0, 1)
	f.Add(strings.Repeat("not very good !", 50), 100, 104)
	r := opinion.Default().NewReader()
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		for s := range sentence.Split(text) {
			var list []opinion.Token
			for _, k := range s.Tokens {
				list = append(list, opinion.Token(k))
			}
			whole, about, ok := r.Sentence(list, []opinion.Span{{Start: from, End: to}, {Start: s.Start, End: s.End}})
			if !ok {
				continue
			}
			for _, o := range about {
				if !(o.Score >= -1 && o.Score <= 1) {
					t.Fatalf("%+v", o)
				}
			}
			if !(whole.Score >= -1 && whole.Score <= 1 && whole.Confidence >= 0 && whole.Confidence <= 1) || whole.Holder.Start < 0 || whole.Holder.End > len(text) {
				t.Fatalf("%+v", whole)
			}
		}
	})
}
