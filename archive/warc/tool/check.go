package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"varve/archive/warc"
)

// CheckOptions say what to check and whom to tell.
type CheckOptions struct {
	Workers   int                // for one file; 1 if 0
	Ignore    []warc.Class       // classes that do not count
	OnFinding func(warc.Finding) // gets every finding, file by file
	Progress  Progress           // nil for nobody
}

// FileCheck is what was found out about one file.
type FileCheck struct {
	File     string               `json:"file"`
	Packing  warc.Compression     `json:"packing"`
	Versions []string             `json:"versions"` // in the order met
	Records  int64                `json:"records"`
	Captures int64                `json:"captures"`
	Findings map[warc.Class]int64 `json:"findings"`
	// Segmented says that the file has segments of long records: Checker.Finish may find more in it.
	Segmented bool `json:"-"`
	// NotCompared is the number of record ids beyond MaxIDs, which were not held against others.
	NotCompared int64 `json:"ids_not_compared,omitempty"`

	input int // number of the file in its checker
}

// Total gives the number of findings of all classes but advice: the file is valid if it is 0.
func (c *FileCheck) Total() int64 {
	var n int64
	for class, k := range c.Findings {
		if class != warc.Advice {
			n += k
		}
	}
	return n
}

// ErrNoRecords is returned for a file in which no record could be found: it is not WARC or ARC.
var ErrNoRecords = errors.New("no WARC or ARC record in it")

// Checker checks files one after the other; Finish tells what shows only when all were seen.
type Checker struct {
	opts   CheckOptions
	ignore map[warc.Class]bool
	series seriesSet
	names  []string
	ids    int // limit, smaller in tests
}

// NewChecker makes a checker.
func NewChecker(opts CheckOptions) *Checker {
	c := &Checker{opts: opts, ignore: map[warc.Class]bool{}, ids: MaxIDs}
	for _, class := range opts.Ignore {
		c.ignore[class] = true
	}
	return c
}

// checked is what the checker keeps of a record until it is in order.
type checked struct {
	at      int64
	id      uint64
	text    string // the id itself
	version string
	capture bool
	origin  string
	part    part
}

// File checks one file. The error is ErrNoRecords or that of a failing disk; findings are no error.
func (c *Checker) File(ctx context.Context, in *Input) (FileCheck, error) {
	input := len(c.names)
	sum := FileCheck{File: in.Name, Findings: map[warc.Class]int64{}, input: input}
	tell := c.teller(&sum)
	ids := &idTable{limit: c.ids}
	c.names = append(c.names, in.Name)
	opts := warc.Options{Policy: c.policy(), Verify: true, OnFinding: tell}
	each := func(rec *warc.Record) (checked, error) {
		k := checked{at: rec.Offset, version: rec.Version, capture: isCapture(rec.Type()), text: rec.ID()}
		k.id = hashID(k.text)
		if origin, p, ok := partOf(rec, input); ok {
			k.origin, k.part = origin, p
		}
		_, err := rec.Finish()
		return k, err
	}
	var err error
	sum.Packing, err = walk(ctx, in, opts, c.opts.Workers, c.opts.Progress, each, func(k checked) error {
		c.count(&sum, k)
		if k.text != "" {
			c.compareID(in, ids, k, tell)
		}
		return nil
	})
	sum.NotCompared = ids.over
	if err != nil {
		return sum, err
	}
	if sum.Records == 0 && sum.Findings[warc.Syntax] == 0 { // a header without a length is a record, though it is passed over
		return sum, ErrNoRecords
	}
	checkName(in.Name, sum, tell)
	return sum, nil
}

func (c *Checker) count(sum *FileCheck, k checked) {
	sum.Records++
	if k.capture {
		sum.Captures++
	}
	if !slices.Contains(sum.Versions, k.version) && len(sum.Versions) < 8 {
		sum.Versions = append(sum.Versions, k.version)
	}
	if k.origin != "" {
		sum.Segmented = true
		c.series.add(k.origin, k.part)
	}
}

// Finish tells what is wrong with segmented records, whose parts may lie in several files. It adds its
// findings to the sums of the files they are in.
func (c *Checker) Finish(sums []FileCheck) {
	for _, f := range c.series.flaws() {
		finding := warc.Finding{
			File: c.names[f.at.input], Offset: f.at.offset, RecordID: f.origin,
			Class: f.class, Rule: f.rule, Clause: f.rule.Clause(), Message: f.what,
		}
		if c.ignore[f.class] || c.ignore[warc.Spec] {
			continue
		}
		for i := range sums {
			if sums[i].input == f.at.input {
				sums[i].Findings[f.class]++
			}
		}
		c.opts.tell(finding)
	}
}

func (o *CheckOptions) tell(f warc.Finding) {
	if o.OnFinding != nil {
		o.OnFinding(f)
	}
}

func (c *Checker) teller(sum *FileCheck) func(warc.Finding) {
	return func(f warc.Finding) {
		if c.ignore[f.Class] {
			return
		}
		sum.Findings[f.Class]++
		c.opts.tell(f)
	}
}

// policy reports everything but the ignored classes, which then cost nothing.
func (c *Checker) policy() warc.Policy {
	p := warc.Lenient()
	for class, action := range map[warc.Class]*warc.Action{
		warc.Syntax: &p.Syntax, warc.Spec: &p.Spec, warc.Digest: &p.Digest, warc.Framing: &p.Framing, warc.Damage: &p.Damage,
	} {
		if c.ignore[class] {
			*action = warc.Ignore
		}
	}
	return p
}

// compareID tells an id that an earlier record of the file has, too.
func (c *Checker) compareID(in *Input, ids *idTable, k checked, tell func(warc.Finding)) {
	first, hit := ids.seen(k.id, k.at)
	if !hit || c.ignore[warc.Spec] {
		return
	}
	same, sure := hasID(in, first, k.text)
	if !same {
		return
	}
	msg := fmt.Sprintf("the record at %d has the same WARC-Record-ID", first)
	if !sure {
		msg += " (by its 64-bit hash: a stream cannot be read again)"
	}
	tell(warc.Finding{File: in.Name, Offset: k.at, RecordID: k.text, Class: warc.Spec, Rule: warc.RuleDuplicateID, Clause: warc.RuleDuplicateID.Clause(), Message: msg})
}

// hasID reads the records of the member at an offset again and looks for an id.
func hasID(in *Input, offset int64, id string) (same, sure bool) {
	if in.File == nil {
		return true, false
	}
	r, err := in.File.ReaderAt(offset, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return false, true
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) || err != nil || rec.Offset != offset {
			return false, true
		}
		if rec.ID() == id {
			return true, true
		}
	}
}

// checkName holds the end of the name against the packing.
func checkName(name string, sum FileCheck, tell func(warc.Finding)) {
	base := strings.TrimSuffix(filepath.Base(name), warc.OpenSuffix)
	says := warc.Compression("")
	switch ext := filepath.Ext(base); ext {
	case ".gz":
		says = warc.Gzip
	case ".zst":
		says = warc.Zstd
	case ".warc", ".arc":
		says = warc.Plain
	}
	if says != "" && says != sum.Packing {
		tell(warc.Finding{
			File: name, Class: warc.Advice, Rule: warc.RuleFileName, Clause: warc.RuleFileName.Clause(),
			Message: fmt.Sprintf("the name ends like that of a file packed with %s, the bytes are packed with %s", says, sum.Packing),
		})
	}
}
