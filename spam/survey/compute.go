package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/job"
	"varve/spam/compression"
	"varve/spam/content"
	"varve/spam/graph"
	"varve/spam/history"
	"varve/spam/terms"
	"varve/web/canon"
)

// Spam and Normal are the classes.
const (
	Spam   = "spam"
	Normal = "normal"
)

// Config says what is computed.
type Config struct {
	Dir          string            // folder of derivatives
	Temp         string            // for edges; the system's if empty
	Snapshots    By                // how visits are put into snapshots
	Labels       map[string]string // Spam or Normal, by host
	Trusted      []string          // hosts where TrustRank restarts; if empty, those labelled normal, by folds
	Queries      []string          // popular query words, commonest first; if empty, those of titles
	Terms        int               // words of each language whose weights are features; 0 for none
	TFIDF        bool              // weights are tf-idf instead of BM25
	Crawl        bool              // only what a crawl can compute while it runs
	Fingerprints int               // of similarities; 64 if 0
	Seed         uint64
	Progress     func(step string)
}

func (c *Config) tell(step string) {
	if c.Progress != nil {
		c.Progress(step)
	}
}

// Prepare brings the derivatives and the working tables of a collection up to date: everything that reads WARC files. The options are those with
// which the collection is derived, else the tables would lose what they ask for.
func Prepare(ctx context.Context, cfg job.Config, files []catalog.File, o derive.Options, queries []string) (job.Summary, error) {
	parts, err := derive.Parts(files)
	if err != nil {
		return job.Summary{}, err
	}
	more := slices.DeleteFunc(slices.Clone(o.More), func(j job.Job) bool { return j.Name == PagesJob().Name })
	first, err := job.Run(ctx, cfg, slices.Concat(derive.Jobs(o), more, []job.Job{PagesJob(), wordsJob()}), parts)
	if err != nil {
		return first, err
	}
	v, err := Vocabulary(cfg.Dir)
	if err != nil {
		return first, err
	}
	mark, err := digest(cfg.Dir)
	if err != nil {
		return first, err
	}
	if len(queries) > 0 {
		v.Queries(queries)
		mark += "-" + sumOf(fmt.Sprint(queries))
	}
	visits := visitsJob(v)
	visits.Mark = "words=" + mark // other words, and all pages are measured against them again
	second, err := job.Run(ctx, cfg, []job.Job{PagesJob(), visits}, parts)
	for _, j := range second.Jobs {
		if j.Job == visits.Name {
			first.Jobs = append(first.Jobs, j)
		}
	}
	return first, err
}

// Compute makes the table of features from the working tables.
func Compute(ctx context.Context, cfg Config, out Writer) (sum Summary, err error) {
	if cfg.Fingerprints <= 0 {
		cfg.Fingerprints = 64
	}
	a := &atlas{
		cfg: cfg, ids: map[string]uint32{}, index: map[string]int{}, addresses: map[string]int{}, domains: map[string]int{}, languages: map[string]int{},
	}
	cfg.tell("hosts and pages")
	if err := a.list(ctx); err != nil {
		return sum, err
	}
	v, err := wordsOf(cfg.Dir)
	if err != nil {
		return sum, err
	}
	a.centre = history.NewCentre(len(a.snapshots), content.Skewed())
	if !cfg.Crawl {
		if err := a.measure(ctx); err != nil {
			return sum, err
		}
	}
	cfg.tell("table")
	t := &tabling{atlas: a, out: out, weigher: terms.NewWeigher(v, cfg.Terms, a.languages)}
	return t.write(ctx)
}

// measure is pass 2 and the measures of graphs.
func (a *atlas) measure(ctx context.Context) (err error) {
	a.cfg.tell("links")
	e, remove, err := a.newEdges()
	if remove != nil {
		defer func() { err = errors.Join(err, remove()) }()
	}
	if err != nil {
		return err
	}
	if err := a.connect(ctx, e); err != nil {
		return err
	}
	if a.folds, err = compression.NewFolds(a.examples); err != nil {
		return err
	}
	a.examples = nil
	if err := a.rankAll(ctx, e); err != nil {
		return err
	}
	if len(e.snapshots) == 0 {
		return nil
	}
	a.cfg.tell("snapshots")
	a.links, err = history.LinksOf(len(a.snapshots), len(a.all), func(s int) (*graph.Graph, error) {
		return e.snapshots[s].Build(len(a.all))
	}, history.Config{Fingerprints: a.cfg.Fingerprints, Seed: a.cfg.Seed})
	return errors.Join(err, ctx.Err())
}

// rankAll measures the host graph and the page graph.
func (a *atlas) rankAll(ctx context.Context, e *edges) error {
	a.cfg.tell("host graph")
	g, err := e.hosts.Build(len(a.all))
	if err != nil {
		return err
	}
	seeds := a.trusted()
	a.hosts = rank(g, seeds, func(v uint32) int { return fold(canon.PayLevelDomain(a.all[v])) }, nil)
	a.hosts.similarities(a.cfg.Fingerprints, a.cfg.Seed)
	if err := ctx.Err(); err != nil {
		return err
	}
	a.cfg.tell("page graph")
	if g, err = e.pages.Build(len(a.keys)); err != nil {
		return err
	}
	home, owner, err := a.owners()
	if err != nil {
		return err
	}
	pageSeeds := make([][]uint32, len(seeds))
	for f, hosts := range seeds {
		for _, h := range hosts {
			if page, known := home[h]; known {
				pageSeeds[f] = append(pageSeeds[f], page)
			}
		}
	}
	a.pages = rank(g, pageSeeds, func(v uint32) int { return fold(canon.PayLevelDomain(a.all[owner[v]])) },
		func(v uint32) uint64 { return uint64(owner[v]) })
	return ctx.Err()
}

// owners tells the home page of each host, and the host of each page.
func (a *atlas) owners() (home map[uint32]uint32, owner []uint32, err error) {
	home, owner = map[uint32]uint32{}, make([]uint32, len(a.keys))
	err = eachHost(a.cfg.Dir, func(h *hostVisits) error {
		id := a.ids[h.name]
		for i := range h.visits {
			if v := &h.visits[i]; v.Kind == kindPage {
				p, _ := a.page(v.Key)
				owner[p] = id
				if _, known := home[id]; !known {
					home[id] = p // the home page comes first
				}
			}
		}
		return nil
	})
	return home, owner, err
}

// folds is how many folds labels are used in.
const folds = 5

// fold of a domain (FNV-1a).
func fold(domain string) int { return int(terms.Hash(domain) % folds) }

// trusted are the hosts where TrustRank restarts: one list, or one for each fold without the hosts of the fold.
func (a *atlas) trusted() [][]uint32 {
	if len(a.cfg.Trusted) > 0 {
		var out []uint32
		for _, h := range a.cfg.Trusted {
			if id, known := a.ids[h]; known {
				out = append(out, id)
			}
		}
		return [][]uint32{out}
	}
	out := make([][]uint32, folds)
	for _, h := range sortedKeys(a.cfg.Labels) {
		id, known := a.ids[h]
		if !known || a.cfg.Labels[h] != Normal {
			continue
		}
		for f := range out {
			if fold(canon.PayLevelDomain(h)) != f {
				out[f] = append(out[f], id)
			}
		}
	}
	return out
}
