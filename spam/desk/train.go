package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"varve/archive/whole"
	"varve/learn"
	"varve/spam"
	"varve/spam/filter"
	"varve/spam/label"
	"varve/web/canon"
)

// Target is what a model is to tell: spam, or another quality of a host.
type Target string

// TargetSpam is the first of the targets; others are a genre ("genre=news") or a level ("trust", "neutrality", "bias").
const TargetSpam Target = "spam"

// Targets lists all that can be learnt.
func Targets() []Target {
	out := []Target{TargetSpam}
	for _, g := range label.Genres() {
		out = append(out, Target("genre="+g))
	}
	return append(out, "trust", "neutrality", "bias")
}

// Says tells what an entry says about a target: yes, no, or nothing. Of a level, the middle says nothing.
func (t Target) Says(e label.Entry) (yes, told bool) {
	level := func(l label.Level) (bool, bool) { return l == label.MaxLevel, l == 1 || l == label.MaxLevel }
	switch t {
	case TargetSpam:
		return e.Label == label.Spam, e.Label == label.Spam || e.Label == label.Normal
	case "trust":
		return level(e.Trust)
	case "neutrality":
		return level(e.Neutrality)
	case "bias":
		return level(e.Bias)
	}
	genre, ok := strings.CutPrefix(string(t), "genre=")
	if !ok || len(e.Genre) == 0 {
		return false, false
	}
	for _, g := range e.Genre {
		if g == genre {
			return true, true
		}
	}
	return false, true
}

// ErrFew is wrapped when too few hosts were judged to learn from.
var ErrFew = errors.New("too few hosts were judged")

// least is how many hosts of each class a model needs.
const least = 5

// Training is the making of a model.
type Training struct {
	Target Target    `json:"target"`
	Begun  time.Time `json:"begun"`
	Ended  time.Time `json:"ended,omitzero"`
	Done   int       `json:"done"` // trainings of members
	Of     int       `json:"of"`
	Yes    int       `json:"yes"` // hosts it learns from
	No     int       `json:"no"`
	Model  string    `json:"model,omitempty"` // file
	AUC    *float64  `json:"auc,omitempty"`   // over folds, of hosts not learnt from; nil: too few
	NDCG   *float64  `json:"ndcg,omitempty"`
	Error  string    `json:"error,omitempty"`
}

// ErrBusy is returned while a model is being made.
var ErrBusy = errors.New("a model is being made already")

// Retrain makes a model of all that was decided, measures it over folds, keeps it, and puts the queues in its order. Only a model of spam
// orders the queues. It returns when it is done; State tells how far it is meanwhile.
func (d *Desk) Retrain(ctx context.Context, target Target, now func() time.Time) (*Training, error) {
	wait, err := d.Begin(ctx, target, now)
	if err != nil {
		return nil, err
	}
	return wait()
}

// Begin starts the making of a model and returns at once; wait returns its end. An error means that nothing was started.
func (d *Desk) Begin(ctx context.Context, target Target, now func() time.Time) (wait func() (*Training, error), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.work != nil && d.work.Ended.IsZero() {
		return nil, ErrBusy
	}
	if err := d.refresh(); err != nil {
		return nil, err
	}
	work := &Training{Target: target, Begun: now()}
	set, err := d.training(target, work)
	if err != nil {
		return nil, err
	}
	d.work = work
	var ended sync.WaitGroup
	var failed error
	ended.Go(func() { failed = d.finish(d.train(ctx, set, work, now), work, now()) })
	return func() (*Training, error) {
		ended.Wait()
		d.mu.Lock()
		defer d.mu.Unlock()
		done := *work
		return &done, failed
	}, nil
}

// finish notes the end of a training.
func (d *Desk) finish(err error, work *Training, at time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	work.Ended = at
	if err != nil {
		work.Error = err.Error()
	}
	return err
}

// training gives the rows of judged hosts; the lock is held. Hosts of one domain are a group, which folds do not tear apart.
func (d *Desk) training(target Target, work *Training) (*learn.Set, error) {
	latest, err := d.labels.Latest()
	if err != nil {
		return nil, err
	}
	hosts := d.table.hosts
	var rows, class []int
	var groups []string
	for row, name := range hosts.Names {
		e, judged := latest[name]
		yes, told := target.Says(e)
		if !judged || !told {
			continue
		}
		rows = append(rows, row)
		groups = append(groups, canon.PayLevelDomain(strings.Split(name, ":")[0]))
		if yes {
			work.Yes++
			class = append(class, 0)
		} else {
			work.No++
			class = append(class, 1)
		}
	}
	if work.Yes < least || work.No < least {
		return nil, fmt.Errorf("%w: %d are %s and %d are not; each needs %d", ErrFew, work.Yes, target, work.No, least)
	}
	set := hosts.Set.Rows(rows)
	set.Class = learn.Attribute{Name: "class", Values: []string{"spam", "nonspam"}}
	if target != TargetSpam {
		set.Class.Values = []string{string(target), "other"}
	}
	set.Y, set.Groups = class, groups
	return set, set.Check()
}

