package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"varve/archive/warc"
)

// NoteField is the field that repair adds to records it had to change: what was changed and what
// the old values were. It is an extension, which the standard tells readers to ignore.
const NoteField = "Varve-Repair-Note"

// RepairOptions say how a file is mended.
type RepairOptions struct {
	Packing   warc.Packing
	FixURIs   bool      // take target URIs out of angle brackets, escape spaces in them
	ArcToWarc bool      // write ARC records as WARC records
	Random    io.Reader // for the ids of records made from ARC
	TempDir   string    // for blocks that do not fit in memory
	Progress  Progress
	OnMend    func(Mend)         // gets each record that was changed
	OnLoss    func(warc.Finding) // gets each finding of damage
}

// Mend is a record that was changed.
type Mend struct {
	Offset   int64  `json:"offset"` // in the old file
	RecordID string `json:"record,omitempty"`
	What     string `json:"what"`
}

// RepairReport tells what was kept, changed and lost.
type RepairReport struct {
	File      string `json:"file"`
	Records   int64  `json:"records"`   // written
	Unchanged int64  `json:"unchanged"` // of these, with header and block byte for byte as before
	Mended    int64  `json:"mended"`    // changed: shortened blocks, addresses
	Converted int64  `json:"converted"` // made from ARC
	Damage    int64  `json:"damage"`    // places where bytes were missing or broken
	Missing   int64  `json:"missing"`   // bytes of kept records that their headers promise and that are not there
	Digests   int64  `json:"digests"`   // records whose block is whole and whose digest does not fit: kept as they are
}

// ErrArc is returned for an ARC file if conversion was not asked for.
var ErrArc = errors.New("an ARC file cannot be repaired as ARC")

// repairer works on one file.
type repairer struct {
	in     *Input
	opts   RepairOptions
	out    io.Writer
	enc    *warc.Encoder
	block  spool
	report RepairReport

	damaged []warc.Finding // of the record being read
	wrong   bool           // its digests do not fit
	arcDate string         // of the ARC file
}

// Repair writes all readable records of an input to w, one member each. Headers stay byte for
// byte what they were, except in records whose blocks are not whole: these get the length they
// have, WARC-Truncated, a new block digest and a note; their payload digest is dropped, since it
// names bytes that are gone and revisits must not be led to what is left of them. Digests of
// whole blocks that do not fit are evidence, and stay. A record whose member had a wrong checksum
// is kept with a note.
func Repair(ctx context.Context, in *Input, opts RepairOptions, w io.Writer) (RepairReport, error) {
	enc, err := warc.NewEncoder(opts.Packing)
	if err != nil {
		return RepairReport{}, err
	}
	p := &repairer{in: in, opts: opts, out: w, enc: enc, block: spool{dir: opts.TempDir}}
	p.report.File = in.Name
	err = p.run(ctx)
	return p.report, errors.Join(err, p.block.close())
}

func (p *repairer) run(ctx context.Context) error {
	if b := p.enc.Preamble(); b != nil {
		if _, err := p.out.Write(b); err != nil {
			return err
		}
	}
	r, err := p.in.reader(warc.Options{Policy: warc.Lenient(), Verify: true, OnFinding: p.find})
	if err != nil {
		return err
	}
	defer r.Close()
	for ctx.Err() == nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			if p.report.Records == 0 {
				return ErrNoRecords
			}
			return nil
		}
		if err != nil {
			return err
		}
		p.opts.Progress.tell(p.in, rec.Offset)
		if err := p.one(rec); err != nil {
			return fmt.Errorf("record at %d: %w", rec.Offset, err)
		}
	}
	return ctx.Err()
}

func (p *repairer) find(f warc.Finding) {
	switch f.Class {
	case warc.Damage:
		p.report.Damage++
		p.damaged = append(p.damaged, f)
		if p.opts.OnLoss != nil {
			p.opts.OnLoss(f)
		}
	case warc.Digest:
		p.wrong = true
	}
}

