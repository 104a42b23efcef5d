package statistics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"varve/text/token"
)

// Method is how articles are ranked.
type Method string

// The methods.
const (
	Both   Method = "both"   // votes times words (5.4)
	Voting Method = "voting" // (5.3)
	Words  Method = "words"  // tf-idf (5.2)
)

// ParseMethod returns a method by its name; Both for none.
func ParseMethod(name string) (Method, error) {
	switch m := Method(name); m {
	case "":
		return Both, nil
	case Both, Voting, Words:
		return m, nil
	}
	return "", fmt.Errorf("there is no method %q: both, voting or words", name)
}

// Ranked is an article with why it stands where it does.
type Ranked struct {
	Title  string   `json:"title"`
	URL    string   `json:"url,omitempty"`
	Score  float64  `json:"score"`
	Votes  int      `json:"votes"`
	Cosine float64  `json:"cosine"`
	Themes []string `json:"themes"` // that were voted for
	Shared []string `json:"words"`  // words of the text that the article has, too, and that count most
}

// Sizes of an answer.
const mostShared = 6

// Rank returns the articles with a score above 0, the best first, at most as many as asked for. themes are those that the classes of the text stand for (C' of the paper).
//
//	words   score(a, q) = cos(v_a, v_q)                             v has tf * log(N / df) for each word
//	voting  score(a, q) = |themes of a that are in C'|
//	both    score(a, q) = |themes of a that are in C'| * cos(v_a, v_q)
//
// Equal scores are ordered by cosine, then by title.
func (s *Site) Rank(text string, themes []string, m Method, most int) []Ranked {
	voted := map[string]bool{}
	for _, t := range themes {
		voted[fold(t)] = true
	}
	query, written := s.words.of(stems(text)), surface(text)
	var out []Ranked
	for i, a := range s.Articles {
		one := Ranked{Title: a.Title, URL: a.URL, Themes: []string{}, Shared: []string{}}
		for _, c := range a.Categories {
			if voted[fold(c)] {
				one.Votes++
				one.Themes = append(one.Themes, c)
			}
		}
		one.Cosine, one.Shared = s.words.cosine(i, query)
		for j, stem := range one.Shared {
			one.Shared[j] = written[stem]
		}
		switch m {
		case Words:
			one.Score = one.Cosine
		case Voting:
			one.Score = float64(one.Votes)
		default:
			one.Score = float64(one.Votes) * one.Cosine
		}
		if one.Score > 0 {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Cosine, a.Cosine), strings.Compare(a.Title, b.Title))
	})
	return out[:min(len(out), most)]
}

// surface returns how a text first writes each of its stems.
func surface(text string) map[string]string {
	stemmer, _ := token.NewStemmer("en")
	out := map[string]string{}
	for w := range token.Words(text) {
		word := strings.ToLower(w.Text)
		if stem := stemmer.Stem(word); out[stem] == "" {
			out[stem] = word
		}
	}
	return out
}

// vectors are the words of articles.
type vectors struct {
	idf     map[string]float64
	article []map[string]float64 // of length 1
	size    int
}

func newVectors(articles []Article) vectors {
	v := vectors{idf: map[string]float64{}, size: len(articles)}
	counts := make([]map[string]float64, len(articles))
	for i, a := range articles {
		counts[i] = map[string]float64{}
		for _, w := range stems(a.Title + "\n" + strings.Join(a.Categories, "\n") + "\n" + a.Text) {
			if counts[i][w]++; counts[i][w] == 1 {
				v.idf[w]++
			}
		}
	}
	for w, df := range v.idf {
		v.idf[w] = math.Log(float64(v.size) / df)
	}
	for _, c := range counts {
		v.article = append(v.article, v.weigh(c))
	}
	return v
}

// weigh makes counts a vector of length 1; without words it is empty.
func (v *vectors) weigh(counts map[string]float64) map[string]float64 {
	out, sum := map[string]float64{}, 0.0
	for _, w := range sortedKeys(counts) { // in order: the last digit is the same on every run
		if x := counts[w] * v.idf[w]; x > 0 {
			out[w] = x
			sum += x * x
		}
	}
	for w := range out {
		out[w] /= math.Sqrt(sum)
	}
	return out
}

func sortedKeys(m map[string]float64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// of returns the vector of a text.
func (v *vectors) of(words []string) map[string]float64 {
	counts := map[string]float64{}
	for _, w := range words {
		counts[w]++
	}
	return v.weigh(counts)
}

// cosine compares an article with a text, and returns the words that count most.
func (v *vectors) cosine(article int, query map[string]float64) (float64, []string) {
	type part struct {
		word string
		x    float64
	}
	var parts []part
	for w, x := range query {
		if y := v.article[article][w]; y > 0 {
			parts = append(parts, part{w, x * y})
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(b.x, a.x), strings.Compare(a.word, b.word)) })
	sum, shared := 0.0, []string{}
	for _, p := range parts {
		sum += p.x
		if len(shared) < mostShared {
			shared = append(shared, p.word)
		}
	}
	return sum, shared
}
