package crawlspeed

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"varve/archive/warc"
	"varve/page"
	"varve/web/links"
)

// vocabulary counts the words and the pairs of words of the pages, so that a definition can be made that the pages answer to: terms that
// no page has would cost a crawl too little.
type vocabulary struct {
	reader *page.Reader
	pages  map[string]int // that have a word, or a pair
}

func newVocabulary() *vocabulary {
	return &vocabulary{reader: page.NewReader(), pages: map[string]int{}}
}

// read counts the pages of a WARC file.
func (v *vocabulary) read(file string) error {
	return eachRecord(file, func(rec *warc.Record) error {
		if rec.Type() != warc.TypeResponse || isRobots(rec.TargetURI()) {
			return nil
		}
		h, err := rec.HTTP()
		if err != nil {
			return err
		}
		body, err := h.Content()
		if err != nil {
			return err
		}
		defer body.Close()
		content, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		p, err := v.reader.Read(page.Input{URL: rec.TargetURI(), MIME: h.Header.Get("Content-Type"), Body: content}, page.Want{Links: func(links.Link) {}})
		if err == nil {
			v.add(p.Info.Text)
		}
		return nil //nolint:nilerr // what is no page has no words
	})
}

func (v *vocabulary) add(text string) {
	seen := map[string]bool{}
	last := ""
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		w = strings.ToLower(w)
		seen[w] = true
		if last != "" {
			seen[last+" "+w] = true
		}
		last = w
	}
	for w := range seen {
		v.pages[w]++
	}
}

// terms returns n terms of the pages: three words to one pair, each kind at equal distances from the most common to the rarest that
// two pages have.
func (v *vocabulary) terms(n int) (out []string) {
	pick := func(pair bool, n int) {
		var all []string
		for w, pages := range v.pages {
			if pages > 1 && strings.Contains(w, " ") == pair {
				all = append(all, w)
			}
		}
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(v.pages[b], v.pages[a]), strings.Compare(a, b)) })
		n = min(n, len(all))
		for i := range n {
			out = append(out, all[i*len(all)/n])
		}
	}
	pick(false, n-n/4)
	pick(true, n/4)
	return out
}

// guided crawls as varve does, with a definition of what the crawl is about.
func (b *bench) guided(ctx context.Context, dir string) (*exec.Cmd, error) {
	archive := filepath.Join(dir, "archive")
	col := filepath.Join(archive, "collections", "bench")
	if err := os.MkdirAll(col, 0o755); err != nil {
		return nil, err
	}
	var t strings.Builder
	t.WriteString("[crawl.guided]\nscope = \"host\"\ndelay = \"0s\"\nseeds = [\n")
	for _, s := range b.web.Seeds {
		fmt.Fprintf(&t, "  %s,\n", strconv.Quote(s))
	}
	t.WriteString("]\n")
	for _, w := range b.terms {
		fmt.Fprintf(&t, "[[crawl.guided.about.keyword]]\nword = %s\n", strconv.Quote(w))
	}
	if err := os.WriteFile(filepath.Join(col, "collection.toml"), []byte(t.String()), 0o644); err != nil {
		return nil, err
	}
	args := []string{"crawl", "guided", "--no-index", "--archive", archive, "--collection", "bench", "--json", "--quiet"}
	for _, rule := range b.web.Resolve {
		args = append(args, "--resolve", rule)
	}
	return exec.CommandContext(ctx, b.cfg.Varve, args...), nil
}