// one reads a record to its end, so that all that is wrong with it is known, and writes it.
func (p *repairer) one(rec *warc.Record) error {
	p.damaged, p.wrong = p.damaged[:0], false
	if err := p.block.fill(rec.Block); err != nil {
		return err
	}
	if _, err := rec.Finish(); err != nil {
		return err
	}
	if isArc(rec) {
		return p.writeArc(rec)
	}
	raw, what, err := p.mend(rec)
	if err != nil {
		return err
	}
	if p.wrong && what == "" {
		p.report.Digests++
	}
	p.count(rec, what)
	return p.enc.Encode(p.out, &warc.Entry{Raw: raw, Block: &p.block})
}

func (p *repairer) count(rec *warc.Record, what string) {
	p.report.Records++
	if what == "" {
		p.report.Unchanged++
		return
	}
	p.report.Mended++
	if p.opts.OnMend != nil {
		p.opts.OnMend(Mend{Offset: rec.Offset, RecordID: rec.ID(), What: what})
	}
}

// mend gives the header to be written and says what was changed in it.
func (p *repairer) mend(rec *warc.Record) (raw, what string, err error) {
	h := parseRaw(rec.Raw)
	var notes []string
	if p.notWhole(rec) {
		note, err := p.shorten(h, rec)
		if err != nil {
			return "", "", err
		}
		notes = append(notes, note)
	}
	if p.has(rec, warc.RuleChecksum) { // the new member gets a right one, so this is the last trace
		notes = append(notes, "the checksum of the compressed member did not match: header or block may be wrong")
	}
	if p.opts.FixURIs {
		if old := rec.Header.Get(warc.FieldTargetURI); strings.ContainsAny(old, "<> \t") {
			h.set(warc.FieldTargetURI, spaceEscaper.Replace(rec.TargetURI()))
			notes = append(notes, fmt.Sprintf("WARC-Target-URI was %q", old))
		}
	}
	if len(notes) == 0 {
		return rec.Raw, "", nil
	}
	what = strings.Join(notes, "; ")
	h.add(NoteField, what)
	return h.String(), what, nil
}

var spaceEscaper = strings.NewReplacer(" ", "%20", "\t", "%09")

// notWhole tells a record whose block is not what it was: short, or of a wrong length.
func (p *repairer) notWhole(rec *warc.Record) bool {
	return p.block.Size() != rec.Length() || p.has(rec, warc.RuleWrongLength)
}

func (p *repairer) has(rec *warc.Record, rule warc.Rule) bool {
	return slices.ContainsFunc(p.damaged, func(f warc.Finding) bool { return f.Offset == rec.Offset && f.Rule == rule })
}

// shorten makes the header fit the bytes that are there.
func (p *repairer) shorten(h *rawHeader, rec *warc.Record) (string, error) {
	have := p.block.Size()
	p.report.Missing += rec.Length() - have
	note := fmt.Sprintf("the block is not whole: Content-Length was %d, %d bytes are here", rec.Length(), have)
	h.set(warc.FieldContentLength, strconv.FormatInt(have, 10))
	if !rec.Header.Has(warc.FieldTruncated) {
		h.add(warc.FieldTruncated, "unspecified")
	}
	if old, ok := rec.Header.Lookup(warc.FieldPayloadDigest); ok && rec.Type() != warc.TypeRevisit {
		h.del(warc.FieldPayloadDigest)
		note += "; WARC-Payload-Digest dropped, was " + old
	}
	if old, ok := rec.Header.Lookup(warc.FieldBlockDigest); ok {
		sums, err := warc.Sum(&p.block, 0, false)
		if err != nil {
			return "", err
		}
		h.set(warc.FieldBlockDigest, sums.Block)
		note += "; WARC-Block-Digest recomputed, was " + old
	}
	return note, nil
}
