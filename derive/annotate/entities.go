package annotate

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"varve"
	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
	"varve/entity"
	"varve/entity/base"
	"varve/entity/link"
	"varve/language"
)

// Entities is the unit that says which entities of a base the names in texts mean. Units of varve/language depend on the text alone; it needs a base beside it, so
// a Linker makes its job.
const Entities = "entities"

// Linked is a name in a text and what it means.
type Linked struct {
	Text       string  `json:"text"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Type       string  `json:"type"`                // of the mention
	Entity     string  `json:"entity,omitempty"`    // id; "" if the base has none that is meant
	Label      string  `json:"label,omitempty"`     // what the base calls it
	Confidence float64 `json:"confidence"`          // of the entity, or of there being none
	RunnerUp   string  `json:"runner_up,omitempty"` // the next best entity
}

// Linker says what the names in texts mean, by one base. It is safe for concurrent use.
type Linker struct {
	path string
	base *base.Base
}

// OpenLinker opens the base at a path.
func OpenLinker(path string) (*Linker, error) {
	b, err := base.Open(path)
	if err != nil {
		return nil, err
	}
	return &Linker{path, b}, nil
}

// Close closes the base.
func (l *Linker) Close() error { return l.base.Close() }

// Base returns the base.
func (l *Linker) Base() *base.Base { return l.base }

// Link returns what the names of a text of a day mean, in their order.
func (l *Linker) Link(ctx context.Context, text string, names []language.Mention, day entity.Day) ([]Linked, error) {
	places := make([]link.Mention, len(names))
	for i, m := range names {
		places[i] = link.Mention{Start: m.Start, End: m.End}
	}
	found, err := link.Link(ctx, l.base, text, places, day, link.Default())
	if err != nil {
		return nil, err
	}
	out := make([]Linked, len(names))
	for i, d := range found {
		one := Linked{Text: names[i].Text, Start: d.Start, End: d.End, Type: string(names[i].Type), Entity: d.Entity, Confidence: d.Confidence}
		next := 0 // where nothing is meant, the best of the candidates is the runner-up
		if d.Entity != "" {
			one.Label = d.Candidates[0].Label
			next = 1
		}
		if next < len(d.Candidates) {
			one.RunnerUp = d.Candidates[next].ID
		}
		out[i] = one
	}
	return out, nil
}

// EntityRow is a row of entities: a name in a text and what it means.
type EntityRow struct {
	Version
	Start      int32   `parquet:"start"` // bytes of the text
	End        int32   `parquet:"end"`
	Text       string  `parquet:"text,zstd,dict"`
	Type       string  `parquet:"type,dict"`
	Entity     string  `parquet:"entity,zstd,dict"` // id; empty if the base has none that is meant
	Label      string  `parquet:"label,zstd,dict"`
	Confidence float32 `parquet:"confidence"`
	RunnerUp   string  `parquet:"runner_up,zstd,dict"`
}

// Facets of entities. EntityFacet has what people choose from ("Angela Merkel [Q567]"), CalledFacet what a text calls it, by its id: "[Q567] Merkel".
const (
	EntityFacet = "entity"
	CalledFacet = "called"
)

var entityFacets = derive.FacetTable{Job: Entities, Facets: []derive.Facet{
	{Name: EntityFacet, Title: "Known persons and things", Kind: derive.FacetNames, Most: 50},
	{Name: CalledFacet, Title: "Called", Kind: derive.FacetNames, Most: 100},
}}

// Version of the table, and of the method in entity/link.
const entitiesVersion = 1

// entitiesConfig is what a worker needs to make the mapper.
type entitiesConfig struct {
	Path string `json:"path"`
	Sum  string `json:"sum"`
}

// Job returns the job of the table, and its facets; it needs the job of mentions beside it. Another base makes all of it anew.
func (l *Linker) Job() (job.Job, derive.FacetTable) {
	mark := "base=" + l.base.Sum() + " model=" + language.Mentions.Model()
	return job.Job{Name: Entities, Version: entitiesVersion, Mark: mark, Scan: &job.Scan{Mapper: l.mapper(), Open: open(Entities, entityRows, &entityFacets)}}, entityFacets
}

// EntitiesMapper makes the mapper in a worker, by the Config of the one in the process that started it.
func EntitiesMapper(config []byte) (*scan.Mapper, error) {
	var c entitiesConfig
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	l, err := OpenLinker(c.Path) // until the worker ends
	if err != nil {
		return nil, err
	}
	if l.base.Sum() != c.Sum {
		return nil, &varve.Error{Kind: varve.Conflict, Op: "open base of entities", Msg: c.Path + " was replaced meanwhile", Hint: "run it again"}
	}
	return l.mapper(), nil
}

func (l *Linker) mapper() *scan.Mapper {
	m := scan.Mapper{Name: Entities, Needs: []string{"pages", string(language.Mentions)}, Config: entitiesConfig{l.path, l.base.Sum()}}
	key := func(_ *scan.Item, s *shared) digest {
		return sha256.Sum256(append(s.text[:], entity.DayOf(s.date).String()...))
	}
	return textMapper(m, []language.Unit{language.Mentions}, key, func(ctx context.Context, s *shared) ([]Linked, int, error) {
		found, err := l.Link(ctx, s.content, s.reading.Mentions, entity.DayOf(s.date))
		size := 0
		for i := range found {
			found[i].Text = strings.Clone(found[i].Text) // not all of the text is kept
			size += 150 + len(found[i].Text) + len(found[i].Entity) + len(found[i].Label)
		}
		return found, size, err
	})
}

func entityRows(v Version, found []Linked) (rows []EntityRow, values []derive.FacetValue) {
	for _, f := range found {
		rows = append(rows, EntityRow{v, int32(f.Start), int32(f.End), f.Text, f.Type, f.Entity, f.Label, float32(f.Confidence), f.RunnerUp})
		if f.Entity == "" || len(f.Entity) > longestID {
			continue
		}
		values = append(
			values,
			derive.FacetValue{Facet: EntityFacet, Value: EntityValue(f.Entity, f.Label), Count: 1},
			derive.FacetValue{Facet: CalledFacet, Value: CalledValue(f.Entity, f.Text), Count: 1},
		)
	}
	return rows, values
}

// Sizes of values of facets, which have at most 200 bytes: an id is always whole.
const (
	longestID   = 100
	longestName = 96
)

// EntityValue returns the value of EntityFacet: what an entity is called, then its id in brackets.
func EntityValue(id, label string) string { return shorten(label) + " [" + id + "]" }

// CalledValue returns the value of CalledFacet for a name; without one, what all values of the entity begin with.
func CalledValue(id, name string) string {
	return strings.TrimSpace(fmt.Sprintf("[%s] %s", id, shorten(name)))
}

// ParseEntityValue takes a value of EntityFacet apart.
func ParseEntityValue(value string) (id, label string, ok bool) {
	at := strings.LastIndex(value, " [")
	if at < 0 || !strings.HasSuffix(value, "]") {
		return "", "", false
	}
	return value[at+2 : len(value)-1], value[:at], true
}

func shorten(name string) string {
	if name = value(name); len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName-3], "") + "…"
	}
	return name
}
