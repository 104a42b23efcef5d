package annotate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
	"varve/entity"
	"varve/entity/base"
	"varve/fact"
	"varve/fact/clean"
	"varve/fact/harvest"
)

// Facts is the unit that finds who was what, from when to when (varve/fact). Its table has what texts say, each by itself: what contradicts what is found by who asks (ToldFacts), since it depends on which texts may be
// seen.
const Facts = "facts"

// FactRow is a row of facts: a sentence that tells when a fact began, ended or held, or a row of an infobox, table or list, whose pattern is that word.
type FactRow struct {
	Version
	Start      int32     `parquet:"start"` // bytes of the text: the sentence; of what a row of a table says, the name in it, if the text has it
	End        int32     `parquet:"end"`
	Relation   string    `parquet:"relation,dict"`
	Subject    string    `parquet:"subject,zstd,dict"`
	Object     string    `parquet:"object,zstd,dict"`
	Role       string    `parquet:"role,zstd,dict"`                           // as what: an office; empty where the relation has none
	Aspect     string    `parquet:"aspect,dict"`                              // begin, during or end: what the time is of
	Earliest   time.Time `parquet:"earliest,optional,timestamp(microsecond)"` // of the time; absent: the text has none
	Latest     time.Time `parquet:"latest,optional,timestamp(microsecond)"`   // excluded
	Confidence float32   `parquet:"confidence"`
	Pattern    string    `parquet:"pattern,zstd,dict"`
	Sentence   string    `parquet:"sentence,zstd"` // at most 1,000 bytes of it
}

// longestSentence bounds what a row has of a sentence.
const longestSentence = 1000

// Observation returns what the row says.
func (r *FactRow) Observation() (o fact.Observation, err error) {
	o = fact.Observation{
		Relation: r.Relation, Subject: r.Subject, Object: r.Object, Role: r.Role, Confidence: float64(r.Confidence),
		Evidence: []fact.Evidence{{Document: r.URL, Start: int(r.Start), End: int(r.End), Pattern: r.Pattern}},
	}
	if harvest.Kind(r.Pattern) {
		o.Evidence[0].Said = r.Sentence
	}
	if !r.Earliest.IsZero() {
		o.Time = fact.Time{First: entity.DayOf(r.Earliest), Last: entity.DayOf(r.Latest) - 1}
	}
	return o, o.Aspect.UnmarshalText([]byte(r.Aspect))
}

// FactsFound is what a text says.
type FactsFound struct {
	Rows []FactRow // without their version
	Cut  int       // sentences with more names or times than are looked at
}

// FactFacet has what is said of a name (FactValue).
const FactFacet = "fact"

var factFacets = derive.FacetTable{Job: Facts, Facets: []derive.Facet{{Name: FactFacet, Title: "Facts", Kind: derive.FacetNames, Most: 200}}}

// Version of the table, and of the method in varve/fact.
const factsVersion = 4

// RelationsFile is the file in the folder of a collection with the relations that are looked for, instead of those of the program.
const RelationsFile = "relations.txt"

// factsConfig is what a worker needs to make the mapper.
type factsConfig struct {
	Name   string `json:"name"`           // of the file, for errors
	Source string `json:"source"`         // all of it
	Base   string `json:"base,omitempty"` // path of the base of entities; "": names are strings
	Sum    string `json:"sum,omitempty"`  // of the base
}

// FactsJob returns the job of the table, and its facet; it needs the jobs of fact.Units beside it. dir is the folder of the collection. Other relations make all of it anew.
func FactsJob(dir string) (job.Job, derive.FacetTable, error) {
	c, relations, err := relationsOf(dir)
	if err != nil {
		return job.Job{}, derive.FacetTable{}, err
	}
	mark := fmt.Sprintf("relations=%x", sha256.Sum256([]byte(c.Source)))
	if err := c.findBase(dir); err != nil {
		return job.Job{}, derive.FacetTable{}, err
	}
	if c.Base != "" {
		mark += " base=" + c.Sum
	}
	for _, u := range fact.Units() {
		mark += " " + string(u) + "=" + u.Model()
	}
	o := open(Facts, factRows, &factFacets)
	return job.Job{Name: Facts, Version: factsVersion, Mark: mark, Scan: &job.Scan{Mapper: factsMapper(c, relations), Open: func(t *job.Task) (job.Sink, error) {
		s, err := o(t)
		return &factSink{s, t}, err
	}}}, factFacets, nil
}

