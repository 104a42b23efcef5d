package models

import (
	"archive/tar"
	"bufio"
	"bytes"
	_ "embed" // judging.tsv
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/opinions"
	"varve/language/opinion"
	"varve/language/wordlist"
	"varve/text/token"
)

// opinionSets are the sets of rated sentences that may feed a shipped model.
var opinionSets = []string{"vader-amazon", "vader-movies", "vader-tweets"}

// opinions makes the two files of opinions.
func (m *Made) opinions(data string) error {
	values, err := Valences(data)
	if err != nil {
		return err
	}
	var list, model bytes.Buffer
	if err := wordlist.Write(&list, values); err != nil {
		return err
	}
	l, err := opinion.ReadLexicon(list.Bytes())
	if err != nil {
		return err
	}
	examples, err := OpinionExamples(data)
	if err != nil {
		return err
	}
	learned, err := opinion.Train(examples, l, opinion.Both, opinion.DefaultOptions())
	if err != nil {
		return err
	}
	if err := learned.Chain().Write(&model); err != nil {
		return err
	}
	m.Files["language/opinion/lexicon.bin"], m.Files["language/opinion/model.bin"] = list.Bytes(), model.Bytes()
	return nil
}

// judging has two lists of words that judge in reviews, as the head of the file tells; neither gives each word the valence that many people found, as VADER does.
//
//go:embed judging.tsv
var judging string

// Judging returns the words that judge, from -4 to 4.
func Judging() (map[string]float64, error) {
	listed := map[string]float64{}
	for line := range strings.Lines(judging) {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		word, value, _ := strings.Cut(strings.TrimSpace(line), "\t")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("judging.tsv: %.40q: %w", line, err)
		}
		listed[word] = v
	}
	return listed, nil
}

// Valences returns the lexicon of opinions: the valences of VADER, those of words that are listed as judging and, for words that WordNet relates to any of
// these, what their relations say.
func Valences(data string) (map[string]uint32, error) {
	given := map[string]float64{}
	err := corpus.Lines(filepath.Join(data, "sentiment", "vader-lexicon.txt.gz"), func(_ int, line string) error {
		c := strings.Split(line, "\t")
		if len(c) < 2 {
			return nil
		}
		v, err := strconv.ParseFloat(c[1], 64)
		given[strings.ToLower(c[0])] = v
		return err
	})
	if err != nil {
		return nil, err
	}
	listed, err := Judging()
	if err != nil {
		return nil, err
	}
	known := maps.Clone(listed)
	maps.Copy(known, given)
	related, err := spread(filepath.Join(data, "kb", "wordnet-3.0.tar.gz"), known)
	if err != nil {
		return nil, err
	}
	values := map[string]uint32{}
	for w, v := range related { // has those that are known
		if e := opinion.Entry(given[w], v, listed[w]); e != 0 {
			values[w] = e
		}
	}
	stemmer, _ := token.NewStemmer("en")
	sums, counts := map[string]float64{}, map[string]int{}
	for _, w := range slices.Sorted(maps.Keys(related)) {
		if letters(w) == len([]rune(w)) && len(w) > 2 {
			s := stemmer.Stem(w)
			sums[s] += related[w]
			counts[s]++
		}
	}
	for s, sum := range sums {
		if e := opinion.Entry(0, sum/float64(counts[s]), 0); e != 0 {
			values[opinion.Stem+s] = e
		}
	}
	return values, nil
}

// synset is a set of words of WordNet that mean the same.
type synset struct {
	words    []string
	gloss    []string
	related  []string // ids of synsets that mean nearly the same
	opposite []string // antonyms
	value    float64
}

// Constants of the spreading, chosen once and not tuned.
const (
	spreadRounds = 4
	spreadNear   = 0.7  // weight of a set that means nearly the same, or the opposite, beside that of a word of the set
	spreadGloss  = 0.5  // of the words of the gloss
	spreadLeast  = 0.15 // less is not kept
)

