package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sure is the confidence from which a name speaks for its namesakes that were missed: that of one mention, or of several together,
//
//	sure <= 1 - (1-p1)(1-p2)...(1-pn)     three at 0.5 have 0.875
//
// and echoed that of a name that is marked because of others elsewhere.
const (
	sure   = 0.8
	echoed = 0.4
)

// longestName is the largest number of tokens of a name that is looked for elsewhere in the document.
const longestName = 6

// consistent makes the types of a document agree, and marks names that were missed. The package comment has the rules.
func consistent(document []Sentence, found []Mention) []Mention {
	votes := map[string]map[Type]float64{}
	vote := func(name string, t Type, weight float64) {
		if votes[name] == nil {
			votes[name] = map[Type]float64{}
		}
		votes[name][t] += weight
	}
	certain := map[string]Type{} // names to be marked where they were missed
	doubt := map[string]float64{}
	for _, m := range found {
		words := document[m.Sentence].Words[m.From:m.To]
		n := name(words)
		vote(n, m.Type, m.Confidence)
		if _, met := doubt[n]; !met {
			doubt[n] = 1
		}
		doubt[n] *= 1 - m.Confidence
		if 1-doubt[n] >= sure && len(words) <= longestName && capital(words[0]) {
			certain[n] = m.Type
			if last := words[len(words)-1]; m.Type == Person && len(words) > 1 && capital(last) && utf8.RuneCountInString(last) > 2 {
				vote(strings.ToLower(last), Person, m.Confidence)
				if _, other := certain[strings.ToLower(last)]; !other {
					certain[strings.ToLower(last)] = Person
				}
			}
		}
	}
	best := func(n string, own Type) (Type, float64) {
		t, top := own, votes[n][own]
		for _, other := range Types {
			if v := votes[n][other]; v > top {
				t, top = other, v
			}
		}
		return t, top
	}
	for i := range found {
		m := &found[i]
		if t, weight := best(name(document[m.Sentence].Words[m.From:m.To]), m.Type); t != m.Type && weight > m.Confidence {
			m.Type = t
		}
	}
	for n, t := range certain {
		certain[n], _ = best(n, t)
	}
	return missed(document, found, certain)
}

// missed adds the certain names that stand outside of all mentions.
func missed(document []Sentence, found []Mention, certain map[string]Type) []Mention {
	if len(certain) == 0 {
		return found
	}
	var out []Mention
	next := 0
	for i, s := range document {
		for at := 0; at < len(s.Words); {
			if next < len(found) && found[next].Sentence == i && found[next].From == at {
				out = append(out, found[next])
				at = found[next].To
				next++
				continue
			}
			limit := min(len(s.Words), at+longestName)
			if next < len(found) && found[next].Sentence == i {
				limit = min(limit, found[next].From)
			}
			to := at
			if capital(s.Words[at]) && !shouting(s.Words) {
				for end := limit; end > at && to == at; end-- {
					if _, ok := certain[name(s.Words[at:end])]; ok && properly(s, at, end) {
						to = end
					}
				}
			}
			if to == at {
				at++
				continue
			}
			out = append(out, Mention{i, at, to, certain[name(s.Words[at:to])], echoed})
			at = to
		}
	}
	return out
}

// properly reports whether one of the words is a name by its tag: "Bill" but not the bill.
func properly(s Sentence, from, to int) bool {
	for i := from; i < to; i++ {
		if strings.HasPrefix(s.Penn[i], "NNP") {
			return true
		}
	}
	return false
}

func capital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// shouting reports whether a sentence is written in capitals, so that they say nothing.
func shouting(words []string) bool {
	large, small := 0, 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			large++
		} else if unicode.IsLower(r) {
			small++
		}
	}
	return large > 3 && large > 4*small
}
