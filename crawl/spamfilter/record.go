package spamfilter

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"varve/archive/durable"
)

// Record is what is kept of a host.
type Record struct {
	State     State
	Pages     int      // text pages in the sample, or that were in it
	Assessed  int      // of these, at the last assessment
	Spamicity float64  // at the last verdict, lowered by support; NaN: never assessed
	Content   float64  // what the assessor said of the sample; NaN: never assessed
	Why       string   // reasons of the verdict, or the ruling
	Sample    []byte   // of the assessor; nil when it is not needed any more
	Targets   []uint64 // hosts that it supports, at most MaxTargets
	Prior     Prior    // what an earlier crawl said of it that is not to be relied on
}

// NewRecord is that of a host of which nothing is known.
func NewRecord() *Record { return &Record{Spamicity: math.NaN(), Content: math.NaN()} }

// Support notes hosts that the host links, as far as there is room, and gives those that are new.
func (r *Record) Support(targets []uint64) (fresh []uint64) {
	for _, t := range targets {
		if len(r.Targets) < MaxTargets && !slices.Contains(r.Targets, t) {
			r.Targets = append(r.Targets[:len(r.Targets):len(r.Targets)], t)
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// maxWhy bounds the reasons that are kept.
const maxWhy = 500

// recordVersion is the first byte of a stored record. History: 1 the first; 2 has content and targets behind the rest; 3 the
// prior behind these.
const recordVersion = 3

// Append writes the record as it is stored.
func (r *Record) Append(b []byte) []byte {
	b = append(b, recordVersion, byte(r.State))
	b = binary.AppendUvarint(b, uint64(r.Pages))
	b = binary.AppendUvarint(b, uint64(r.Assessed))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(r.Spamicity))
	b = durable.AppendString(b, clip(r.Why))
	b = durable.AppendBytes(b, r.Sample)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(r.Content))
	b = binary.AppendUvarint(b, uint64(len(r.Targets)))
	for _, t := range r.Targets {
		b = binary.BigEndian.AppendUint64(b, t)
	}
	return append(b, byte(r.Prior))
}

// clip cuts reasons that are too long, at a character.
func clip(s string) string {
	if len(s) <= maxWhy {
		return s
	}
	return strings.ToValidUTF8(s[:maxWhy], "")
}

// Parse reads what Append wrote.
func Parse(b []byte) (*Record, error) {
	if len(b) == 0 || b[0] == 0 || b[0] > recordVersion {
		return nil, fmt.Errorf("record of a host: of another version")
	}
	version, d := b[0], durable.NewReader(b[1:])
	r := &Record{State: State(d.Byte())}
	r.Pages, r.Assessed = d.Int(), d.Int()
	r.Spamicity = math.Float64frombits(eight(&d))
	r.Why = d.String()
	if s := d.Bytes(); len(s) > 0 {
		r.Sample = s
	}
	r.Content = r.Spamicity
	if version > 1 {
		r.Content = math.Float64frombits(eight(&d))
		for range d.Upto(MaxTargets) {
			r.Targets = append(r.Targets, eight(&d))
		}
	}
	if version > 2 {
		r.Prior = Prior(d.Byte())
	}
	if err := d.Done("record of a host"); err != nil {
		return nil, err
	}
	if r.Prior >= priors {
		return nil, fmt.Errorf("record of a host: prior %d is unknown", r.Prior)
	}
	if r.State >= states {
		return nil, fmt.Errorf("record of a host: %s is unknown", r.State)
	}
	return r, nil
}

func eight(d *durable.Reader) (v uint64) {
	for range 8 {
		v = v<<8 | uint64(d.Byte())
	}
	return v
}

// Size is about what a record takes in memory.
func (r *Record) Size() int64 { return int64(160 + len(r.Why) + len(r.Sample) + 8*len(r.Targets)) }

// Reason says why a host is rejected, as it is recorded with its URLs.
func (r *Record) Reason() string {
	switch {
	case math.IsNaN(r.Spamicity):
		return "spam: " + r.Why
	case r.Why == "":
		return fmt.Sprintf("spam: %.2f", r.Spamicity)
	}
	return fmt.Sprintf("spam: %.2f, %s", r.Spamicity, r.Why)
}
