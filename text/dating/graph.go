package dating

import (
	"bytes"
	"strings"
)

// Ranks of a date in structured data, by what it is the date of.
const (
	articleRank = 0 // the article
	pageRank    = 1 // the page, or a thing whose type is not said
	lostRank    = 2 // the JSON is broken: nobody knows what it is the date of
	otherRank   = 3 // a video, a picture, an event
	insideRank  = 4 // added for each object around it: an article in a list of others, a comment
	worstRank   = 200
)

// ranks are those of types that are written in lower case; what ends in article or posting is an article.
var ranks = map[string]uint8{
	"report": articleRank, "recipe": articleRank, "techarticle": articleRank, "review": articleRank, "webpage": pageRank, "creativework": pageRank, "itempage": pageRank,
	"": pageRank, "question": pageRank, "discussionforumposting": articleRank, "book": pageRank, "product": pageRank, "podcastepisode": pageRank,
}

func rankOf(kind string) uint8 {
	if r, ok := ranks[kind]; ok {
		return r
	}
	if strings.HasSuffix(kind, "article") || strings.HasSuffix(kind, "posting") {
		return articleRank
	}
	return otherRank
}

// transparent are the members whose objects are as good as the one around them.
var transparent = map[string]bool{"@graph": true, "mainEntity": true, "mainEntityOfPage": true}

// maxDepth bounds objects inside of objects.
const maxDepth = 32

// object is an open object of structured data, or a list.
type object struct {
	list   bool
	key    string // of a list: the member that it is
	inside uint8  // objects around it that are not transparent
	kind   string // @type in lower case, the best of several
	date   string
}

// graph reads the days of publication in structured data, and of what they are, and reports whether there were any. The JSON of pages is often
// broken, so this is a scan over strings and brackets, which any bytes end: a string before a colon is a key, another the value of the last key.
func (h *hints) graph(data []byte) (found bool) {
	if !bytes.Contains(data, []byte(`"datePublished"`)) {
		return false
	}
	var stack []object
	key, lost := "", 0 // lost: brackets that are open deeper than the stack
	pop := func() object {
		o := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if o.date != "" && h.stamp(o.date, hint{place: inGraph, rank: min(rankOf(o.kind)+insideRank*o.inside, worstRank)}) {
			found = true
		}
		return o
	}
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '{', '[':
			if len(stack) == maxDepth {
				lost++
				continue
			}
			o := object{list: c == '[', key: key}
			if n := len(stack); n > 0 {
				around := &stack[n-1]
				if around.list {
					o.key = around.key
				}
				if o.inside = around.inside; !o.list && !transparent[o.key] {
					o.inside++
				}
			}
			if stack = append(stack, o); !o.list {
				key = ""
			}
		case '}', ']':
			if lost > 0 {
				lost--
				continue
			}
			for len(stack) > 0 && (c == '}' || stack[len(stack)-1].list) {
				if o := pop(); o.list == (c == ']') {
					break
				}
			}
		case '"':
			s, next := quoted(data, i+1)
			i = next
			rest := bytes.TrimLeft(data[min(next+1, len(data)):min(next+20, len(data))], " \t\r\n")
			if len(rest) > 0 && rest[0] == ':' {
				key = string(s[:min(len(s), 40)])
				continue
			}
			n := len(stack) - 1
			if n > 0 && stack[n].list { // of several types
				n--
			}
			if n < 0 || lost > 0 || len(s) > 80 {
				continue
			}
			switch o := &stack[n]; key {
			case "@type":
				if kind := strings.ToLower(string(s)); o.kind == "" || rankOf(kind) < rankOf(o.kind) {
					o.kind = kind
				}
			case "datePublished":
				if o.date == "" {
					o.date = string(s)
				}
			}
		}
	}
	for len(stack) > 0 {
		pop()
	}
	return found
}

// quoted returns the string that begins at i, and where its end is.
func quoted(data []byte, i int) ([]byte, int) {
	from := i
	for i < len(data) && data[i] != '"' {
		if data[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(data))
	return data[from:i], i
}
