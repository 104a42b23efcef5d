package corpus

import (
	"fmt"
	"strconv"
	"strings"
)

// Noun is a sense of nouns in WordNet, by a name such as city.n.01: its first word, and the number of the sense among those of that word.
type Noun struct {
	Words      []string // as WordNet has them, with underscores
	Gloss      string
	Above      []string // what it is a kind of
	InstanceOf []string // what it is one of: Einstein is a physicist
}

// Nouns are all senses of nouns.
type Nouns struct {
	ByName map[string]*Noun
	Senses map[string][]string // word in lower case: names of its senses, the commonest first
}

// ReadNouns reads the archive wordnet-3.0.tar.gz.
func ReadNouns(file string) (*Nouns, error) {
	type sense struct {
		noun             Noun
		above, instances []string
	}
	all := map[string]*sense{} // by offset
	index := map[string][]string{}
	err := wordNetLines(file, func(kind, part, line string) error {
		if part != "noun" || strings.HasPrefix(line, " ") {
			return nil
		}
		head, gloss, _ := strings.Cut(line, " | ")
		c := strings.Fields(head)
		switch kind {
		case "index":
			if len(c) < 3 {
				return fmt.Errorf("%.40q is no line of an index", line)
			}
			n, err := strconv.Atoi(c[2])
			if err != nil || n > len(c) {
				return fmt.Errorf("%q has no number of senses", c[0])
			}
			index[c[0]] = c[len(c)-n:]
		case "data":
			if len(c) < 5 {
				return fmt.Errorf("%.40q is no sense of a noun", line)
			}
			n, err := strconv.ParseInt(c[3], 16, 32)
			if err != nil || 4+2*int(n) > len(c) {
				return fmt.Errorf("%q has no number of words", c[0])
			}
			s := &sense{noun: Noun{Gloss: strings.TrimSpace(gloss)}}
			for i := range int(n) {
				s.noun.Words = append(s.noun.Words, c[4+2*i])
			}
			for i := 4 + 2*int(n); i+1 < len(c); i++ {
				switch c[i] {
				case "@":
					s.above = append(s.above, c[i+1])
				case "@i":
					s.instances = append(s.instances, c[i+1])
				}
			}
			all[c[0]] = s
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || len(index) == 0 {
		return nil, fmt.Errorf("%s has no nouns of WordNet", file)
	}
	names := map[string]string{}
	for offset, s := range all {
		word := strings.ToLower(s.noun.Words[0])
		for i, o := range index[word] {
			if o == offset {
				names[offset] = fmt.Sprintf("%s.n.%02d", word, i+1)
			}
		}
	}
	out := &Nouns{ByName: map[string]*Noun{}, Senses: map[string][]string{}}
	for offset, s := range all {
		for _, o := range s.above {
			s.noun.Above = append(s.noun.Above, names[o])
		}
		for _, o := range s.instances {
			s.noun.InstanceOf = append(s.noun.InstanceOf, names[o])
		}
		out.ByName[names[offset]] = &s.noun
	}
	for word, offsets := range index {
		for _, o := range offsets {
			out.Senses[word] = append(out.Senses[word], names[o])
		}
	}
	return out, nil
}
