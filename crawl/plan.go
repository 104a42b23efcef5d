package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"varve"
	"varve/archive/catalog"
	"varve/crawl/scope"
)

// Plan is what a collection is for and the crawls that fill it: a collection.toml, and what was planned on screens.
//
//	title = "News of the region"
//	purpose = "What people could read, day by day."
//
//	[metadata]
//	publisher = ["Library of the region"]
//
//	[crawl.daily]
//	seeds = ["https://news.example/"]
//	every = "24h"
//	scope = "host"
//	max-pages = 5000
//	[[crawl.daily.rule]]
//	do = "reject"
//	prefix = ["https://news.example/search"]
type Plan struct {
	Title    string             `json:"title"`
	Purpose  string             `json:"purpose"`
	Clock    Clock              `json:"clock,omitempty"`
	Metadata catalog.Metadata   `json:"metadata,omitzero"`
	Derive   Derive             `json:"derive,omitzero"`
	Analyse  *Analyse           `json:"analyse,omitempty"` // nil: texts are not analysed
	Crawls   map[string]Planned `json:"crawls"`

	Defined map[string]Defined `json:"-"` // those of Crawls that were planned on a screen
	Hidden  map[string]Defined `json:"-"` // planned on a screen, and behind one of collection.toml of the same name
	Trouble error              `json:"-"` // lines of screens that could not be read
}

// Derive says what `varve derive` makes of the collection beside the tables that all have.
type Derive struct {
	Mappers []string `json:"mappers,omitempty" toml:"mappers"` // evidence, spam, wat, wet
}

// Analyse says what `varve derive` finds in the texts of the collection. The section alone, without units, asks for the default ones.
type Analyse struct {
	Units []string `json:"units,omitempty" toml:"units"` // of varve/language: sentences, tags, mentions ...
}

// Clock is what the times of a collection are told by.
type Clock string

// SimulatedClock says that the times of a collection are those of a simulated web: they stand still when nobody
// lets them run, so that nothing of it is ever late by the clock of this machine.
const SimulatedClock Clock = "simulated"

// Planned is a crawl of a plan and when it is due.
type Planned struct {
	Definition
	Every    scope.Duration `json:"every,omitempty" toml:"every"`        // from start to start; 0: only when asked for
	SeedFile string         `json:"seedFile,omitempty" toml:"seed-file"` // relative to the collection
}

// planFile is how the file is read: each crawl twice, since scope rules stand beside the rest.
type planFile struct {
	Title    string                    `toml:"title"`
	Purpose  string                    `toml:"purpose"`
	Clock    Clock                     `toml:"clock"`
	Metadata catalog.Metadata          `toml:"metadata"`
	Derive   Derive                    `toml:"derive"`
	Analyse  *Analyse                  `toml:"analyse"`
	Crawl    map[string]toml.Primitive `toml:"crawl"`
}

// ReadPlan reads the plan of a collection: its collection.toml, and what was planned on screens. Lines of these that
// cannot be read are told in Trouble.
func ReadPlan(col *catalog.Collection) (*Plan, error) {
	p, err := ReadPlanFile(col)
	lines, trouble := ReadDefined(col)
	if varve.KindOf(err) == varve.NotFound && len(lines) > 0 {
		p, err = &Plan{}, nil // a collection that was begun on a screen needs no file
	}
	if err != nil {
		return nil, err
	}
	p = p.With(lines)
	p.Trouble = trouble
	return p, nil
}

// ReadPlanFile reads the collection.toml of a collection alone.
func ReadPlanFile(col *catalog.Collection) (*Plan, error) {
	text, err := os.ReadFile(col.DefinitionFile())
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "plan of collection " + col.Name, Err: err,
			Hint: "write " + col.DefinitionFile() + ", or give seeds on the command line",
		}
	}
	p, err := ParsePlan(string(text), col.Dir())
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: col.DefinitionFile(), Err: err}
	}
	return p, nil
}

