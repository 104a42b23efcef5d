package survey

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"varve/spam/content"
)

// Kinds of visits.
const (
	kindPage    = "page"    // with text
	kindOther   = "other"   // another document, a redirect, an error
	kindRobots  = "robots"  // the robots.txt
	kindRevisit = "revisit" // the same as before
)

// Visit is a row of spam_visits: what was measured on one capture. Rows are ordered by host, page and time.
type Visit struct {
	Host     string    `parquet:"host,dict,zstd" json:"-"`
	Key      uint64    `parquet:"key" json:"k"` // hash of the SURT
	URL      string    `parquet:"url,zstd" json:"u"`
	Time     time.Time `parquet:"time,timestamp(microsecond)" json:"t"`
	Crawl    string    `parquet:"crawl,dict" json:"c,omitempty"`
	Kind     string    `parquet:"kind,dict" json:"d"`
	Status   int32     `parquet:"status" json:"s,omitempty"`
	MIME     string    `parquet:"mime,dict" json:"m,omitempty"`
	Digest   string    `parquet:"digest,zstd" json:"g,omitempty"`
	Address  string    `parquet:"address,dict,zstd" json:"a,omitempty"` // IP address of the server
	Agent    string    `parquet:"agent,dict,zstd" json:"ua,omitempty"`
	Language string    `parquet:"language,dict" json:"l,omitempty"`
	Features []byte    `parquet:"features,zstd" json:"f,omitempty"` // 8 bytes each, in the order of content.Definitions
	Words    []byte    `parquet:"words,zstd" json:"w,omitempty"`    // terms.Hashed
	Sample   string    `parquet:"sample,zstd" json:"x,omitempty"`   // beginning of the text
	Text     uint64    `parquet:"text" json:"tx,omitempty"`         // terms.Bag.Sum
	Title    uint64    `parquet:"title" json:"ti,omitempty"`        // hash of the title
	Modified int64     `parquet:"modified" json:"lm,omitempty"`     // Last-Modified, seconds since 1970; 0 is unknown
	Hosts    []string  `parquet:"hosts,zstd" json:"h,omitempty"`    // that it links to
	Targets  []uint64  `parquet:"targets,zstd" json:"o,omitempty"`  // keys of pages that it links to
	Rules    int32     `parquet:"robots_rules" json:"r,omitempty"`
	Closed   bool      `parquet:"robots_closed" json:"rc,omitempty"`
}

// pack writes features.
func pack(f *content.Features) []byte {
	b := make([]byte, 0, 8*len(f))
	for _, v := range f {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// features reads what pack wrote.
func (v *Visit) features() (f content.Features, err error) {
	if len(v.Features) != 8*len(f) {
		return f, errors.New("the features of a page are of another version: delete spam_visits.parquet")
	}
	for i := range f {
		f[i] = math.Float64frombits(binary.LittleEndian.Uint64(v.Features[8*i:]))
	}
	return f, nil
}

func (v *Visit) trace() content.Trace {
	t := content.Trace{URL: v.URL, Text: v.Text, Title: v.Title, Hosts: v.Hosts, Fetched: v.Time}
	if v.Modified != 0 {
		t.Modified = time.Unix(v.Modified, 0)
	}
	return t
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
