package wacz

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"varve/archive/warc"
)

// CheckOptions say how far a check goes. Names, manifest, sizes, hashes, page lists, index lines and
// the signature are always checked.
type CheckOptions struct {
	// Records is how many captures are looked up through the index: 0 for 1000, spread over it;
	// negative for all.
	Records int
	// Deep reads the WARC files record by record: their own findings, and captures that the index
	// does not have.
	Deep bool
	// NoHashes leaves out the hashes of archive/, which cost most of the time.
	NoHashes bool

	Trust     Trust
	Workers   int    // that read at once; 1 if 0
	Dir       string // for temporary files of Deep; the system's place if empty
	OnFinding func(Finding)
}

// Report is what a check found.
type Report struct {
	File      string               `json:"file"`
	Profile   string               `json:"profile"`
	Version   string               `json:"version"`
	Title     string               `json:"title,omitempty"`
	Entries   int                  `json:"entries"`
	WARCs     int                  `json:"warcs"`
	Captures  int64                `json:"captures"`        // lines of the index
	Looked    int64                `json:"recordsLookedUp"` // of which were followed to the record
	Pages     int64                `json:"pages"`           // in all page lists
	Extras    []string             `json:"extras,omitempty"`
	Notes     []string             `json:"notes,omitempty"` // not wrong, but to be known
	Signature *Signature           `json:"signature,omitempty"`
	Counts    map[warc.Class]int64 `json:"counts,omitempty"`
	Findings  []Finding            `json:"findings,omitempty"` // the first ones; Counts has all
	Members   []*Report            `json:"members,omitempty"`  // of packages in a package
}

// Total returns the number of findings, with those of packages within. Advice is none: the package is valid.
func (r *Report) Total() int64 {
	var n int64
	for class, c := range r.Counts {
		if class != warc.Advice {
			n += c
		}
	}
	for _, m := range r.Members {
		n += m.Total()
	}
	return n
}

// checker is one check of one package.
type checker struct {
	p        *Package
	opts     CheckOptions
	rep      *Report
	manifest *Manifest
	text     []byte // of the manifest
	depth    int
}

// Check tells what is wrong with a package. The error is for checks that could not be done: a
// stopped context, a failing disk for temporary files.
func Check(ctx context.Context, p *Package, opts CheckOptions) (*Report, error) {
	return check(ctx, p, opts, 0)
}

func check(ctx context.Context, p *Package, opts CheckOptions, depth int) (*Report, error) {
	c := &checker{p: p, opts: opts, depth: depth, rep: &Report{File: p.name, Entries: len(p.files), Counts: map[warc.Class]int64{}}}
	c.readManifest()
	c.entries()
	steps := []func(context.Context) error{c.resources, c.digestFile, c.pageLists, c.indexes, c.deep}
	if c.manifest != nil && c.manifest.IsMulti() {
		steps = []func(context.Context) error{c.resources, c.digestFile, c.members}
	} else {
		c.parts()
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return c.rep, fmt.Errorf("check %s: %w", p.name, err)
		}
		if err := ctx.Err(); err != nil {
			return c.rep, err
		}
	}
	return c.rep, nil
}

func (c *checker) find(class warc.Class, rule Rule, path string, line int64, format string, args ...any) {
	f := Finding{File: c.p.name, Path: path, Line: line, Class: class, Rule: rule, Message: fmt.Sprintf(format, args...)}
	c.rep.Counts[class]++
	if len(c.rep.Findings) < c.p.limits.Findings {
		c.rep.Findings = append(c.rep.Findings, f)
	}
	if c.opts.OnFinding != nil {
		c.opts.OnFinding(f)
	}
}

func (c *checker) note(format string, args ...any) {
	c.rep.Notes = append(c.rep.Notes, fmt.Sprintf(format, args...))
}

// parts tells which of the files that every package has are not there.
func (c *checker) parts() {
	has := func(ok func(string) bool) bool {
		return slices.ContainsFunc(c.p.files, func(f *zipFile) bool { return ok(f.Name) })
	}
	if c.rep.WARCs = len(c.p.WARCs()); c.rep.WARCs == 0 {
		c.find(warc.Spec, RuleMissingPart, "archive/", 0, "no WARC file")
	}
	if !has(isIndex) {
		c.find(warc.Spec, RuleMissingPart, indexDir, 0, "no index")
	}
	if c.p.byPath[PagesPath] == nil {
		c.find(warc.Spec, RuleMissingPart, PagesPath, 0, "no list of pages")
	}
	if has(func(n string) bool { return strings.HasPrefix(n, indexDir) && strings.HasSuffix(n, ".cdxj") }) {
		c.note("an index named .cdxj: some replay tools look for .cdx and .cdx.gz only")
	}
}
