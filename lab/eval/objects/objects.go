// Package objects measures how well web objects are cut out of pages (crawl/webapp), against the database of the software that made them.
//
// A set is a folder:
//
//	index.tsv     FILE <tab> ADDRESS, a page on each line
//	truth.jsonl   what the database has, an object on each line: {"type","id","title","author","time","text"}; fields that are absent are not judged
//	FILE ...      the pages
//
// An object of the database is right if it is on a page and every time it was read its fields are all right: author and title by their
// words, the time by its day, the text by its words. With a set of the same site in another template (Before), what is read there is
// taken to be known, the expressions are learned anew on every second page that has objects, and measured on all others. Unseen, all that
// is known of where objects stand is taken away, and they are read by what is discovered on the pages themselves.
package objects

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"varve/crawl/webapp"
	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/page"
	"varve/text/dating"
	"varve/web/canon"
	"varve/web/markup"
	"varve/web/markup/tree"
)

// Config says what is measured.
type Config struct {
	Before string // a set of the same site in another template; "" for none
	Unseen bool   // take nothing of what is known of where objects stand, and read by what is discovered on the pages
	Wrong  bool   // list what is not right
}

// Truth is an object of the database.
type Truth struct {
	Type   string  `json:"type"`
	ID     string  `json:"id"`
	Title  *string `json:"title"`
	Author *string `json:"author"`
	Time   *string `json:"time"`
	Text   *string `json:"text"`
}

// Report is what was measured.
type Report struct {
	Pages        int                   `json:"pages"`
	Recognised   map[string]int        `json:"recognised"` // pages by application and level
	Objects      int                   `json:"objects"`    // of the database
	Read         int                   `json:"read"`       // of them on a page that was judged
	Right        int                   `json:"right"`
	Untrue       int                   `json:"untrue"` // read, and not in the database
	Fields       map[string]webapp.Fit `json:"fields"`
	Learned      []string              `json:"learned,omitempty"` // in the words of the file
	Relearned    map[string]webapp.Fit `json:"relearned,omitempty"`
	MicroPerPage float64               `json:"microseconds_per_page"` // CPU: recognising and reading objects, the tree included
	Wrong        []string              `json:"wrong,omitempty"`
}

type read struct {
	url   canon.URL
	root  *tree.Node
	sight *webapp.Sight
}

