package stored

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"varve/archive/scan"
	"varve/archive/whole"
	"varve/derive"
	"varve/derive/job"
	"varve/evolution"
	"varve/evolution/emerging"
	"varve/evolution/name"
	"varve/evolution/reformulate"
	"varve/evolution/term"
)

// Options are the thresholds that tables are made by.
type Options struct {
	Terms    term.Options
	Names    name.Options
	Emerging emerging.Options
	Words    reformulate.Options
}

// Default returns the thresholds that were measured.
func Default() Options {
	return Options{Terms: term.Default(), Names: name.Default(), Emerging: emerging.Default(), Words: reformulate.Default()}
}

// marks tell of which thresholds each job's tables depend.
func (o *Options) marks() (terms, names, flags, words string) {
	t := o.Terms
	t.MinUnitSim, t.SameUnitSim, t.MaxPaths, t.Window, t.MinCompany, t.MinChange = 0, 0, 0, 0, 0, 0 // of what is asked of the tables
	return fmt.Sprintf("%+v", t), fmt.Sprintf("%+v", o.Names), fmt.Sprintf("%+v", o.Emerging), fmt.Sprintf("%+v", o.Words)
}

// version counts changes of what the tables hold, and of how it is found.
const version = 3

// manifest is what build.json has.
type manifest struct {
	Version int    `json:"version"`
	Mark    string `json:"mark"`   // of the texts, as they were told by who built
	Thresh  string `json:"thresh"` // thresholds
	Years   []int  `json:"years"`
	Texts   int    `json:"texts"`
	Absent  int    `json:"files_without_table,omitempty"`
	Dropped struct {
		Names    int `json:"names,omitempty"`
		Phrases  int `json:"phrases,omitempty"`
		Reworded int `json:"reworded,omitempty"` // terms that came into use and were not looked at: there were more frequent ones
	} `json:"dropped,omitzero"` // what was too rare to be held in memory
}

const manifestFile = "build.json"

// Dir returns the folder of the tables in a folder of derivatives.
func Dir(derived string) string { return filepath.Join(derived, "evolution") }

// Source is the texts that tables are made of.
type Source struct {
	Documents evolution.Documents
	Mark      string     // changes when the documents do; "": it is not known, and they are read
	Absent    func() int // files that have no table of phrases, after the documents were gone through
}

// Config says where and how tables are made.
type Config struct {
	Dir   string
	Cores int  // kept busy; all if 0
	Check bool // every byte that was made before is read, and what is damaged made anew
	Options
}

// Report is what a build did.
type Report struct {
	Texts   int          `json:"texts"`
	Years   int          `json:"years"`
	Counted int          `json:"years_counted"` // in this run; the others had been
	Stages  []job.Result `json:"stages"`        // with their CPU time
	Absent  int          `json:"files_without_table,omitempty"`
	Passed  int          `json:"terms_passed_over,omitempty"` // that came into use, and for which no older word was looked for: others are more frequent
	Mended  []string     `json:"mended,omitempty"`
	Whole   bool         `json:"up_to_date"` // nothing had changed
}

// Current reports whether the tables of a folder were made of these texts by these thresholds.
func Current(dir, mark string, o Options) bool {
	m, err := readManifest(dir)
	return err == nil && mark != "" && m.Mark == mark && m.Version == version && m.Thresh == o.mark()
}

// SameTables reports whether two sets of thresholds make the same tables: some are only of what is asked of them.
func SameTables(a, b Options) bool { return a.mark() == b.mark() }

func (o *Options) mark() string {
	a, b, c, d := o.marks()
	sum := sha256.Sum256([]byte(strings.Join([]string{a, b, c, d}, "\n")))
	return hex.EncodeToString(sum[:12])
}

func readManifest(dir string) (*manifest, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return nil, err
	}
	m := new(manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	return m, nil
}

