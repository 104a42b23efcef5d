package varve

import "time"

// Span is a half-open stretch of time, [From, To). A zero To means "still open".
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

// Contains tells whether the instant t lies in the span.
func (s Span) Contains(t time.Time) bool {
	return !t.Before(s.From) && (s.To.IsZero() || t.Before(s.To))
}

// Intersects tells whether two spans share an instant.
func (s Span) Intersects(o Span) bool {
	return (s.To.IsZero() || o.From.Before(s.To)) && (o.To.IsZero() || s.From.Before(o.To))
}

// Location is where a record lies: a WARC file and the place of its (compressed) bytes in it.
type Location struct {
	File   string `json:"filename"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Inner  int64  `json:"inner,omitempty"` // where several records share a compressed member, unpacked bytes of it before the record
}

// Capture is one recorded answer to one request.
type Capture struct {
	URL    string    `json:"url"`
	Time   time.Time `json:"time"` // to the second, by which it is named
	Within string    `json:"-"`    // digits behind that second, where they are known: "25" is a quarter of it
	Status int       `json:"status"`
	MIME   string    `json:"mime"`
	Digest string    `json:"digest"` // payload digest, "sha1:BASE32"
	Location
}
