package spamfilter

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"varve/archive/durable"
)

// Record is what is kept of a host.
type Record struct {
	State     State
	Pages     int     // text pages in the sample, or that were in it
	Assessed  int     // of these, at the last assessment
	Spamicity float64 // at the last assessment; NaN: never assessed
	Why       string  // reasons of the verdict, or the ruling
	Sample    []byte  // of the assessor; nil when it is not needed any more
}

// NewRecord is that of a host of which nothing is known.
func NewRecord() *Record { return &Record{Spamicity: math.NaN()} }

// maxWhy bounds the reasons that are kept.
const maxWhy = 500

// recordVersion is the first byte of a stored record.
const recordVersion = 1

// Append writes the record as it is stored.
func (r *Record) Append(b []byte) []byte {
	b = append(b, recordVersion, byte(r.State))
	b = binary.AppendUvarint(b, uint64(r.Pages))
	b = binary.AppendUvarint(b, uint64(r.Assessed))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(r.Spamicity))
	b = durable.AppendString(b, clip(r.Why))
	return durable.AppendBytes(b, r.Sample)
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
	if len(b) == 0 || b[0] != recordVersion {
		return nil, fmt.Errorf("record of a host: of another version")
	}
	d := durable.NewReader(b[1:])
	r := &Record{State: State(d.Byte())}
	r.Pages, r.Assessed = d.Int(), d.Int()
	var bits uint64
	for range 8 {
		bits = bits<<8 | uint64(d.Byte())
	}
	r.Spamicity = math.Float64frombits(bits)
	r.Why = d.String()
	if s := d.Bytes(); len(s) > 0 {
		r.Sample = s
	}
	if err := d.Done("record of a host"); err != nil {
		return nil, err
	}
	if r.State >= states {
		return nil, fmt.Errorf("record of a host: %s is unknown", r.State)
	}
	return r, nil
}

// Size is about what a record takes in memory.
func (r *Record) Size() int64 { return int64(128 + len(r.Why) + len(r.Sample)) }

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