// Build brings the tables up to date. One process at a time may do so: the caller holds the lock of the collection.
func Build(ctx context.Context, src Source, cfg Config) (rep *Report, err error) {
	rep = &Report{Stages: []job.Result{}}
	if m, err := readManifest(cfg.Dir); err == nil && !cfg.Check && Current(cfg.Dir, src.Mark, cfg.Options) {
		rep.Texts, rep.Years, rep.Absent, rep.Passed, rep.Whole = m.Texts, len(m.Years), m.Absent, m.Dropped.Reworded, true
		return rep, nil
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, err
	}
	temp, err := whole.NewFolder(cfg.Dir, "years")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, temp.Close()) }()
	var years []int
	reading := job.Result{Job: "reading"}
	cpu := scan.CPUTime(func() { years, rep.Texts, err = spool(ctx, src.Documents, temp.Path) })
	if err != nil {
		return nil, err
	}
	reading.CPU, reading.Items = cpu.Seconds(), int64(rep.Texts)
	rep.Stages, rep.Years, rep.Absent = append(rep.Stages, reading), len(years), src.Absent()
	b := &builder{cfg: cfg, spool: temp.Path, years: years}
	if before, err := readManifest(cfg.Dir); err == nil {
		b.m.Dropped = before.Dropped // of jobs that have nothing to do
	}
	parts, sum, err := b.parts()
	if err != nil {
		return nil, err
	}
	terms, names, flags, words := cfg.marks()
	run := job.Config{Dir: cfg.Dir, Cores: cfg.Cores, Check: cfg.Check}
	counted, err := job.Run(ctx, run, []job.Job{{Name: "terms", Version: version, Mark: terms, Map: b.mapTerms, Reduce: b.reduceTerms}}, parts)
	if err != nil {
		return nil, err
	}
	run.Check, run.Cores = false, 1
	all, err := job.Run(ctx, run, []job.Job{
		{Name: "names", Version: version, Mark: names, Map: b.mapNames},
		{Name: "emerging", Version: version, Mark: flags, Map: b.mapEmerging},
		{Name: "reworded", Version: version, Mark: words, Map: b.mapReworded},
	}, []job.Part{{Name: allYears, Mark: sum}})
	if err != nil {
		return nil, err
	}
	rep.Stages = append(append(rep.Stages, counted.Jobs...), all.Jobs...)
	rep.Passed = b.m.Dropped.Reworded
	rep.Counted, rep.Mended = counted.Jobs[0].Done, append(counted.Mended, all.Mended...)
	b.m.Version, b.m.Mark, b.m.Thresh, b.m.Years, b.m.Texts, b.m.Absent = version, src.Mark, cfg.mark(), years, rep.Texts, rep.Absent
	return rep, whole.JSON(filepath.Join(cfg.Dir, manifestFile), 0o644, b.m)
}

// allYears is the one part of what is found in all years together.
const allYears = "all"

// spool puts documents into a file for each year.
func spool(ctx context.Context, documents evolution.Documents, dir string) (years []int, texts int, err error) {
	s := evolution.NewSpool(dir)
	for d, err := range documents() {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			if !d.Time.IsZero() { // who has a phrase first is told with the time
				d.ID = d.Time.Format(stamp) + " " + d.ID
			}
			texts++
			err = s.Add(d)
		}
		if err != nil {
			return nil, 0, errors.Join(err, s.Close())
		}
	}
	return s.Years(), texts, s.Close()
}

// stamp is how times are written before addresses.
const stamp = "20060102150405"

type builder struct {
	cfg   Config
	spool string
	years []int
	m     manifest
}

// parts are the years, each with the digest of its documents, and the digest of all.
func (b *builder) parts() (out []job.Part, all string, err error) {
	whole := sha256.New()
	for _, y := range b.years {
		path := filepath.Join(b.spool, fmt.Sprintf("%d.jsonl", y))
		f, err := os.Open(path)
		if err != nil {
			return nil, "", err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, "", err
		}
		p := job.Part{Name: yearName(y), Path: path, Mark: hex.EncodeToString(h.Sum(nil))}
		fmt.Fprintln(whole, p.Name, p.Mark)
		out = append(out, p)
	}
	return out, hex.EncodeToString(whole.Sum(nil)), nil
}

