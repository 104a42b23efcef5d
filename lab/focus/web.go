package focus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"

	"varve/crawl/priority"
)

// page is a page of the web.
type page struct {
	url, title, text string
	genres           []string // of a film; nobody who crawls sees them
	links            []int
	anchors          []priority.Link // what the page says of each link
}

// Web is a linked web made of data, with the topics that it is crawled for.
type Web struct {
	By     string // what makes links
	Of     string // what a page of the topic is, by the data
	Topics []Topic
	Other  []Topic // on which the method was chosen
	pages  []page
}

// film is a line of the file of films.
type film struct {
	Title   string   `json:"title"`
	Year    int      `json:"year"`
	Cast    []string `json:"cast"`
	Genres  []string `json:"genres"`
	Extract string   `json:"extract"`
}

// Films lays films out as a web: a page for each film that has a text, a page for each person who is in at least two of them. A film links to
// its cast, a person to the films, as in an encyclopaedia. Who plays in what is all that makes links: genres are not asked. Addresses are of 100
// hosts, by the hash of the title.
func Films(r io.Reader) (*Web, error) { return FilmsOf(r, 0, math.MaxInt) }

// FilmsOf lays out the films of some years, from the first to the last of them.
func FilmsOf(r io.Reader, from, to int) (*Web, error) {
	var films []film
	cast := map[string][]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var f film
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if f.Extract == "" || f.Year < from || f.Year > to {
			continue
		}
		slices.Sort(f.Cast)
		f.Cast = slices.Compact(f.Cast)
		for _, c := range f.Cast {
			cast[c] = append(cast[c], len(films))
		}
		films = append(films, f)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	w := &Web{By: "shared cast", Of: "genre", Topics: Topics, Other: otherTopics, pages: make([]page, len(films))}
	at := map[string]int{}
	for _, f := range films {
		for _, name := range f.Cast {
			if _, there := at[name]; !there && len(cast[name]) > 1 {
				at[name] = len(w.pages)
				w.pages = append(w.pages, page{})
			}
		}
	}
	for i, f := range films {
		p := &w.pages[i]
		*p = page{url: address(f.Title, f.Year), title: fmt.Sprintf("%s (%d)", f.Title, f.Year), genres: f.Genres}
		p.text = f.Extract + "\nCast: " + strings.Join(f.Cast, ", ")
	}
	for i, f := range films {
		for _, name := range f.Cast {
			if to, ok := at[name]; ok {
				w.link(i, to, name, strings.Join(f.Cast, ", "), address(name, 0))
			}
		}
	}
	for name, i := range at {
		p := &w.pages[i]
		p.url, p.title = address(name, 0), name
		var b strings.Builder
		for _, f := range cast[name] {
			line := fmt.Sprintf("%s (%d)", films[f].Title, films[f].Year)
			b.WriteString(line + "\n")
			w.link(i, f, films[f].Title, line, w.pages[f].url)
		}
		p.text = b.String()
	}
	return w, nil
}

func (w *Web) link(from, to int, anchor, around, url string) {
	p := &w.pages[from]
	p.links = append(p.links, to)
	p.anchors = append(p.anchors, priority.Link{URL: url, Anchor: anchor, Around: around})
}

// address is a URL that says no more than an encyclopaedia's: the name.
func address(name string, year int) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, name) // a hash takes all
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" /?#%", r) {
			return '_'
		}
		return r
	}, name)
	kind := "film"
	if year == 0 {
		kind = "person"
	} else {
		name = fmt.Sprintf("%s_%d", name, year)
	}
	return fmt.Sprintf("http://h%02d.films.test/%s/%s", h.Sum32()%100, kind, name)
}
