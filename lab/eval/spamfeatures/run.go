package spamfeatures

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/job"
	"varve/lab/eval/cpu"
	"varve/lab/websim/spam"
	"varve/learn"
	classify "varve/spam"
	"varve/spam/survey"
	"varve/web/links"
)

// Config says what is measured.
type Config struct {
	Dir       string
	Hosts     int
	Pages     int // of a host, at most
	Snapshots int
	Terms     int
	Repeats   int
	Seed      uint64
}

// Group is what one group of features is worth.
type Group struct {
	Name     string  `json:"name"`
	Features int     `json:"features"`
	AUC      float64 `json:"auc"`
	NDCG     float64 `json:"ndcg"`
}

// Result is a whole run.
type Result struct {
	survey.Summary
	ArchiveCPU float64 `json:"archive_cpu_seconds"` // making the web and its archive
	PrepareCPU float64 `json:"prepare_cpu_seconds"` // derivatives and page features
	ComputeCPU float64 `json:"compute_cpu_seconds"` // graphs, history, table
	Visits     int64   `json:"captures"`
	Groups     []Group `json:"groups"`
}

// Run measures everything; steps are told to log.
func Run(ctx context.Context, cfg Config, log io.Writer) (*Result, error) {
	world, err := spam.New(spam.Config{Hosts: cfg.Hosts}, cfg.Seed)
	if err != nil {
		return nil, err
	}
	res := &Result{}
	var files []catalog.File
	var last time.Time
	used, err := cpu.Measure(func() error {
		a := &archivist{world: world, dir: cfg.Dir, pages: cfg.Pages, links: links.New(links.Limits{})}
		for s := range cfg.Snapshots {
			last = world.Epoch().Add(world.End().Sub(world.Epoch()) * time.Duration(s+1) / time.Duration(cfg.Snapshots+1))
			f, err := a.visit(ctx, fmt.Sprintf("snapshot-%d", s+1), last)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	res.ArchiveCPU = used.CPU.Seconds()
	fmt.Fprintf(log, "archived: %.1f s CPU\n", res.ArchiveCPU)
	table, err := res.measure(ctx, cfg, files, truth(world, last), log)
	if err != nil {
		return nil, err
	}
	return res, res.learn(table, cfg, log)
}

// truth are the labels at an instant.
func truth(world *spam.World, at time.Time) map[string]string {
	out := map[string]string{}
	for _, h := range world.Hosts() {
		if bad, known := world.Label(h.Name, at); known {
			out[h.Name] = survey.Normal
			if bad {
				out[h.Name] = survey.Spam
			}
		}
	}
	return out
}

// measure computes the table as the command does, and reads it as learners do.
func (r *Result) measure(ctx context.Context, cfg Config, files []catalog.File, labels map[string]string, log io.Writer) (*learn.Set, error) {
	used, err := cpu.Measure(func() error {
		sum, err := survey.Prepare(ctx, job.Config{Dir: cfg.Dir + "/derived"}, files, derive.Options{}, nil)
		for _, j := range sum.Jobs {
			if j.Job == "pages" {
				r.Visits = j.Items
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r.PrepareCPU = used.CPU.Seconds()
	fmt.Fprintf(log, "prepared: %.1f s CPU\n", r.PrepareCPU)
	var b bytes.Buffer
	used, err = cpu.Measure(func() error {
		f, err := survey.NewFile(&b, "hosts.csv")
		if err != nil {
			return err
		}
		r.Summary, err = survey.Compute(ctx, survey.Config{Dir: cfg.Dir + "/derived", Snapshots: survey.ByCrawl, Labels: labels, Terms: cfg.Terms, Seed: cfg.Seed}, f)
		if err != nil {
			return err
		}
		return f.Close()
	})
	if err != nil {
		return nil, err
	}
	r.ComputeCPU = used.CPU.Seconds()
	fmt.Fprintf(log, "computed: %.1f s CPU\n", r.ComputeCPU)
	set, _, err := classify.Data(&b, classify.Options{Group: "domain"})
	return set, err
}

// groups are chosen by the names of features.
var groups = []struct {
	name string
	has  func(name string) bool
}{
	{"crawl time (home, mean, std, host)", func(n string) bool { return starts(n, "home.", "mean.", "std.", "host.") }},
	{"query features alone", func(n string) bool { return strings.Contains(n, ".query_") }},
	{"content with the best page", func(n string) bool { return starts(n, "home.", "mean.", "std.", "host.", "best.") }},
	{"links", func(n string) bool { return starts(n, "link.") }},
	{"terms, static", func(n string) bool { return starts(n, "term.") && !starts(n, "term.ave.", "term.dev.", "term.decay.") }},
	{"terms, temporal", func(n string) bool { return starts(n, "term.ave.", "term.dev.", "term.decay.") }},
	{"history", func(n string) bool { return starts(n, "history.") }},
	{"compression", func(n string) bool { return starts(n, "compression.") }},
	{"content and links", func(n string) bool { return !starts(n, "history.", "term.", "compression.") }},
	{"all", func(string) bool { return true }},
}

func starts(name string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// learn measures each group with a random forest over folds.
func (r *Result) learn(set *learn.Set, cfg Config, log io.Writer) error {
	for _, g := range groups {
		var columns []int
		for i, a := range set.Attributes {
			if g.has(a.Name) {
				columns = append(columns, i)
			}
		}
		one := Group{Name: g.name, Features: len(columns)}
		if len(columns) == 0 {
			continue
		}
		for k := range max(1, cfg.Repeats) {
			seed := cfg.Seed + uint64(k)
			v, err := learn.CrossValidate(set.Select(columns), learn.Forest{Balanced: true, Tried: 2}, learn.Folds(set, 5, seed), seed)
			if err != nil {
				return err
			}
			auc, ndcg := score(set, v)
			one.AUC += auc / float64(max(1, cfg.Repeats))
			one.NDCG += ndcg / float64(max(1, cfg.Repeats))
		}
		r.Groups = append(r.Groups, one)
		fmt.Fprintf(log, "%-36s %5d features  AUC %.3f\n", one.Name, one.Features, one.AUC)
	}
	return nil
}

// Print writes a table.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d hosts (%d spam), %d captures, %d snapshots; CPU: archive %.1f s, page features %.1f s, graphs and table %.1f s\n",
		r.Hosts, r.Spam, r.Visits, len(r.Snapshots), r.ArchiveCPU, r.PrepareCPU, r.ComputeCPU)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "group\tfeatures\tAUC\tNDCG\n")
	for _, g := range r.Groups {
		fmt.Fprintf(t, "%s\t%d\t%.4f\t%.4f\n", g.Name, g.Features, g.AUC, g.NDCG)
	}
	return t.Flush()
}

// score is AUC and NDCG of the predictions, spam being class 0.
func score(set *learn.Set, v *learn.Validation) (auc, ndcg float64) {
	scores, spam := v.Scores(0), set.Is(0)
	relevance := make([]float64, len(spam))
	for i, s := range spam {
		if s {
			relevance[i] = 1
		}
	}
	return learn.AUC(scores, spam), learn.NDCG(scores, relevance)
}