// RelationsOf returns the relations that are looked for in a collection.
func RelationsOf(dir string) ([]fact.Relation, error) {
	_, relations, err := relationsOf(dir)
	return relations, err
}

func relationsOf(dir string) (c factsConfig, relations []fact.Relation, err error) {
	c.Name = filepath.Join(dir, RelationsFile)
	switch b, err := os.ReadFile(c.Name); {
	case errors.Is(err, fs.ErrNotExist):
		if c.Source, err = fact.Source(); err != nil {
			return c, nil, err
		}
	case err != nil:
		return c, nil, err
	default:
		c.Source = string(b)
	}
	relations, err = c.relations()
	return c, relations, err
}

func (c *factsConfig) relations() ([]fact.Relation, error) {
	list, err := fact.ReadRelations(strings.NewReader(c.Source), c.Name)
	if err == nil {
		err = fact.Check(list)
	}
	return list, err
}

// findBase notes which base of entities says who is meant, if there is one.
func (c *factsConfig) findBase(dir string) error {
	path := base.OfCollection(dir)
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	l, err := OpenLinker(path)
	if err != nil {
		return err
	}
	c.Base, c.Sum = path, l.base.Sum()
	return l.Close()
}

// namer gives names of a text the entity that they mean: "Anna Berg [Q567]". So two of one name are two, and one of two names is one. Persons whom curators made entities are private, so their names stay as texts have them.
type namer struct {
	config factsConfig
	once   sync.Once
	linker *Linker
	err    error
}

// name renames subjects and objects of observations.
func (n *namer) name(ctx context.Context, s *shared, list []fact.Observation) error {
	if n.config.Base == "" || len(list) == 0 {
		return nil
	}
	n.once.Do(func() { // until the process ends
		if n.linker, n.err = OpenLinker(n.config.Base); n.err == nil && n.linker.base.Sum() != n.config.Sum {
			n.err = &varve.Error{Kind: varve.Conflict, Op: "open base of entities", Msg: n.config.Base + " was replaced meanwhile", Hint: "run it again"}
		}
	})
	if n.err != nil {
		return n.err
	}
	linked, err := n.linker.Link(ctx, s.content, s.reading.Mentions, entity.DayOf(s.date))
	if err != nil {
		return err
	}
	means := map[string]string{}
	for _, l := range linked {
		if _, known := means[l.Text]; !known && l.Entity != "" && len(l.Entity) <= longestID && !strings.HasPrefix(l.Entity, "new:") {
			means[l.Text] = EntityValue(l.Entity, l.Label)
		}
	}
	for i := range list {
		for _, to := range []*string{&list[i].Subject, &list[i].Object} {
			if m := means[*to]; m != "" {
				*to = m
			}
		}
	}
	return nil
}

// FactsMapper makes the mapper in a worker, by the Config of the one in the process that started it.
func FactsMapper(config []byte) (*scan.Mapper, error) {
	var c factsConfig
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	relations, err := c.relations()
	if err != nil {
		return nil, err
	}
	return factsMapper(c, relations), nil
}

