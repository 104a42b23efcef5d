package desk

import (
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/learn"
	"varve/spam"
	"varve/spam/label"
)

// Order is a queue.
type Order string

// The queues.
const (
	Uncertain Order = "uncertain"
	Worst     Order = "worst"
	Random    Order = "random"
)

// Orders lists the queues.
func Orders() []Order { return []Order{Uncertain, Worst, Random} }

// ErrNoTable is returned while the hosts of the collection were not measured.
var ErrNoTable = errors.New("the hosts of this collection were not measured yet")

// Desk is the work on one collection. It is safe for concurrent use.
type Desk struct {
	dir    string // of the collection
	labels *label.Log

	mu    sync.Mutex
	table tableFile
	model modelFile
	rated []spam.Candidate // by row; nil without a model
	work  *Training        // under way, or the last
}

type tableFile struct {
	path  string
	time  time.Time
	hosts *spam.Hosts
	row   map[string]int
}

type modelFile struct {
	path  string
	model *learn.Model
}

// Open gives the desk of the collection in a directory.
func Open(dir string) *Desk { return &Desk{dir: dir, labels: label.Open(dir)} }

// ModelDir is where tables and models of a collection lie.
func ModelDir(dir string) string { return filepath.Join(dir, "models") }

// refresh reads the newest table and model, where they are others than before; the lock is held.
func (d *Desk) refresh() error {
	tables, err := files(ModelDir(d.dir), "hosts", ".csv", ".arff", ".csv.gz", ".arff.gz")
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		return ErrNoTable
	}
	path, when := tables[0].path, tables[0].time
	if path != d.table.path || !when.Equal(d.table.time) {
		hosts, err := readHosts(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		d.table = tableFile{path: path, time: when, hosts: hosts, row: map[string]int{}}
		for i, name := range hosts.Names {
			if name != "" {
				d.table.row[name] = i
			}
		}
		d.rated = nil
	}
	return d.refreshModel()
}

func (d *Desk) refreshModel() error {
	models, err := Models(d.dir, "spam-")
	if err != nil || len(models) == 0 {
		return err
	}
	path := models[0]
	if path != d.model.path {
		m, err := readModel(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		d.model, d.rated = modelFile{path, m}, nil
	}
	if d.rated == nil {
		set, err := spam.Align(d.table.hosts.Set, d.model.model.Attributes)
		if err != nil {
			return fmt.Errorf("the model %s does not fit the table: %w", filepath.Base(path), err)
		}
		d.rated = spam.Weigh(d.model.model, &spam.Hosts{Names: d.table.hosts.Names, Labels: d.table.hosts.Labels, Set: set})
	}
	return nil
}

// Models lists the models of the collection in a directory whose names have a prefix, the newest first by the time at
// which they were trained. A file without a readable head has the time of the file, so that who uses it is told what
// is wrong with it.
func Models(dir, prefix string) ([]string, error) { return models(dir, prefix) }

func models(dir string, prefixes ...string) ([]string, error) {
	var list []dated
	for _, prefix := range prefixes {
		some, err := files(ModelDir(dir), prefix, ".model")
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	for i := range list {
		if head, err := headOf(list[i].path); err == nil {
			list[i].time = head.Trained
		}
	}
	slices.SortStableFunc(list, func(a, b dated) int { return b.time.Compare(a.time) })
	var out []string
	for _, f := range list {
		out = append(out, f.path)
	}
	return out, nil
}

// dated is a file with the time that says how new it is.
type dated struct {
	path string
	time time.Time
}

// files lists the files of a directory with a prefix and one of the endings, the last written first.
func files(dir, prefix string, endings ...string) ([]dated, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []dated
	for _, e := range slices.Backward(entries) {
		fits := slices.ContainsFunc(endings, func(s string) bool { return strings.HasSuffix(e.Name(), s) })
		if !fits || !strings.HasPrefix(e.Name(), prefix) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		out = append(out, dated{filepath.Join(dir, e.Name()), info.ModTime()})
	}
	slices.SortStableFunc(out, func(a, b dated) int { return b.time.Compare(a.time) })
	return out, nil
}

// headOf reads the head of a model.
func headOf(path string) (*learn.Header, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return learn.ReadHeader(f)
}

func readHosts(path string) (*spam.Hosts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	return spam.ReadHosts(r, nil, learn.Attribute{})
}

func readModel(path string) (*learn.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return learn.ReadModel(f)
}

// Waiting is a host in a queue.
type Waiting struct {
	Host         string   `json:"host"`
	Spamicity    *float64 `json:"spam,omitempty"` // nil without a model
	Disagreement float64  `json:"disagreement"`
}

// Queue gives the hosts that nobody has judged, in an order, from the first on; n bounds how many. All tells how many wait.
func (d *Desk) Queue(order Order, first, n int) (list []Waiting, all int, err error) {
	if !slices.Contains(Orders(), order) {
		return nil, 0, fmt.Errorf("queue %q: uncertain, worst or random", order)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refresh(); err != nil {
		return nil, 0, err
	}
	latest, err := d.labels.Latest()
	if err != nil {
		return nil, 0, err
	}
	open := d.open(latest)
	d.sort(open, order)
	all = len(open)
	first = min(max(first, 0), all)
	for _, c := range open[first:min(first+max(n, 0), all)] {
		list = append(list, waiting(c))
	}
	return list, all, nil
}

func waiting(c spam.Candidate) Waiting {
	w := Waiting{Host: c.Host, Disagreement: c.Disagreement}
	if !math.IsNaN(c.Spamicity) {
		w.Spamicity = &c.Spamicity
	}
	return w
}

// open lists the hosts of the table without a label in force.
func (d *Desk) open(latest map[string]label.Entry) []spam.Candidate {
	var open []spam.Candidate
	for row, name := range d.table.hosts.Names {
		if _, judged := latest[name]; judged || name == "" {
			continue
		}
		c := spam.Candidate{Host: name, Row: row, Spamicity: math.NaN()}
		if d.rated != nil {
			c = d.rated[row]
		}
		open = append(open, c)
	}
	return open
}

// sort orders candidates; equal ones by a hash of their name, so that the order is the same for everybody.
func (d *Desk) sort(list []spam.Candidate, order Order) {
	key := func(c spam.Candidate) float64 {
		switch {
		case d.rated == nil || order == Random:
			return 0
		case order == Worst:
			return c.Spamicity
		}
		return 1 - math.Abs(2*c.Spamicity-1) + c.Disagreement
	}
	slices.SortFunc(list, func(a, b spam.Candidate) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(hash(a.Host), hash(b.Host)), cmp.Compare(a.Host, b.Host))
	})
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}

// Say keeps a decision.
func (d *Desk) Say(e label.Entry) error { return d.labels.Append(e) }

// Labels gives all that was decided, oldest first.
func (d *Desk) Labels() ([]label.Entry, error) { return d.labels.All() }