// spread returns valences of words that are related to some with a given valence: a set of words that mean the same has the mean of its
// words, of the sets it is similar to, derived from or, with the other sign, an antonym of, and of its gloss; a word has the mean of its sets, the commonest meaning
// first. Words with a given valence keep it. After some rounds all within as many steps have one.
func spread(file string, given map[string]float64) (map[string]float64, error) {
	sets, senses, err := readSynsets(file)
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(sets))
	words := slices.Sorted(maps.Keys(senses))
	current := maps.Clone(given)
	for range spreadRounds {
		next := map[string]float64{}
		for _, id := range ids {
			s := sets[id]
			sum, weight := 0.0, 0.0
			for _, w := range s.words {
				if v, ok := current[w]; ok {
					sum, weight = sum+v, weight+1
				}
			}
			for _, o := range s.related {
				if t := sets[o]; t != nil && t.value != 0 {
					sum, weight = sum+float64(spreadNear*t.value), weight+spreadNear
				}
			}
			for _, o := range s.opposite {
				if t := sets[o]; t != nil && t.value != 0 {
					sum, weight = sum-float64(spreadNear*t.value), weight+spreadNear
				}
			}
			gloss, n := 0.0, 0
			negated := false
			for _, w := range s.gloss {
				if v, ok := given[w]; ok {
					if negated {
						v = -v
					}
					gloss, n = gloss+v, n+1
				}
				negated = w == "not" || w == "no" || w == "without" || w == "lacking"
			}
			if n > 0 {
				sum, weight = sum+float64(spreadGloss*gloss/float64(n)), weight+spreadGloss
			}
			next[id] = sum / (weight + 1) // one that knows nothing pulls to 0
		}
		for id, v := range next {
			sets[id].value = v
		}
		for _, w := range words {
			if _, ok := given[w]; ok {
				continue
			}
			sum, weight := 0.0, 0.0
			for i, id := range senses[w] {
				if s := sets[id]; s != nil {
					f := 1 / float64(1+i)
					sum, weight = sum+float64(f*s.value), weight+f
				}
			}
			if weight > 0 && sum != 0 {
				current[w] = sum / weight
			}
		}
	}
	for w, v := range current {
		if _, ok := given[w]; !ok && v < spreadLeast && v > -spreadLeast {
			delete(current, w)
		}
	}
	return current, nil
}

// readSynsets reads the sets of words of WordNet by their ids, and the ids of each word, the commonest meaning first.
func readSynsets(file string) (map[string]*synset, map[string][]string, error) {
	f, err := eval.Open(file, "")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	sets, senses := map[string]*synset{}, map[string][]string{}
	t := tar.NewReader(f)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		kind, part, _ := strings.Cut(path.Base(h.Name), ".")
		letter, ok := map[string]string{"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[part]
		if !ok || kind != "data" && kind != "index" {
			continue
		}
		s := bufio.NewScanner(t)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			if line := s.Text(); !strings.HasPrefix(line, " ") {
				if kind == "data" {
					readSynset(sets, letter, line)
				} else {
					readSenses(senses, letter, line)
				}
			}
		}
		if err := s.Err(); err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", file, h.Name, err)
		}
	}
	return sets, senses, nil
}

func readSynset(sets map[string]*synset, part, line string) {
	data, gloss, _ := strings.Cut(line, " | ")
	c := strings.Fields(data)
	if len(c) < 6 {
		return
	}
	n, err := strconv.ParseInt(c[3], 16, 32)
	at := 4 + 2*int(n)
	if err != nil || at >= len(c) {
		return
	}
	s := &synset{}
	for i := 4; i < at; i += 2 {
		word, _, _ := strings.Cut(strings.ToLower(c[i]), "(") // good(a)
		s.words = append(s.words, word)
	}
	pointers, err := strconv.Atoi(c[at])
	for i := at + 1; err == nil && pointers > 0 && i+3 < len(c); i, pointers = i+4, pointers-1 {
		id := strings.Replace(c[i+2], "s", "a", 1) + c[i+1]
		switch c[i] {
		case "&", "^", "+", "\\", "=", "<":
			s.related = append(s.related, id)
		case "!":
			s.opposite = append(s.opposite, id)
		}
	}
	gloss, _, _ = strings.Cut(gloss, `"`) // without its examples
	s.gloss = words(gloss)
	sets[part+c[0]] = s
}

func readSenses(senses map[string][]string, part, line string) {
	c := strings.Fields(line)
	if len(c) < 5 || strings.Contains(c[0], "_") {
		return
	}
	n, err := strconv.Atoi(c[2])
	if err != nil || n > len(c)-4 {
		return
	}
	for _, offset := range c[len(c)-n:] {
		senses[c[0]] = append(senses[c[0]], part+offset)
	}
}

// OpinionExamples reads the sets of rated sentences but those named.
func OpinionExamples(data string, but ...string) ([]opinion.Example, error) {
	var out []opinion.Example
	for _, set := range opinionSets {
		if slices.Contains(but, set) {
			continue
		}
		e, err := opinions.Read(filepath.Join(data, "sentiment", set+".tsv.gz"))
		if err != nil {
			return nil, err
		}
		out = append(out, e...)
	}
	return out, nil
}

// ValidateOpinions measures opinions on a set that the model did not see: one is trained anew on the sets of data without it, by words alone and with the lexicon.
func ValidateOpinions(data, file string, l *opinion.Lexicon) (opinions.Result, error) {
	examples, err := OpinionExamples(data, eval.SetName(file))
	if err != nil {
		return opinions.Result{}, err
	}
	var models [2]*opinion.Model
	for i, s := range []opinion.Sources{opinion.Words, opinion.Both} {
		if models[i], err = opinion.Train(examples, l, s, opinion.DefaultOptions()); err != nil {
			return opinions.Result{}, err
		}
	}
	return opinions.Measure(file, models[1], models[0])
}
