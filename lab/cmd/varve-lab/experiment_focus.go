package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval"
	"varve/lab/eval/debates"
	"varve/lab/focus"
	"varve/lab/realsites"
)

func newExperimentFocusCommand() *cobra.Command {
	var cfg focus.Config
	var data, speeches, states string
	var asJSON, coherent, other bool
	var changes float64
	var wiki wikiOptions
	c := &cobra.Command{
		Use:   "focus",
		Short: "What a crawl finds that knows what it is about",
		Long: `Lays films out as a web whose links are who plays in what, and crawls it for three topics from samples of seeds: breadth
first, by a topic as it was before modules, by all modules, without each of them, and with each way to update the score of a
URL that is found again. Printed are, as in the ARCOMEM paper (2014, tables 3 to 5 and figure 8), the share of pages with a term
of the definition, of 10, 50 and 100 terms of the seeds, average and highest similarity of those, relevant pages in 1,000 fetches
over time, and the share of films of the genre. Beside them stand crawls whose definition has the first 10 or 30 terms that a
reference crawl of 200 pages proposes, nobody looking. docs/algorithms/relevance.md discusses them. The same seed gives the same figures.

  varve-lab experiment focus --data shared/data/kb/movies.jsonl.gz
  varve-lab experiment focus --data movies.jsonl.gz --crawl 1000 --samples 2 --json

With --speeches the web is made of the speeches of a folder instead: passages, linked by the states and bodies that they name.

  varve-lab experiment focus --speeches ../shared/data/evolution

With --wiki the web is that of a wiki: MediaWiki with films of seven years, or DokuWiki with speeches of four, installed and served by the software of
'varve-lab realsites' and crawled once by 'varve crawl' into an archive, which is kept and read again the next time.

  varve-lab experiment focus --wiki mediawiki --wiki-dir /var/tmp/wikis --crawl 500 --samples 3

With --coherent it is asked what focus costs coherence, and the other way round: pages change while they are crawled, each is visited
and revisited, by a topic alone, for coherence alone, and with several leeways for both.

  varve-lab experiment focus --coherent --crawl 1500 --samples 3

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			var web *focus.Web
			if wiki.name != "" {
				web, err = wiki.web(c, data, speeches, states)
			} else {
				web, err = focusWeb(data, speeches, states, years{0, math.MaxInt})
			}
			if err != nil {
				return err
			}
			if other {
				web.Topics = web.Other
			}
			if coherent {
				r, err := focus.RunCoherent(c.Context(), cfg, changes, web, priorityProgress(c.ErrOrStderr()))
				switch {
				case err != nil:
					return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err}
				case asJSON:
					return json.NewEncoder(c.OutOrStdout()).Encode(r)
				}
				return r.Print(c.OutOrStdout())
			}
			r, err := focus.Run(c.Context(), cfg, web, priorityProgress(c.ErrOrStderr()))
			switch {
			case err != nil:
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err}
			case asJSON:
				return json.NewEncoder(c.OutOrStdout()).Encode(r)
			}
			return r.Print(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "../shared/data/kb/movies.jsonl.gz", "file of films")
	f.StringVar(&speeches, "speeches", "", "folder with files of speeches; the web is made of them instead of films")
	f.StringVar(&states, "states", "../shared/data/kb/iso-codes/iso_3166-1.json.gz", "with --speeches: file of the names of states")
	f.StringVar(&wiki.name, "wiki", "", "the web is that of a real wiki: mediawiki or dokuwiki")
	f.StringVar(&wiki.dir, "wiki-dir", filepath.Join(os.TempDir(), "varve-wikis"), "with --wiki: where wikis are made and their archives are kept")
	f.IntVar(&wiki.from, "wiki-from", 0, "with --wiki: first year of the films or speeches (default 1950 and 1989)")
	f.IntVar(&wiki.to, "wiki-to", 0, "with --wiki: last year (default 1956 and 1992)")
	f.IntVar(&cfg.Crawl, "crawl", 5000, "pages of a crawl")
	f.IntVar(&cfg.Samples, "samples", 5, "samples of seeds for each topic")
	f.IntVar(&cfg.Seeds, "seeds", 10, "seed pages in a sample")
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed of chance")
	f.StringVar(&cfg.Only, "only", "", "beside breadth first, topic and focused, only the ways whose names have this, such as reference")
	f.BoolVar(&other, "other-topics", false, "crawl for the topics on which the method was chosen, instead of those that test it")
	f.BoolVar(&coherent, "coherent", false, "measure focus and coherence together")
	f.Float64Var(&changes, "changes", 1, "with --coherent: mean number of changes of a page while the visits last")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// focusWeb makes the web that is crawled.
func focusWeb(films, speeches, states string, in years) (w *focus.Web, err error) {
	read := func(flag, file, hint string, make func(io.Reader) (*focus.Web, error)) (w *focus.Web, err error) {
		f, err := eval.Open(file, "")
		if err != nil {
			return nil, &varve.Error{Kind: varve.NotFound, Op: flag + " " + file, Err: err, Hint: hint}
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if w, err = make(f); err != nil {
			err = &varve.Error{Kind: varve.Invalid, Op: flag + " " + file, Err: err, Hint: hint}
		}
		return w, err
	}
	if speeches == "" {
		return read("--data", films, "the file of films: title, year, cast, genres, extract, a JSON object a line", func(r io.Reader) (*focus.Web, error) { return focus.FilmsOf(r, in.from, in.to) })
	}
	files, err := debates.Files(speeches)
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "--speeches " + speeches, Err: err}
	}
	return read("--states", states, "the file iso_3166-1.json of iso-codes", func(r io.Reader) (*focus.Web, error) { return focus.SpeechesOf(files, r, in.from, in.to) })
}

// years are those of which films or speeches are taken.
type years struct{ from, to int }

// wikiOptions say which wiki is crawled.
type wikiOptions struct {
	name, dir string
	from, to  int // years; 0: those of the wiki
}

// web makes the wiki and crawls it, if that was not done before, and reads its pages.
func (o *wikiOptions) web(c *cobra.Command, data, speeches, states string) (*focus.Web, error) {
	wrong := func(err error) error { return &varve.Error{Kind: varve.Invalid, Op: "--wiki " + o.name, Err: err} }
	at := slices.IndexFunc(focus.Wikis, func(k focus.Wiki) bool { return k.Name == o.name })
	if at < 0 {
		return nil, wrong(errors.New("want mediawiki or dokuwiki"))
	}
	k := focus.Wikis[at]
	if o.from > 0 {
		k.From = o.from
	}
	if o.to > 0 {
		k.To = o.to
	}
	if k.Of == "films" {
		speeches = ""
	} else if speeches == "" {
		speeches = "../shared/data/evolution"
	}
	base, err := focusWeb(data, speeches, states, years{k.From, k.To})
	if err != nil {
		return nil, err
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil { // programs of the site run in folders of their own
		return nil, wrong(err)
	}
	warcs := filepath.Join(o.dir, fmt.Sprintf("%s-%d-%d", o.name, k.From, k.To))
	if _, err := os.Stat(warcs); errors.Is(err, os.ErrNotExist) {
		if err := o.capture(c, &k, base, warcs); err != nil {
			return nil, wrong(err)
		}
	}
	web, err := focus.Archived(warcs, base, k.Paths(base))
	if err != nil {
		return nil, wrong(err)
	}
	web.By += " in " + k.Name
	return web, nil
}

// capture has the wiki made and crawled; its WARC files are moved to a folder when all of them are there.
func (o *wikiOptions) capture(c *cobra.Command, k *focus.Wiki, base *focus.Web, warcs string) (err error) {
	cfg := realsites.Config{Dir: o.dir}
	if cfg.Varve, _, err = programs(); err != nil {
		return err
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	archive, err := os.MkdirTemp(o.dir, o.name+"-archive-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(archive)) }()
	fmt.Fprintf(c.ErrOrStderr(), "%s is made, served and crawled once\n", o.name)
	from, err := realsites.Capture(c.Context(), cfg, o.name, archive, func(dir string) ([]string, error) { return k.Paths(base), k.Fill(base, dir) })
	if err != nil {
		return err
	}
	return os.Rename(from, warcs)
}