// Measure measures a set.
func Measure(dir string, cfg Config) (*Report, error) {
	truth, err := ReadTruth(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		return nil, err
	}
	r := &Report{Recognised: map[string]int{}, Fields: map[string]webapp.Fit{}}
	k := webapp.Default()
	var judged map[string]map[string]bool // objects by address, of the pages that were not learned from
	if cfg.Before != "" {
		if k, judged, err = r.relearn(k, cfg.Before, dir); err != nil {
			return nil, err
		}
	}
	if cfg.Unseen {
		if k, err = r.discover(k, dir); err != nil {
			return nil, err
		}
	}
	found := map[string][]webapp.Object{}
	var pages []read
	used, err := cpu.Measure(func() (err error) {
		pages, err = readPages(dir, k)
		for _, p := range pages {
			if p.sight == nil {
				continue
			}
			list, _ := p.sight.Extract(p.url, p.root)
			if judged != nil && judged[p.url.String()] == nil {
				continue
			}
			for _, o := range list {
				found[o.Type+" "+o.ID] = append(found[o.Type+" "+o.ID], o)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r.Pages = len(pages)
	r.MicroPerPage = float64(used.CPU.Microseconds()) / float64(max(1, r.Pages))
	for _, p := range pages {
		what := "no application"
		if p.sight != nil {
			what = strings.TrimSpace(p.sight.App.Name+" "+p.sight.Version) + ": " + p.sight.LevelName()
		}
		r.Recognised[what]++
	}
	if judged != nil {
		truth = slices.DeleteFunc(truth, func(t Truth) bool {
			for _, there := range judged {
				if there[t.Type+" "+t.ID] {
					return false
				}
			}
			return true
		})
	}
	r.compare(truth, found, cfg.Wrong)
	return r, nil
}

// Compare holds objects that were read, by type and ID, against those of a database, and names what is not right.
func Compare(truth []Truth, found map[string][]webapp.Object) *Report {
	r := &Report{Fields: map[string]webapp.Fit{}}
	r.compare(truth, found, true)
	return r
}

// compare holds what was read against the database.
func (r *Report) compare(truth []Truth, found map[string][]webapp.Object, list bool) {
	for _, t := range truth {
		key := t.Type + " " + t.ID
		seen := found[key]
		delete(found, key)
		r.Objects++
		if len(seen) == 0 {
			r.wrong(list, "%s: not read", key)
			continue
		}
		r.Read++
		right := true
		for _, o := range seen {
			right = r.judge(&t, &o, list) && right
		}
		if right {
			r.Right++
		}
	}
	for key, list := range found {
		r.Untrue += len(list)
		r.wrong(true, "%s: read, and not in the database: %.80q", key, list[0].Text)
	}
	slices.Sort(r.Wrong)
}

func (r *Report) wrong(list bool, format string, args ...any) {
	if list && len(r.Wrong) < 100 {
		r.Wrong = append(r.Wrong, fmt.Sprintf(format, args...))
	}
}

func (r *Report) judge(t *Truth, o *webapp.Object, list bool) (right bool) {
	right = true
	field := func(name string, want *string, got string, same bool) {
		if want == nil {
			return
		}
		f := r.Fields[name]
		f.Of++
		if same {
			f.Right++
		} else {
			right = false
			r.wrong(list, "%s %s: %s is %.80q, want %.80q", t.Type, t.ID, name, got, *want)
		}
		r.Fields[name] = f
	}
	words := func(want *string, got string) bool { return want != nil && wordsOf(*want) == wordsOf(got) }
	field("title", t.Title, o.Title, words(t.Title, o.Title))
	field("author", t.Author, o.Author, words(t.Author, o.Author))
	field("text", t.Text, o.Text, words(t.Text, o.Text))
	field("time", t.Time, o.When, t.Time != nil && sameDay(*t.Time, o.Time))
	return right
}

// wordsOf returns the letters and digits of a text, words apart: how a template sets the rest is not judged.
func wordsOf(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// sameDay reports whether a time is on the day of the database, or next to it: pages write times of the reader's zone.
func sameDay(want string, got time.Time) bool {
	t, ok := dating.ParseStamp(want)
	return ok && !got.IsZero() && t.Sub(got).Abs() <= 26*time.Hour
}

// relearn takes what is read of a set in another template as known, learns on every second page of this one, and returns what is known
// then, and the objects known on pages that were not learned from.
func (r *Report) relearn(k *webapp.Knowledge, before, dir string) (*webapp.Knowledge, map[string]map[string]bool, error) {
	old, err := readPages(before, k)
	if err != nil {
		return nil, nil, err
	}
	now, err := readPages(dir, k)
	if err != nil {
		return nil, nil, err
	}
	known := map[string][]webapp.Object{}
	for _, p := range old {
		if p.sight != nil {
			known[p.url.String()], _ = p.sight.Extract(p.url, p.root)
		}
	}
	var samples []webapp.Sample
	judged := map[string]map[string]bool{}
	var app *webapp.Application
	n := 0
	for _, p := range now {
		list := known[p.url.String()]
		if p.sight == nil || len(list) == 0 {
			continue
		}
		if n++; n%2 == 0 {
			there := map[string]bool{}
			for _, o := range list {
				there[o.Type+" "+o.ID] = true
			}
			judged[p.url.String()] = there
			continue
		}
		app = p.sight.App
		samples = append(samples, webapp.Sample{URL: p.url, Root: p.root, Level: p.sight.LevelName(), Known: list})
	}
	if app == nil {
		return nil, nil, fmt.Errorf("%s and %s have no page with objects in common", before, dir)
	}
	r.Relearned = map[string]webapp.Fit{}
	var learned []*webapp.Extraction
	for _, l := range webapp.Relearn(samples) {
		r.Relearned[l.Type] = webapp.Fit{Right: l.Fit, Of: l.Known}
		if l.Learned != nil {
			learned = append(learned, l.Learned)
		}
	}
	variant, err := app.Variant(learned, true)
	if err != nil {
		return nil, nil, err
	}
	r.Learned = strings.Split(strings.TrimSpace(string(webapp.AppendExtractions(nil, learned))), "\n")
	return k.With(variant), judged, nil
}

// discover returns what is known of the application of a set if nothing is of where its objects stand but what its pages tell.
func (r *Report) discover(k *webapp.Knowledge, dir string) (*webapp.Knowledge, error) {
	pages, err := readPages(dir, k)
	if err != nil {
		return nil, err
	}
	var app *webapp.Application
	var samples []webapp.Sample
	for _, p := range pages {
		if p.sight != nil && len(p.sight.Expected()) > 0 && (app == nil || app == p.sight.App) {
			app = p.sight.App
			samples = append(samples, webapp.Sample{URL: p.url, Root: p.root, Level: p.sight.LevelName()})
		}
	}
	if app == nil {
		return nil, fmt.Errorf("%s has no page of an application that is known", dir)
	}
	var learned []*webapp.Extraction
	r.Relearned = map[string]webapp.Fit{}
	for _, d := range app.Discover(samples) {
		r.Relearned[d.Type] = webapp.Fit{Right: d.Full, Of: d.Objects}
		if d.Learned != nil {
			learned = append(learned, d.Learned)
		}
	}
	r.Learned = strings.Split(strings.TrimSpace(string(webapp.AppendExtractions(nil, learned))), "\n")
	variant, err := app.Only(learned)
	if err != nil {
		return nil, err
	}
	return new(webapp.Knowledge).With(variant), nil
}

// ReadTruth reads the objects of a database.
func ReadTruth(file string) (list []Truth, err error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range bytes.Split(bytes.TrimSpace(src), []byte("\n")) {
		var t Truth
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, i+1, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// readPages reads and recognises the pages of a set.
func readPages(dir string, k *webapp.Knowledge) (list []read, err error) {
	f, err := os.Open(filepath.Join(dir, "index.tsv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	reader := page.NewReader()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, address, _ := strings.Cut(lines.Text(), "\t")
		u, err := canon.Parse(address)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", f.Name(), address, err)
		}
		body, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		app := k.NewReader()
		if _, err := reader.Read(page.Input{URL: address, MIME: "text/html", Body: body}, page.Want{Brief: true, With: []markup.Subscriber{app}}); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, read{u, app.Root(), app.Sight(u, nil)})
	}
	return list, nil
}

// Summary implements eval.Report.
func (r *Report) Summary() eval.Summary {
	return eval.Answered(r.Objects, float64(r.Right)/float64(max(1, r.Objects)))
}

// Print writes the figures.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "pages                 %6d   %.0f microseconds of CPU each\n", r.Pages, r.MicroPerPage)
	for _, what := range slices.Sorted(maps.Keys(r.Recognised)) {
		fmt.Fprintf(&b, "  %5d  %s\n", r.Recognised[what], what)
	}
	fmt.Fprintf(&b, "objects judged        %6d\nof them read          %6d\nall fields right      %6d   %.3f\nread and not there    %6d\n",
		r.Objects, r.Read, r.Right, float64(r.Right)/float64(max(1, r.Objects)), r.Untrue)
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		fmt.Fprintf(&b, "  %-8s %5d of %5d\n", name, r.Fields[name].Right, r.Fields[name].Of)
	}
	if r.Learned != nil {
		fmt.Fprintf(&b, "\nlearned\n%s\n", strings.Join(r.Learned, "\n"))
	}
	if len(r.Wrong) > 0 {
		fmt.Fprintf(&b, "\nnot right\n%s\n", strings.Join(r.Wrong, "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