func (d *Desk) train(ctx context.Context, set *learn.Set, work *Training, now func() time.Time) error {
	cfg := spam.Config{Seed: 1, Folds: min(5, min(work.Yes, work.No)), Progress: func(done, all int) {
		d.mu.Lock()
		defer d.mu.Unlock()
		work.Done, work.Of = done, all
	}}
	measured, err := spam.Evaluate(ctx, set, cfg)
	if err != nil {
		return err
	}
	d.mu.Lock()
	work.AUC, work.NDCG = known(measured.AUC), known(measured.NDCG)
	d.mu.Unlock()
	name := strings.ReplaceAll(string(work.Target), "=", "-")
	path, err := d.keep(ctx, name, set, cfg, measured, now)
	if err != nil {
		return err
	}
	if work.Target == TargetSpam {
		if err := d.keepForCrawl(ctx, set, cfg, now); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	work.Model = filepath.Base(path)
	return nil
}

// keep makes a model and keeps it under a name and the time.
func (d *Desk) keep(ctx context.Context, name string, set *learn.Set, cfg spam.Config, measured *spam.Report, now func() time.Time) (string, error) {
	m, err := spam.Train(ctx, set, cfg, measured, now())
	if err != nil {
		return "", err
	}
	path := filepath.Join(ModelDir(d.dir), name+"-"+now().UTC().Format("20060102T150405.000Z")+".model")
	return path, whole.File(path, 0o644, m.Write)
}

// keepForCrawl makes a second model of what a crawl can compute, where the table has more: so what curators say reaches the next crawl.
func (d *Desk) keepForCrawl(ctx context.Context, set *learn.Set, cfg spam.Config, now func() time.Time) error {
	some := filter.Select(set)
	if len(some.Attributes) == 0 || len(some.Attributes) == len(set.Attributes) {
		return nil
	}
	_, err := d.keep(ctx, crawlModel, some, cfg, nil, now)
	return err
}

// Beginnings of the names of models that a crawl may use.
const (
	crawlModel = "crawl"
	spamModel  = "spam"
)

// CrawlModel returns the file of the model that was trained last of those that a crawl can use, by the time in its head; "" if the
// collection in a directory has none.
func CrawlModel(dir string) (string, error) {
	list, err := models(dir, crawlModel+"-", spamModel+"-")
	if err != nil {
		return "", err
	}
	for _, path := range list {
		if head, err := headOf(path); err == nil && filter.Usable(head.Attributes) {
			return path, nil
		}
	}
	return "", nil
}

// State is how the work stands.
type State struct {
	Hosts      int                   `json:"hosts"`                // of the table
	Judged     map[label.Verdict]int `json:"judged"`               // of Hosts
	Unmeasured int                   `json:"unmeasured,omitempty"` // hosts that were judged and are not in the table
	Table      string                `json:"table"`
	Model      string                `json:"model,omitempty"` // file; empty: none yet
	Trained    time.Time             `json:"trained,omitzero"`
	Measures   map[string]float64    `json:"measures,omitempty"`
	Training   *Training             `json:"training,omitempty"` // under way, or the last
}

// State tells how the work stands.
func (d *Desk) State() (*State, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refresh(); err != nil {
		return nil, err
	}
	latest, err := d.labels.Latest()
	if err != nil {
		return nil, err
	}
	s := &State{Hosts: len(d.table.row), Table: filepath.Base(d.table.path)}
	maps.DeleteFunc(latest, func(host string, _ label.Entry) bool {
		_, measured := d.table.row[host]
		if !measured {
			s.Unmeasured++
		}
		return !measured
	})
	s.Judged = label.Count(latest)
	if d.model.model != nil {
		s.Model, s.Trained, s.Measures = filepath.Base(d.model.path), d.model.model.Trained, d.model.model.Measures
	}
	if d.work != nil {
		work := *d.work
		s.Training = &work
	}
	return s, nil
}
