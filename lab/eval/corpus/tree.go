package corpus

import (
	"fmt"
	"strconv"
	"strings"
)

// Node is a sense of a noun in WordNet and what is below it.
type Node struct {
	Words []string // of the sense, as they are in running text
	Gloss string   // its description and examples
	Depth int      // below the root of the tree
	Below []int    // nodes
}

// ReadTree reads the nouns below a word of wordnet-3.0.tar.gz, those of the sense of it that has most. The first node is that of the word; a node below two others is there once, where it is nearest to it.
func ReadTree(file, word string) ([]Node, error) {
	type sense struct {
		node  Node
		below []string
	}
	all := map[string]*sense{}
	root := ""
	err := wordNetLines(file, func(kind, part, line string) error {
		if kind != "data" || part != "noun" || strings.HasPrefix(line, " ") {
			return nil
		}
		head, gloss, _ := strings.Cut(line, " | ")
		c := strings.Fields(head)
		if len(c) < 5 {
			return fmt.Errorf("%q is no sense of a noun", line)
		}
		n, err := strconv.ParseInt(c[3], 16, 32)
		if err != nil || 4+2*int(n) > len(c) {
			return fmt.Errorf("%q has no number of words", c[0])
		}
		s := &sense{node: Node{Gloss: strings.TrimSpace(gloss)}}
		found := false
		for i := range int(n) {
			w := strings.ReplaceAll(c[4+2*i], "_", " ")
			s.node.Words = append(s.node.Words, w)
			found = found || w == word
		}
		for i := 4 + 2*int(n); i+1 < len(c); i++ {
			if c[i] == "~" {
				s.below = append(s.below, c[i+1])
			}
		}
		all[c[0]] = s
		if found && (root == "" || len(s.below) > len(all[root].below)) {
			root = c[0]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if root == "" {
		return nil, fmt.Errorf("%s has no noun %q", file, word)
	}
	out := []Node{all[root].node}
	offsets, met := []string{root}, map[string]bool{root: true}
	for i := 0; i < len(out); i++ {
		for _, o := range all[offsets[i]].below {
			if s := all[o]; s != nil && !met[o] {
				met[o] = true
				s.node.Depth = out[i].Depth + 1
				out[i].Below = append(out[i].Below, len(out))
				out, offsets = append(out, s.node), append(offsets, o)
			}
		}
	}
	return out, nil
}
