package warc

import (
	"time"
)

// Ref is what is known of a capture when the original of a revisit is looked for.
type Ref struct {
	RecordID string
	URI      string
	Key      string // index key of the URI (SURT)
	Date     time.Time
	Digest   string // payload digest as written
	File     string
	Offset   int64
	Inner    int64 // where several records share a member, bytes of it before the record
}

// Originals is where the originals of revisits are looked up. Each method gives captures that
// are not revisits themselves.
type Originals interface {
	// ByID finds the record with that WARC-Record-ID.
	ByID(id string) (Ref, bool)
	// ByURIDate finds the capture of a URI at an instant.
	ByURIDate(uri string, date time.Time) (Ref, bool)
	// ByKeyDigest finds the nearest capture at or before an instant with that key and payload.
	ByKeyDigest(key, digest string, at time.Time) (Ref, bool)
	// ByDigest finds any capture with that payload.
	ByDigest(digest string) (Ref, bool)
}

// Step tells how the original of a revisit was found.
type Step string

// The steps, in the order they are tried.
const (
	StepRecordID  Step = "record-id"  // WARC-Refers-To
	StepURIDate   Step = "uri-date"   // WARC-Refers-To-Target-URI and -Date
	StepKeyDigest Step = "key-digest" // same key and payload, nearest earlier
	StepDigest    Step = "digest"     // same payload, any URI
)

// Resolve finds the original of a revisit record. key is the index key of the record's URI. The
// status and headers of a replayed revisit are its own, the body is the original's.
//
// Order: the record named; the capture named by URI and date; the nearest earlier capture with
// the same key and payload digest; any capture with that digest.
func Resolve(rec *Record, key string, in Originals) (Ref, Step, bool) {
	h := rec.Header
	if id := h.Get(FieldRefersTo); id != "" {
		if ref, ok := in.ByID(id); ok {
			return ref, StepRecordID, true
		}
	}
	uri := trimURI(h.Get(FieldRefersToURI))
	if uri == "" {
		uri = rec.TargetURI() // many write only the date
	}
	if date, err := ParseDate(h.Get(FieldRefersToDate)); err == nil {
		if ref, ok := in.ByURIDate(uri, date); ok {
			return ref, StepURIDate, true
		}
	}
	digest := h.Get(FieldPayloadDigest)
	if digest == "" {
		return Ref{}, "", false
	}
	at, err := rec.Date()
	if err == nil {
		if ref, ok := in.ByKeyDigest(key, digest, at); ok {
			return ref, StepKeyDigest, true
		}
	}
	if ref, ok := in.ByDigest(digest); ok {
		return ref, StepDigest, true
	}
	return Ref{}, "", false
}

// IsNotModified tells revisits of the server-not-modified profile (304).
func IsNotModified(rec *Record) bool {
	p := rec.Header.Get(FieldProfile)
	return p == ProfileNotModified || p == profileNotModified10
}