func factsMapper(c factsConfig, relations []fact.Relation) *scan.Mapper {
	m := scan.Mapper{Name: Facts, Needs: []string{"pages"}, Config: c}
	names := &namer{config: c}
	for _, u := range fact.Units() {
		m.Needs = append(m.Needs, string(u))
	}
	key := func(it *scan.Item, s *shared) digest {
		body, _, _ := it.ContentUpTo(harvestContent) // what could not be read is said by pages
		s.rows = nil
		if mayHaveRows(body) {
			s.rows = Harvest(Content{URL: it.URI, MIME: it.ContentType(), Body: body}, s.title, relations)
		}
		sum := sha256.New()
		sum.Write(s.dated[:])
		fmt.Fprintf(sum, "%s\x00%v", s.title, s.rows)
		return digest(sum.Sum(nil))
	}
	return textMapper(m, fact.Units(), key, func(ctx context.Context, s *shared) (out FactsFound, size int, err error) {
		doc := &s.reading.Document
		candidates, cut := fact.Candidates(doc, s.content, fact.TopicOf(s.title, doc), relations)
		found, err := fact.Label(ctx, relations, candidates, nil, fact.Default())
		if err != nil {
			return out, 0, err
		}
		out.Cut = cut
		found = append(found, s.rows...)
		for i := range found { // where the text has the name that a row has
			for j := range found[i].Evidence {
				e := &found[i].Evidence[j]
				if e.Said == "" {
					continue
				}
				name := found[i].Object
				if !strings.Contains(e.Said, name) { // the page is the object
					name = found[i].Subject
				}
				if at := strings.Index(s.content, name); at >= 0 {
					e.Start, e.End = at, at+len(name)
				}
			}
		}
		if err := names.name(ctx, s, found); err != nil {
			return out, 0, err
		}
		for _, o := range found {
			for _, e := range o.Evidence {
				said := cmp.Or(e.Said, s.content[e.Start:e.End])
				row := FactRow{
					Start: int32(e.Start), End: int32(e.End), Relation: o.Relation, Subject: strings.Clone(o.Subject), Object: strings.Clone(o.Object), Role: o.Role, Aspect: o.Aspect.String(),
					Confidence: float32(o.Confidence), Pattern: e.Pattern, Sentence: strings.ToValidUTF8(said[:min(len(said), longestSentence)], ""),
				}
				if o.Time.Known() {
					row.Earliest, row.Latest = storable(o.Time.First.Time()), storable((o.Time.Last + 1).Time())
				}
				out.Rows = append(out.Rows, row)
				size += 300 + len(row.Subject) + len(row.Object) + len(row.Pattern) + len(row.Sentence)
			}
		}
		slices.SortStableFunc(out.Rows, func(a, b FactRow) int { return int(a.Start - b.Start) })
		return out, size, err
	})
}

// factSink writes rows, and tells of texts that were not looked at as a whole.
type factSink struct {
	job.Sink
	task *job.Task
}

// Take writes the rows of a capture.
func (s *factSink) Take(t *scan.Taken) error {
	if err := s.Sink.Take(t); err != nil {
		return err
	}
	if found, ok := t.Result.(*Found[FactsFound]); ok && found.What.Cut > 0 {
		return s.task.Partial(t.Name(), "facts: sentences have more names or times than are looked at")
	}
	return nil
}

func factRows(v Version, found FactsFound) (rows []FactRow, values []derive.FacetValue) {
	for _, row := range found.Rows {
		row.Version = v
		rows = append(rows, row)
		o, err := row.Observation()
		if err != nil {
			continue // an aspect of our own that is none
		}
		for _, inverse := range []bool{false, true} {
			f := FactValue{Observation: o, Inverse: inverse}
			if s, ok := f.Value(); ok && !slices.ContainsFunc(values, func(v derive.FacetValue) bool { return v.Value == s }) {
				values = append(values, derive.FacetValue{Facet: FactFacet, Value: s, Count: 1})
			}
		}
	}
	return rows, values
}

// FactValue is a value of FactFacet: what a version says of a name, which comes first.
//
//	Diego Lopez > works_for_club > Real Madrid > begin > 2003 > 0.8
//	Real Madrid < works_for_club < Diego Lopez < begin < 2003 < 0.8         the same, of the object
//	Anna Keller > holds_office/mayor > Vestria > begin > 2003 > 0.8         with its role
type FactValue struct {
	fact.Observation
	Inverse bool
}

