package tool

import (
	"context"
	"hash/maphash"
	"strconv"
	"time"

	"varve/archive/warc"
	"varve/web/canon"
)

// survey is a first look at files before records are put together from several places: which
// originals the revisits want, and where the segments of long records lie. Only wanted originals
// are then remembered, so memory grows with revisits, not with captures.
type survey struct {
	inputs   []*Input
	workers  int
	progress Progress

	wanted   map[uint64]struct{} // hashes of ids, of URI and second, and of digests
	revisits int64
	series   seriesSet
}

// surveyed is what the survey keeps of a record.
type surveyed struct {
	wants  []uint64
	origin string
	part   part
}

// look reads the headers of all inputs.
func (s *survey) look(ctx context.Context) error {
	s.wanted = map[uint64]struct{}{}
	for i, in := range s.inputs {
		each := func(rec *warc.Record) (surveyed, error) {
			var v surveyed
			if rec.Type() == warc.TypeRevisit {
				v.wants = wants(rec)
			}
			if origin, p, ok := partOf(rec, i); ok {
				v.origin, v.part = origin, p
			}
			return v, nil
		}
		_, err := walk(ctx, in, warc.Options{Policy: warc.Silent()}, s.workers, s.progress, each, s.note)
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *survey) note(v surveyed) error {
	if v.wants != nil {
		s.revisits++
		for _, h := range v.wants {
			s.wanted[h] = struct{}{}
		}
	}
	if v.origin != "" {
		s.series.add(v.origin, v.part)
	}
	return nil
}

// originals reads the headers again and keeps the captures that revisits want.
func (s *survey) originals(ctx context.Context) (*warc.MemoryOriginals, error) {
	out := warc.NewMemoryOriginals()
	if s.revisits == 0 {
		return out, nil
	}
	each := func(rec *warc.Record) (warc.Ref, error) {
		if t := rec.Type(); !isCapture(t) || t == warc.TypeRevisit {
			return warc.Ref{}, nil
		}
		if ref := refOf(rec); s.wantsRef(ref) {
			ref.Key = canon.SURT(ref.URI)
			return ref, nil
		}
		return warc.Ref{}, nil
	}
	for _, in := range s.inputs {
		_, err := walk(ctx, in, warc.Options{Policy: warc.Silent()}, s.workers, s.progress, each, func(ref warc.Ref) error {
			if ref.File != "" {
				out.Add(ref)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// refOf gives what revisits may name of a capture; its Key is left out.
func refOf(rec *warc.Record) warc.Ref {
	date, _ := rec.Date() // none: then it is not found by date
	return warc.Ref{
		RecordID: rec.ID(), URI: rec.TargetURI(), Date: date,
		Digest: rec.Header.Get(warc.FieldPayloadDigest), File: rec.File, Offset: rec.Offset, Inner: rec.Inner,
	}
}

func (s *survey) wantsRef(ref warc.Ref) bool {
	for _, h := range [...]uint64{hashID(ref.RecordID), hashURIDate(ref.URI, ref.Date), hashDigest(ref.Digest)} {
		if _, ok := s.wanted[h]; ok {
			return true
		}
	}
	return false
}

// wants gives the hashes under which warc.Resolve would look for the original of a revisit.
func wants(rec *warc.Record) []uint64 {
	h := rec.Header
	out := []uint64{hashID(h.Get(warc.FieldRefersTo)), hashDigest(h.Get(warc.FieldPayloadDigest))}
	if date, err := warc.ParseDate(h.Get(warc.FieldRefersToDate)); err == nil {
		uri := bareID(h.Get(warc.FieldRefersToURI))
		if uri == "" {
			uri = rec.TargetURI()
		}
		out = append(out, hashURIDate(uri, date))
	}
	return out
}

func hashURIDate(uri string, date time.Time) uint64 {
	return maphash.String(idSeed, strconv.FormatInt(date.Unix(), 10)+" "+uri)
}

// hashDigest is the same for all spellings of a digest.
func hashDigest(s string) uint64 {
	if d, err := warc.ParseDigest(s); err == nil {
		s = d.Algorithm + ":" + d.Sum
	}
	return maphash.String(idSeed, s)
}
