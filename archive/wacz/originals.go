package wacz

import (
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/web/canon"
)

// Originals looks the originals of revisits up in the index of a package, for warc.Resolve. An
// index knows neither record ids nor digests without a key, so only two of the four ways work:
// by address and date, and by key and digest. A package is to be complete in itself; what it does
// not find lies in another one.
func (p *Package) Originals() warc.Originals { return originals{p} }

type originals struct{ p *Package }

var _ warc.Originals = originals{}

// ByID finds nothing: the index has no record ids.
func (originals) ByID(string) (warc.Ref, bool) { return warc.Ref{}, false }

// ByDigest finds nothing: the index is sorted by key.
func (originals) ByDigest(string) (warc.Ref, bool) { return warc.Ref{}, false }

// ByURIDate finds the capture of a URI at an instant, to the second.
func (o originals) ByURIDate(uri string, date time.Time) (warc.Ref, bool) {
	at := canon.SURT(uri) + " " + cdxj.Timestamp(date)
	for r, err := range o.p.Range(at, at+"~") {
		if err == nil && r.URL == uri && !r.IsRevisit() {
			return ref(r), true
		}
	}
	return warc.Ref{}, false
}

// ByKeyDigest finds the nearest capture at or before an instant with that key and payload.
func (o originals) ByKeyDigest(key, digest string, at time.Time) (found warc.Ref, ok bool) {
	for r, err := range o.p.Range(key+" ", key+" "+cdxj.Timestamp(at)+"~") {
		if err == nil && !r.IsRevisit() && cdxj.SameDigest(r.Digest, digest) {
			found, ok = ref(r), true
		}
	}
	return found, ok
}

func ref(r cdxj.Record) warc.Ref {
	date, _ := r.Time() // the zero time says that it is not known
	return warc.Ref{URI: r.URL, Key: r.Key, Date: date, Digest: r.Digest, File: r.Filename, Offset: r.Offset, Inner: r.Inner()}
}
