package crawl

import (
	"time"

	"varve/archive/warc"
	"varve/crawl/fetch"
)

// Known is what a collection knows of a URL from earlier captures.
type Known struct {
	ETag, LastModified string
	Original           warc.Ref // the last capture with a body
	Page               bool     // it was an HTML page with status 2xx
}

// Observation is what a visit taught about a URL.
type Observation struct {
	Key, URL     string
	At           time.Time
	Status       int
	MIME         string
	Size         int64
	ETag         string
	LastModified string
	Digest       string // sha1 of the payload
	Strong       string // sha256 of the payload
	Original     warc.Ref
	Revisit      bool
	Page         bool
}

// History is the memory of a collection. The engine reads it before a fetch and writes to it when
// the records are durable.
type History interface {
	// Lookup gives what is known of a frontier key.
	Lookup(key string) (Known, bool, error)
	// ByDigest gives the first capture with that payload.
	ByDigest(digest string) (warc.Ref, bool, error)
	// Record keeps observations; it returns when they are durable.
	Record(observations []Observation) error
}

// minDedup is the payload size from which a revisit record is smaller than the payload.
const minDedup = 512

// askConditionally makes a request conditional if the collection has an earlier answer.
func (r *Run) askConditionally(req *fetch.Request, v *visit) {
	if r.history == nil {
		return
	}
	known, ok, err := r.history.Lookup(v.item.Key)
	if err != nil || !ok {
		return // without memory the answer is fetched whole
	}
	v.known = &known
	req.ETag, req.LastModified = known.ETag, known.LastModified
}

// original tells whether the collection has the payload already: then the profile of the revisit
// is not empty.
func (r *Run) original(v *visit, x *fetch.Exchange) (warc.Ref, string) {
	if v.status == 304 && v.known != nil {
		return v.known.Original, warc.ProfileNotModified
	}
	if r.history == nil || x.PayloadSize < minDedup || x.Truncated != "" || v.status != 200 {
		return warc.Ref{}, ""
	}
	ref, ok, err := r.history.ByDigest(v.digest)
	if err != nil || !ok {
		return warc.Ref{}, ""
	}
	return ref, warc.ProfileIdentical
}

// remember tells the history what a group of visits found. Their records are durable.
func (r *Run) remember(group []*visit) error {
	var list []Observation
	for _, v := range group {
		if !v.queued() || !v.answered() || v.where.File == "" {
			continue
		}
		list = append(list, Observation{
			Key: v.item.Key, URL: v.url.String(), At: v.fetched, Status: v.status, MIME: v.mime, Size: v.size,
			ETag: v.validators[0], LastModified: v.validators[1], Digest: v.digest, Strong: v.strong,
			Original: warc.Ref{RecordID: v.recordID, URI: v.url.String(), Date: v.fetched, Digest: v.digest, File: v.where.File, Offset: v.where.Offset},
			Revisit:  v.revisit, Page: v.isPage(),
		})
	}
	if len(list) == 0 {
		return nil
	}
	return r.history.Record(list)
}
