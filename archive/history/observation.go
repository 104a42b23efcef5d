package history

import (
	"fmt"
	"time"

	"varve"
	"varve/archive/warc"
)

// Digest is the sum of one layer of an answer.
type Digest struct {
	Name string // sha1 and sha256 of the payload; text, dom, links, ...
	Sum  string // raw bytes
}

// Payload reads a digest as WARC files write it: "sha1:BASE32", "sha256:hex" and their variants.
func Payload(s string) (Digest, error) {
	v, err := warc.ParseDigest(s)
	if err != nil {
		return Digest{}, fmt.Errorf("history: %w", err)
	}
	return Digest{Name: v.Algorithm, Sum: v.Sum}, nil
}

// String writes the digest as WARC files do.
func (d Digest) String() string { return warc.FormatDigest(d.Name, []byte(d.Sum)) }

// MarshalText writes the digest in JSON as WARC files do.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Reference names a WARC record: all that a revisit record must say of it, and where it lies.
type Reference struct {
	URI      string         `json:"uri"`
	Date     time.Time      `json:"date"` // WARC-Date, to the nanosecond
	ID       string         `json:"id"`   // WARC-Record-ID, with its angle brackets if it has them
	Location varve.Location `json:"location"`
}

// Place gives where the record lies, with what tells it from others in the same compressed member.
func (r Reference) Place() warc.Place {
	return warc.Place{Offset: r.Location.Offset, Inner: r.Location.Inner, ID: r.ID, URI: r.URI, Date: r.Date}
}

// IsZero tells whether the reference names nothing.
func (r Reference) IsZero() bool { return r.ID == "" && r.Location.File == "" && r.Date.IsZero() }

// before orders references by date, then by the rest, so that the first one is the same in
// whatever order they come.
func (r Reference) before(o Reference) bool {
	if c := r.Date.Compare(o.Date); c != 0 {
		return c < 0
	}
	if r.Location.File != o.Location.File {
		return r.Location.File < o.Location.File
	}
	if r.Location.Offset != o.Location.Offset {
		return r.Location.Offset < o.Location.Offset
	}
	return r.ID < o.ID
}

// Observation is one visit to a URL. All of it can be read from the WARC records of the visit.
type Observation struct {
	Key          string    // frontier key of the URL
	URL          string    // as requested: WARC-Target-URI; empty means the same as Key
	At           time.Time // of the visit: WARC-Date; visits are told apart by its milliseconds
	Status       int       // HTTP status
	MIME         string    // Content-Type without parameters
	Size         int64     // of the payload
	ETag         string    // as sent
	LastModified string    // as sent
	Digests      []Digest  // of the payload and its layers; of a revisit, the payload digest it states
	Record       Reference // the record of this visit
	Revisit      bool      // the record holds no payload: what Refers names does
	Refers       Reference // of Revisit: the original; zero keeps the one that is known
	NotModified  bool      // 304: every layer is as it was
	Truncated    bool      // the payload is not whole
}

// whole tells whether the visit got, or confirmed, the whole payload of a good answer.
func (o *Observation) whole() bool {
	return !o.Truncated && (o.NotModified || o.Status >= 200 && o.Status < 300)
}

// maxDigests bounds the digests of one visit.
const maxDigests = 64

func (o *Observation) check(maxBytes int) error {
	size := len(o.Key) + len(o.URL) + len(o.MIME) + len(o.ETag) + len(o.LastModified)
	for _, r := range []*Reference{&o.Record, &o.Refers} {
		size += len(r.URI) + len(r.ID) + len(r.Location.File)
	}
	for _, d := range o.Digests {
		size += len(d.Name) + len(d.Sum)
	}
	switch {
	case o.Key == "":
		return fmt.Errorf("history: observation of %.200q has no key", o.URL)
	case o.At.UnixMilli() <= 0:
		return fmt.Errorf("history: observation of %.200q is from %v, before there was a web", o.Key, o.At)
	case len(o.Digests) > maxDigests:
		return fmt.Errorf("history: observation of %.200q has %d digests; %d are allowed", o.Key, len(o.Digests), maxDigests)
	case size > maxBytes:
		return fmt.Errorf("history: observation of %.200q has %d bytes; %d are allowed", o.Key, size, maxBytes)
	}
	return nil
}
