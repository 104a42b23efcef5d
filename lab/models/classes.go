package models

import (
	"cmp"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/lab/eval/corpus"
	"varve/language/sentence"
)

// Word classes: words that stand between the same words are of one class. Each word is a vector of how often each of the
// most frequent words stands before it and after it; k-means puts the vectors (square roots of shares, so that
// their distance is Hellinger's) into classes. Beside its class a word keeps how it is written inside of sentences.
const (
	classContexts = 120 // frequent words that are counted as neighbours, on each side
	classCount    = 256
	classLeast    = 8 // occurrences of a word that gets a class
	classRounds   = 8
)

// unlabelled calls fn with texts that words are counted in: extracts of Wikipedia on films, speeches before the United
// Nations, and what the treebanks have.
func unlabelled(data string, annotated []corpus.Document, fn func(text string)) error {
	for _, f := range []string{"kb/movies.jsonl.gz", "evolution/ungdc/1990s.jsonl.gz", "evolution/ungdc/2000s.jsonl.gz", "evolution/ungdc/2010s.jsonl.gz"} {
		err := corpus.Lines(filepath.Join(data, f), func(_ int, line string) error {
			var v struct{ Extract, Text string }
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				return err
			}
			fn(v.Extract + v.Text)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, d := range annotated {
		fn(d.Text)
	}
	return nil
}

// Classes returns the class of each word in lower case, from 1, and from bit 16 on how it is written: 1 always small, 2
// seldom with a capital, 3 often, 4 always.
func Classes(data string, annotated []corpus.Document) (map[string]uint32, error) {
	ids, words := map[string]int32{}, []string(nil)
	var counts, capitals, inside []int32
	var stream []int32 // words in the order of the text, -1 at the ends of sentences
	err := unlabelled(data, annotated, func(text string) {
		for s := range sentence.Split(text) {
			for i, t := range s.Tokens {
				lower := strings.ToLower(t.Text)
				id, ok := ids[lower]
				if !ok {
					lower = strings.Clone(lower)
					id = int32(len(words))
					ids[lower] = id
					words = append(words, lower)
					counts, capitals, inside = append(counts, 0), append(capitals, 0), append(inside, 0)
				}
				counts[id]++
				if i > 0 {
					inside[id]++
					if r, _ := utf8.DecodeRuneInString(t.Text); unicode.IsUpper(r) {
						capitals[id]++
					}
				}
				stream = append(stream, id)
			}
			stream = append(stream, -1)
		}
	})
	if err != nil {
		return nil, err
	}
	order := make([]int32, len(words))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(words[a], words[b]))
	})
	rank := make([]int32, len(words))
	kept := 0
	for i, w := range order {
		rank[w] = int32(i)
		if counts[w] >= classLeast {
			kept = i + 1
		}
	}
	const width = 2 * (classContexts + 1) // the last of each side: the end of a sentence
	vectors := make([]float32, kept*width)
	place := func(w int32) int32 {
		if w < 0 {
			return classContexts
		}
		return rank[w]
	}
	for i, w := range stream {
		if w < 0 || int(rank[w]) >= kept {
			continue
		}
		v := vectors[int(rank[w])*width:]
		left, right := int32(-1), int32(-1)
		if i > 0 {
			left = stream[i-1]
		}
		if i+1 < len(stream) {
			right = stream[i+1]
		}
		if p := place(left); p <= classContexts && (left < 0 || p < classContexts) {
			v[p]++
		}
		if p := place(right); p <= classContexts && (right < 0 || p < classContexts) {
			v[classContexts+1+p]++
		}
	}
	class := kmeans(vectors, kept, width, min(classCount, kept))
	values := map[string]uint32{}
	for i := range kept {
		w := order[i]
		written := uint32(0)
		switch share := float64(capitals[w]) / float64(max(1, inside[w])); {
		case inside[w] < 4:
		case share < 0.02:
			written = 1
		case share < 0.5:
			written = 2
		case share < 0.95:
			written = 3
		default:
			written = 4
		}
		values[words[w]] = uint32(class[i]+1) | written<<16
	}
	return values, nil
}

// kmeans returns the class of each of n vectors, which it changes. The first vectors are the first centres.
func kmeans(vectors []float32, n, width, k int) []int {
	for i := range n {
		v := vectors[i*width : (i+1)*width]
		var sum float32
		for _, x := range v {
			sum += x
		}
		for j, x := range v {
			if sum > 0 {
				v[j] = float32(math.Sqrt(float64(x / sum)))
			}
		}
	}
	centres := slices.Clone(vectors[:k*width])
	class := make([]int, n)
	sums, sizes := make([]float64, k*width), make([]int, k)
	for range classRounds {
		clear(sums)
		clear(sizes)
		for i := range n {
			v := vectors[i*width : (i+1)*width]
			best, top := 0, float32(-1)
			for c := range k {
				var s0, s1 float32
				w := centres[c*width:][:len(v)]
				for j := 0; j+1 < len(v); j += 2 {
					s0 += float32(v[j] * w[j])
					s1 += float32(v[j+1] * w[j+1])
				}
				if s0+s1 > top {
					best, top = c, s0+s1
				}
			}
			class[i] = best
			sizes[best]++
			for j, x := range v {
				sums[best*width+j] += float64(x)
			}
		}
		for c := range k {
			if sizes[c] == 0 {
				continue
			}
			var norm float64
			for _, x := range sums[c*width : (c+1)*width] {
				norm += float64(x * x)
			}
			norm = math.Sqrt(norm)
			for j := range width {
				if norm > 0 {
					centres[c*width+j] = float32(sums[c*width+j] / norm)
				}
			}
		}
	}
	return class
}