// ParsePlan reads a plan; seed files are looked up in dir.
func ParsePlan(text, dir string) (*Plan, error) {
	var f planFile
	meta, err := toml.Decode(text, &f)
	if err != nil {
		return nil, err
	}
	p := &Plan{Title: f.Title, Purpose: f.Purpose, Clock: f.Clock, Metadata: f.Metadata, Derive: f.Derive, Analyse: f.Analyse, Crawls: map[string]Planned{}}
	if f.Clock != "" && f.Clock != SimulatedClock {
		return nil, fmt.Errorf("clock = %q is not known: leave it out, or %q", f.Clock, SimulatedClock)
	}
	set(&p.Metadata.Title, f.Title)
	set(&p.Metadata.Description, f.Purpose)
	for name, prim := range f.Crawl {
		c, err := planned(meta, prim, text, name, dir)
		if err != nil {
			return nil, err
		}
		p.Crawls[name] = c
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("line %d: key %q is not known", scope.LineOf(text, unknown[0][len(unknown[0])-1]), unknown[0])
	}
	return p, nil
}

func planned(meta toml.MetaData, prim toml.Primitive, text, name, dir string) (Planned, error) {
	var c Planned
	if err := meta.PrimitiveDecode(prim, &c); err != nil {
		return c, fmt.Errorf("crawl.%s: %w", name, err)
	}
	if err := meta.PrimitiveDecode(prim, &c.Scope); err != nil {
		return c, fmt.Errorf("crawl.%s: %w", name, err)
	}
	if _, err := scope.NewSet(c.Scope); err != nil {
		return c, fmt.Errorf("crawl.%s: %w", name, scope.WithLine(err, text, "crawl."+name+"."))
	}
	if err := c.About.Check(); err != nil {
		return c, fmt.Errorf("crawl.%s: %w", name, scope.WithLine(err, text, "crawl."+name+".about."))
	}
	c.Name = name
	if c.SeedFile != "" {
		f, err := os.Open(filepath.Join(dir, filepath.Clean("/"+c.SeedFile)))
		if err != nil {
			return c, fmt.Errorf("crawl.%s: %w", name, err)
		}
		defer f.Close()
		more, err := ReadSeeds(f)
		if err != nil {
			return c, fmt.Errorf("crawl.%s: %s: %w", name, c.SeedFile, err)
		}
		c.Seeds = append(c.Seeds, more...)
	}
	if len(c.Seeds) == 0 {
		return c, fmt.Errorf("crawl.%s: no seeds", name)
	}
	return c, nil
}

// Due gives the crawls whose time has come, those that waited longest first. last tells when each
// was started last; crawls never started are due at once.
func (p *Plan) Due(now time.Time, last map[string]time.Time) []Planned {
	var due []Planned
	wait := func(c Planned) time.Duration { return now.Sub(last[c.Name]) - time.Duration(c.Every) }
	for _, c := range p.Crawls {
		if c.Every > 0 && (last[c.Name].IsZero() || wait(c) >= 0) {
			due = append(due, c)
		}
	}
	slices.SortFunc(due, func(a, b Planned) int {
		if d := wait(b) - wait(a); d != 0 {
			return int(max(-1, min(1, d)))
		}
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return due
}

// ClockSlack is how far a start may lie ahead of the clock and still count: small corrections start nothing twice.
const ClockSlack = time.Hour

// LastStarted tells when each planned crawl of a collection was started last, as seen from now: a start that is still to
// come was made by a clock that has been set back since, and says nothing.
func LastStarted(col *catalog.Collection, now time.Time) (map[string]time.Time, error) {
	ids, err := col.Crawls()
	if err != nil {
		return nil, err
	}
	out := map[string]time.Time{}
	for _, id := range ids {
		dir, err := col.CrawlDir(id)
		if err != nil {
			continue
		}
		def, err := ReadDefinition(dir)
		if err != nil || def.Name == "" {
			continue // not of a plan, or never really started
		}
		if t, err := time.Parse("20060102T150405Z", id[:min(len(id), 16)]); err == nil && t.After(out[def.Name]) && t.Before(now.Add(ClockSlack)) {
			out[def.Name] = t
		}
	}
	return out, nil
}
