package crawl

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/journal"
)

// Defined is a line of labels/definitions.jsonl: a crawl that somebody planned on a screen, or that it is
// planned no more. The last line of a name is in force; collection.toml goes before all of them.
type Defined struct {
	Version int       `json:"version"`
	Name    string    `json:"name"`
	Crawl   *Planned  `json:"crawl,omitempty"`   // the whole definition; with retired: none
	Retired bool      `json:"retired,omitempty"` // it is planned no more
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Note    string    `json:"note,omitempty"` // why it was changed
}

// DefinedVersion is the version of the lines that this package writes, and the latest that it reads.
const DefinedVersion = 1

// planName is what a crawl that is defined on a screen may be called: it stands in addresses, flags and TOML.
var planName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// CheckPlanName tells whether a crawl may be called so on a screen.
func CheckPlanName(name string) error {
	if planName.MatchString(name) {
		return nil
	}
	return errors.New("a name has letters, digits, dashes and underscores, begins with a letter or digit, and has at most 64 of them")
}

// DefinitionsFile is the journal of the crawls of a collection that were planned on screens.
func DefinitionsFile(col *catalog.Collection) string {
	return filepath.Join(col.Dir(), "labels", "definitions.jsonl")
}

// Define adds a line to the journal of a collection; it is durable when Define returns.
func Define(col *catalog.Collection, d Defined) error {
	op := fmt.Sprintf("define crawl %q of %s", d.Name, col.Name)
	if err := CheckPlanName(d.Name); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
	}
	if d.Retired == (d.Crawl != nil) {
		return &varve.Error{Kind: varve.Invalid, Op: op, Msg: "want either a definition or that it is retired"}
	}
	if d.Crawl != nil && d.Crawl.SeedFile != "" {
		return &varve.Error{Kind: varve.Invalid, Op: op, Msg: "a seed file is for collection.toml: here the seeds stand in the definition"}
	}
	d.Version, d.At = DefinedVersion, d.At.UTC().Truncate(time.Millisecond)
	if err := journal.Append(DefinitionsFile(col), d); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: op, Err: err, Hint: "see that the archive can be written to"}
	}
	return nil
}

// ReadDefined gives the lines of the journal of a collection, oldest first. Lines that cannot be read are told
// of in the error, and the others are given all the same.
func ReadDefined(col *catalog.Collection) (list []Defined, err error) {
	err = journal.Each(DefinitionsFile(col), func(d Defined) error {
		if err := d.readable(); err != nil {
			return err
		}
		if d.Crawl != nil {
			d.Crawl.Name = d.Name
		}
		list = append(list, d)
		return nil
	})
	return list, err
}

func (d *Defined) readable() error {
	switch {
	case d.Version > DefinedVersion:
		return fmt.Errorf("crawl %q: version %d is not known, a newer Varve wrote it", d.Name, d.Version)
	case d.Name == "":
		return errors.New("a line without a name")
	case d.Retired == (d.Crawl != nil):
		return fmt.Errorf("crawl %q: neither a definition nor retired", d.Name)
	}
	return nil
}

// With adds the crawls that lines of the journal have in force. Those whose name stands in the plan already are
// hidden by it. The plan itself stays as it is.
func (p *Plan) With(lines []Defined) *Plan {
	out := *p
	out.Crawls, out.Defined, out.Hidden = map[string]Planned{}, map[string]Defined{}, map[string]Defined{}
	for name, c := range p.Crawls {
		out.Crawls[name] = c
	}
	last, revision := map[string]Defined{}, map[string]int{}
	for _, d := range lines {
		last[d.Name] = d
		revision[d.Name]++
	}
	for name, d := range last {
		switch _, there := p.Crawls[name]; {
		case d.Retired:
		case there:
			out.Hidden[name] = d
		default:
			c := *d.Crawl
			c.Revision = revision[name]
			out.Defined[name], out.Crawls[name] = d, c
		}
	}
	return &out
}

// Check tells what a run could not start with; loopback says that all seeds are on this machine.
func (d Definition) Check(loopback bool) error { return d.WithDefaults().check(loopback) }