// Value returns the value; false where it is too long for one, or a name has > or <.
func (f FactValue) Value() (string, bool) {
	s := f.Prefix() + " " + strconv.FormatFloat(f.Confidence, 'f', 1, 64)
	return s, len(s) <= 200 && !strings.ContainsAny(f.Subject+f.Object+f.Role, "<>") && value(f.Subject) != "" && value(f.Object) != ""
}

// Prefix is what values begin with that say the same, however sure they are.
func (f FactValue) Prefix() string {
	first, second, sign := value(f.Subject), value(f.Object), " > "
	if f.Inverse {
		first, second, sign = second, first, " < "
	}
	relation := f.Relation
	if f.Role != "" {
		relation += "/" + value(f.Role)
	}
	return strings.TrimSuffix(strings.Join([]string{first, relation, second, f.Aspect.String(), f.Time.String(), ""}, sign), " ")
}

// FactPrefix is what the values of a name begin with.
func FactPrefix(name string, inverse bool) string {
	if inverse {
		return value(name) + " <"
	}
	return value(name) + " >"
}

// LinkedPrefix is what the values of all entities begin with that the base calls so, on either side.
func LinkedPrefix(name string) string { return value(name) + " [" }

// IsCalled reports whether the name in a fact is that which is asked for: itself, or what the base calls an entity, without its id.
func IsCalled(name, asked string) bool {
	if strings.EqualFold(name, asked) {
		return true
	}
	_, label, linked := ParseEntityValue(name)
	return linked && strings.EqualFold(label, asked)
}

// ParseFactValue reads a value.
func ParseFactValue(s string) (f FactValue, ok bool) {
	f.Inverse = strings.Contains(s, " < ")
	parts := strings.Split(s, " > ")
	if f.Inverse {
		parts = strings.Split(s, " < ")
	}
	if len(parts) != 6 {
		return f, false
	}
	f.Subject, f.Object = parts[0], parts[2]
	f.Relation, f.Role, _ = strings.Cut(parts[1], "/")
	if f.Inverse {
		f.Subject, f.Object = f.Object, f.Subject
	}
	var err1, err2, err3 error
	err1 = f.Aspect.UnmarshalText([]byte(parts[3]))
	if parts[4] != "" {
		f.Time, err2 = fact.ParseTime(parts[4])
	}
	f.Confidence, err3 = strconv.ParseFloat(parts[5], 64)
	return f, errors.Join(err1, err2, err3) == nil
}

// ToldFacts are the facts that the texts of a collection tell.
type ToldFacts struct {
	Dir   string // of the derivatives
	Parts []job.Part
	Job   job.Job // of FactsJob
	Name  string  // only where this is subject or object; "" for all
	Most  int     // different observations that are held, some 500 bytes each; the rest is counted in Left

	Rows   int64 // that were read
	Left   int64 // of these, were not looked at: there are more than Most
	Absent int   // files without a table of facts
}

// Clean returns the facts, and as alternatives what contradicts them (fact.Clean). What several versions say is one observation (fact.Merge).
func (s *ToldFacts) Clean(ctx context.Context, relations []fact.Relation) ([]fact.Fact, *fact.Report, error) {
	told := fact.NewMerger()
	for _, p := range s.Parts {
		path, ok := job.Table(s.Dir, s.Job, p, Facts)
		if !ok {
			s.Absent++
			continue
		}
		err := derive.Rows(path, func(r *FactRow) (bool, error) {
			if s.Name != "" && !IsCalled(r.Subject, s.Name) && !IsCalled(r.Object, s.Name) {
				return true, ctx.Err()
			}
			o, err := r.Observation()
			if err != nil {
				return false, err
			}
			if s.Rows++; !told.Add(o, s.Most) {
				s.Left++
			}
			return true, ctx.Err()
		})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return fact.Clean(ctx, relations, told.Observations(), clean.Options{})
}