func yearName(y int) string { return fmt.Sprintf("%04d", y) }

// Keys of pairs begin with what they are of.
const (
	clusterKey = 'c' // year
	termKey    = 'f' // term, year
	besideKey  = 'k' // term, year
)

func pairKey(kind byte, term, year string) []byte {
	return append(append(append([]byte{kind}, term...), 0), year...)
}

// mapTerms makes the slice of a year.
func (b *builder) mapTerms(ctx context.Context, t *job.Task) error {
	year, err := strconv.Atoi(t.Part.Name)
	if err != nil {
		return err
	}
	documents := stoppable(ctx, evolution.Years(b.spool, year))
	s, err := term.Count(year, documents, b.spool, b.cfg.Terms)
	if err != nil {
		return err
	}
	row := SliceRow{int32(year), int64(s.Documents), int64(s.Words), int64(len(s.Frequency)), int64(len(s.Edges)), int64(len(s.Clusters)), s.Pairs, int64(s.Dropped)}
	var edges []EdgeRow
	for _, e := range s.Edges {
		edges = append(edges, EdgeRow{e.A, e.B, int32(e.Count)})
	}
	var clusters []ClusterRow
	for i, c := range s.Clusters {
		for _, m := range c {
			clusters = append(clusters, ClusterRow{int32(i), m.Term, m.Curvature})
		}
	}
	list, err := json.Marshal(s.Clusters)
	if err != nil {
		return err
	}
	if err := t.Emit(append([]byte{clusterKey}, t.Part.Name...), list); err != nil {
		return err
	}
	for w, n := range s.Frequency {
		if err := t.Emit(pairKey(termKey, w, t.Part.Name), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	dropped, err := company(documents, year, s.Frequency, mostCompany, func(w string, with []companion) error {
		v, err := json.Marshal(with)
		if err != nil {
			return err
		}
		return t.Emit(pairKey(besideKey, w, t.Part.Name), v)
	})
	if err != nil {
		return err
	}
	row.Dropped += dropped
	return errors.Join(write(t, "slices", []SliceRow{row}), write(t, "edges", edges), write(t, "clusters", clusters))
}

// stoppable returns documents that end when a context does.
func stoppable(ctx context.Context, documents evolution.Documents) evolution.Documents {
	return func() iter.Seq2[*evolution.Document, error] {
		return func(yield func(*evolution.Document, error) bool) {
			for d, err := range documents() {
				if err == nil {
					err = ctx.Err()
				}
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

func write[T any](t *job.Task, table string, rows []T) error {
	w, err := t.Create(table)
	if err != nil {
		return err
	}
	out := derive.NewSortedTable[T](w)
	for _, r := range rows {
		if err := out.Add(r, 100); err != nil {
			return err
		}
	}
	return out.Close()
}

// reduceTerms merges the years by term, and finds the units of all.
func (b *builder) reduceTerms(ctx context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
	units, err := create[UnitRow](out, "units")
	if err != nil {
		return err
	}
	terms, err := create[TermRow](out, "terms")
	if err != nil {
		return err
	}
	beside, err := create[CompanyRow](out, "company")
	if err != nil {
		return err
	}
	var slices []*term.Slice
	for key, values := range groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		word, at, _ := strings.Cut(string(key[1:]), "\x00")
		for v := range values {
			switch key[0] {
			case clusterKey:
				s := new(term.Slice)
				if s.Year, err = strconv.Atoi(word); err == nil {
					err = json.Unmarshal(v, &s.Clusters)
				}
				slices = append(slices, s)
			case termKey:
				n, _ := binary.Uvarint(v)
				var year int
				if year, err = strconv.Atoi(at); err == nil {
					err = terms.Add(TermRow{word, int32(year), int64(n)}, 40)
				}
			case besideKey:
				err = addCompany(beside, word, at, v)
			}
			if err != nil {
				return fmt.Errorf("%q: %w", key, err)
			}
		}
	}
	for i, u := range term.Units(slices, b.cfg.Terms) {
		for k, w := range u.Terms {
			if err := units.Add(UnitRow{int32(i), int32(u.From), int32(u.To), int32(k), w}, 40); err != nil {
				return err
			}
		}
	}
	return errors.Join(units.Close(), terms.Close(), beside.Close())
}

func addCompany(out *derive.Table[CompanyRow], word, at string, value []byte) error {
	year, err := strconv.Atoi(at)
	if err != nil {
		return err
	}
	var list []companion
	if err := json.Unmarshal(value, &list); err != nil {
		return err
	}
	for _, c := range list {
		if err := out.Add(CompanyRow{word, int32(year), c.Phrase, int64(c.Count), c.Weight}, 60); err != nil {
			return err
		}
	}
	return nil
}

func create[T any](out *job.Output, table string) (*derive.Table[T], error) {
	w, err := out.Create(table)
	if err != nil {
		return nil, err
	}
	return derive.NewSortedTable[T](w), nil
}

// formerNames is how many candidates are kept of a name.
const formerNames = 8

// mapNames finds names that rise and fall.
func (b *builder) mapNames(ctx context.Context, t *job.Task) error {
	names, err := name.Read(stoppable(ctx, evolution.Years(b.spool, b.years...)), b.cfg.Names)
	if err != nil {
		return err
	}
	b.m.Dropped.Names = names.Dropped
	var years []NameRow
	var former []FormerRow
	for h := range names.Histories(formerNames) {
		for _, y := range h.Years {
			years = append(years, NameRow{h.Key, h.Name, int32(y.Year), int64(y.Documents), slices.Contains(h.Rises, y.Year)})
		}
		for i, c := range h.Former {
			former = append(former, formerRow(h.Key, h.Name, i, c))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	var renamings []FormerRow
	for i, r := range names.Renamings() {
		renamings = append(renamings, formerRow(strings.ToLower(r.New), r.New, i, r.Candidate))
	}
	return errors.Join(write(t, "names", years), write(t, "former", former), write(t, "renamings", renamings))
}

func formerRow(key, name string, place int, c name.Candidate) FormerRow {
	return FormerRow{
		Key: key, Name: name, Place: int32(place), OldKey: c.Key, Old: c.Name, Year: int32(c.Year), Score: c.Score, Likeness: c.Likeness, Step: c.Step,
		Before: int32(c.Before), After: int32(c.After), Support: int32(c.Support), Direct: c.Direct, Shared: c.Shared,
	}
}

// firstTexts is how many texts are told that have a phrase first.
const firstTexts = 3

// mapEmerging finds phrases that emerge.
func (b *builder) mapEmerging(ctx context.Context, t *job.Task) error {
	documents := stoppable(ctx, evolution.Years(b.spool, b.years...))
	counts, err := emerging.Read(documents, b.cfg.Emerging)
	if err != nil {
		return err
	}
	b.m.Dropped.Phrases = counts.Dropped
	flags, err := counts.Flags()
	if err != nil {
		return err
	}
	var phrases []string
	for _, f := range flags {
		phrases = append(phrases, f.Phrase)
	}
	first, err := emerging.First(documents, phrases, firstTexts)
	if err != nil {
		return err
	}
	var rows []EmergingRow
	for _, f := range flags {
		rows = append(rows, EmergingRow{f.Phrase, int32(f.Year), int32(f.Begun), int32(f.Documents), f.Share, f.Probability, first[f.Phrase]})
	}
	return write(t, "emerging", rows)
}
