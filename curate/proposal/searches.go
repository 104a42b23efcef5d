package proposal

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Limits of a log of searches.
const (
	maxSearches  = 200_000 // different ones
	maxSearch    = 100     // bytes of one
	fewestAsked  = 2       // what was asked for once may tell of a person
	maxSearchLog = 1 << 20 // bytes of a line
)

// ReadSearches reads what people searched for, and how often: lines of an access log that ask for /search or an address below it with q, or lines with a search and,
// behind a tab, how often it was made. Words are compared in lower case; signs of the query language are left out.
func ReadSearches(r io.Reader) (map[string]int, error) {
	out := map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxSearchLog)
	n := 1
	for ; lines.Scan(); n++ {
		text, times := lines.Text(), 1
		if request, ok := requestOf(text); ok {
			if text = searchOf(request); text == "" {
				continue
			}
		} else if asked, count, ok := strings.Cut(text, "\t"); ok {
			var err error
			if times, err = strconv.Atoi(strings.TrimSpace(count)); err != nil || times < 0 {
				return nil, fmt.Errorf("line %d: %q is no number of searches", n, count[:min(len(count), 40)])
			}
			text = asked
		}
		text = strings.Join(strings.FieldsFunc(strings.ToLower(strings.ToValidUTF8(text, " ")), func(r rune) bool { return strings.ContainsRune(" \t\"*()+~^:", r) }), " ")
		if _, known := out[text]; text == "" || len(text) > maxSearch || !known && len(out) >= maxSearches {
			continue
		}
		out[text] += times
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return out, nil
}

// requestOf returns the address that a line of an access log asks for.
func requestOf(line string) (string, bool) {
	for _, method := range []string{`"GET `, `"HEAD `, `"POST `} {
		if _, rest, ok := strings.Cut(line, method); ok {
			target, _, _ := strings.Cut(rest, " ")
			return target, true
		}
	}
	return "", false
}

// searchOf returns what an address searches for.
func searchOf(target string) string {
	u, err := url.Parse(target)
	if err != nil || !slices.Contains(strings.Split(u.Path, "/"), "search") {
		return ""
	}
	return u.Query().Get("q")
}

// Ask takes note of what people searched for in the archive, by how often. What the pages have that are read is proposed.
func (g *Gatherer) Ask(searches map[string]int) { g.asked = searches }

// proposeSearches returns what was asked for more than once and stands in a page: of that page it can be judged, and whoever may not see it is not told.
func (g *Gatherer) proposeSearches() (out []Proposal) {
	for _, asked := range slices.Sorted(maps.Keys(g.asked)) {
		times, word := g.asked[asked], padded(asked)
		if times < fewestAsked {
			continue
		}
		p := Proposal{Text: asked, Count: times}
		var among []int
		for n, t := range g.texts {
			if strings.Contains(t.lower, asked) && strings.Contains(padded(strings.Join(strings.FieldsFunc(t.lower, notInWord), " ")), word) {
				among = append(among, n)
			}
		}
		if p.Pages = len(among); p.Pages == 0 {
			continue
		}
		p.Score = math.Log(1+float64(times)) * math.Log(1+float64(p.Pages))
		g.show(&p, asked, among)
		out = append(out, p)
	}
	return out
}

// notInWord tells signs between words.
func notInWord(r rune) bool { return strings.ContainsRune(" \n\t.,;:!?\"'()[]„“”–—/", r) }
