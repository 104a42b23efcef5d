package tool

import (
	"context"
	"strconv"
	"strings"

	"varve/archive/warc"
	"varve/web/wire"
)

// StatOptions say how to count.
type StatOptions struct {
	Workers  int
	Largest  int // how many of the largest records to name
	Progress Progress
}

// Stat is what a set of files holds.
type Stat struct {
	Files    int          `json:"files"`
	Total    Sum          `json:"total"`
	Types    Tally        `json:"types"`
	Statuses Tally        `json:"statuses"`
	MIMEs    Tally        `json:"mimes"`
	Hosts    Tally        `json:"hosts"`
	Years    Tally        `json:"years"`
	Months   Tally        `json:"months"`
	Revisits RevisitStat  `json:"revisits"`
	Largest  []Big        `json:"largest"`
	Findings int64        `json:"findings"` // of damage: what could not be counted
	opts     *StatOptions // nil in copies
	top      top
}

// RevisitStat tells what revisits saved. Sizes are those that the servers announced in the heads
// of the revisits; where they announced none, the saving is not known and not guessed.
type RevisitStat struct {
	Records int64 `json:"records"`
	Sized   int64 `json:"sized"` // of Records, with a size announced
	Saved   int64 `json:"saved"` // bytes of payload of the sized ones
}

// Ratio gives unpacked bytes per packed byte; 0 if nothing is packed.
func (s *Sum) Ratio() float64 {
	if s.Packed == 0 {
		return 0
	}
	return float64(s.Raw) / float64(s.Packed)
}

// NewStat starts a count.
func NewStat(opts StatOptions) *Stat {
	return &Stat{opts: &opts, top: top{n: opts.Largest}}
}

// counted is what is counted of one record.
type counted struct {
	sum    Sum
	big    Big
	status string
	mime   string
	host   string
	month  string
	saved  int64 // of a revisit; -1 if not known
}

// Add counts one file.
func (s *Stat) Add(ctx context.Context, in *Input) error {
	opts := warc.Options{Policy: warc.Lenient(), OnFinding: func(f warc.Finding) {
		if f.Class == warc.Damage {
			s.Findings++
		}
	}}
	before, packed := s.Total.Records, s.Total.Packed
	_, err := walk(ctx, in, opts, s.opts.Workers, s.opts.Progress, countRecord, func(c counted) error {
		s.count(in, c)
		return nil
	})
	if err != nil {
		return err
	}
	if s.Total.Records == before {
		return ErrNoRecords
	}
	if in.File != nil {
		s.Total.Packed = packed + in.Size() // records that share members have no packed size of their own
	}
	s.Files++
	s.Largest = s.top.sorted()
	return nil
}

func (s *Stat) count(in *Input, c counted) {
	s.Total.add(c.sum)
	s.Types.add(c.big.Type, c.sum)
	c.big.File = in.Name
	s.top.add(c.big)
	s.Statuses.addKnown(c.status, c.sum)
	s.MIMEs.addKnown(c.mime, c.sum)
	s.Hosts.addKnown(c.host, c.sum)
	s.Months.addKnown(c.month, c.sum)
	s.Years.addKnown(c.month[:min(4, len(c.month))], c.sum)
	if c.big.Type == warc.TypeRevisit {
		s.Revisits.Records++
		if c.saved >= 0 {
			s.Revisits.Sized++
			s.Revisits.Saved += c.saved
		}
	}
}

// countRecord looks at one record; it runs on several cores.
func countRecord(rec *warc.Record) (counted, error) {
	c := counted{saved: -1, big: Big{Bytes: rec.Length(), Type: rec.Type(), URL: rec.TargetURI(), Offset: rec.Offset}}
	if isCapture(c.big.Type) {
		c.host = hostOf(c.big.URL)
		if t, err := rec.Date(); err == nil {
			c.month = t.Format("2006-01")
		}
		c.look(rec)
	}
	size, err := rec.Finish()
	c.sum = Sum{Records: 1, Raw: int64(len(rec.Raw)) + rec.Length() + recordEndSize(rec), Packed: size}
	return c, err
}

func recordEndSize(rec *warc.Record) int64 {
	if isArc(rec) {
		return 1
	}
	return 4
}

// look takes status, type and announced size from the HTTP head, or the type from the record.
func (c *counted) look(rec *warc.Record) {
	if !rec.IsHTTP() {
		c.mime = shorten(wire.MediaType(rec.Header.Get(warc.FieldContentType)), 80)
		return
	}
	h, err := rec.HTTP()
	if err != nil || !h.IsResponse() {
		return
	}
	c.status = strconv.Itoa(h.Status)
	c.mime = shorten(h.MediaType(), 80)
	if n, err := strconv.ParseInt(h.Header.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		c.saved = n
	}
}

// hostOf gives the host of a web address in lower case, without user and port; "" for others.
func hostOf(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		rest = rest[:i]
	}
	return strings.ToLower(shorten(rest, 253))
}

// shorten cuts hostile names.
func shorten(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
