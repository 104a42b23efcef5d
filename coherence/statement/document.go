package statement

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"time"

	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/text/layer"
)

// Format names the document and its version.
const Format = "varve-coherence-statement/1"

// Subject says what a statement is about.
type Subject struct {
	Collection string `json:"collection,omitempty"`
	Crawl      string `json:"crawl,omitempty"` // empty: all captures of the files
}

// Clock is how far the crawler's clock was from those of the servers.
type Clock struct {
	Offset  float64 `json:"offset"`  // seconds, server minus crawler, median
	Samples int64   `json:"samples"` // answers with a Date
}

// Reference is the instant that the capture stands for, and its frame.
type Reference struct {
	Time    time.Time       `json:"time"`
	Start   time.Time       `json:"start"`
	Visited time.Time       `json:"visited"`
	End     time.Time       `json:"end"`
	Groups  []*GroupInstant `json:"groups,omitempty"` // where there are several
}

// GroupInstant is the reference point of a group.
type GroupInstant struct {
	Group string    `json:"group"`
	Time  time.Time `json:"time"`
	Pages int       `json:"pages"`
}

// Metrics are the figures of the capture.
type Metrics struct {
	Pages      int64                       `json:"pages"`
	Revisited  int64                       `json:"revisited"`
	Absent     int64                       `json:"absent"`
	Layers     report.Layers               `json:"layers"`
	Rescued    map[layer.Name]int64        `json:"rescued"`
	Measurable report.Share                `json:"measurable"`
	Inducible  map[layer.Name]report.Share `json:"inducible"`
	Observable report.Observed             `json:"observable"`
	Composite  *Composites                 `json:"composite,omitempty"` // nil in statements of before 2026-11-16
}

// Composites counts the pages that stood together with their parts at some instant, by verdict.
type Composites struct {
	Pages    int64 `json:"pages"`
	Parts    int64 `json:"parts"`
	Coherent int64 `json:"coherent"`
	Possible int64 `json:"possible"`
	Unknown  int64 `json:"unknown"`
	Violated int64 `json:"violated"`
}

func metricsOf(r *report.Report) Metrics {
	k := r.Composite
	return Metrics{
		Pages: r.Pages, Revisited: r.Revisited, Absent: r.Absent, Layers: r.Layers, Rescued: r.Rescued,
		Measurable: r.Measurable, Inducible: r.Inducible, Observable: r.Observable,
		Composite: &Composites{k.Pages, k.Parts, k.Coherent, k.Possible, k.Unknown, k.Violated},
	}
}

func clockOf(r *report.Report) Clock {
	return Clock{Offset: r.Clock.Offset.Seconds(), Samples: r.Clock.Samples}
}

func referenceOf(r *report.Report) Reference {
	ref := Reference{Time: r.Reference, Start: r.Start, Visited: r.Visited, End: r.End}
	if len(r.Groups) > 1 {
		for _, g := range r.Groups {
			ref.Groups = append(ref.Groups, &GroupInstant{g.Group, g.Reference, g.Pages})
		}
	}
	return ref
}

// Claim is what is stated of a page.
type Claim struct {
	URL     string            `json:"url"`
	Group   string            `json:"group,omitempty"`
	Visit   Sight             `json:"visit"`
	Revisit *Sight            `json:"revisit,omitempty"`
	Layers  map[string]string `json:"layers"` // of each layer the level of evidence, or the state if it is not coherent

	Together *report.Together `json:"together,omitempty"` // the page with its parts
}

// Sight is one capture of a page.
type Sight struct {
	Time   time.Time `json:"time"`
	Record string    `json:"record"`           // id of the record
	Status int       `json:"status,omitempty"` // of HTTP
	Digest string    `json:"digest,omitempty"` // SHA-256 of the content; empty if it is not in the files
	From   string    `json:"from,omitempty"`   // id of the record that has the content, of a revisit record
}

func pageOf(p *report.Judged, f *report.Frame) *Claim {
	out := &Claim{URL: p.URL, Group: p.Group, Visit: sightOf(p.Visit), Layers: map[string]string{}, Together: p.Together}
	if p.Revisit != nil {
		s := sightOf(p.Revisit)
		out.Revisit = &s
	}
	for _, n := range layer.Names() {
		state, level := p.State(n, f.Reference())
		if state == report.Coherent {
			out.Layers[string(n)] = string(level)
		} else {
			out.Layers[string(n)] = string(state)
		}
	}
	return out
}

func sightOf(c *evidence.Observation) Sight {
	s := Sight{Time: c.Time, Record: plainID(c.Place.Record), Status: c.Status}
	if c.Layers != nil {
		s.Digest = "sha256:" + hex.EncodeToString(c.Layers.Sums[0][:])
	}
	if c.Original != nil {
		s.From = plainID(c.Original.Record)
	}
	return s
}

// Signature is who signed.
type Signature struct {
	Algorithm string `json:"algorithm"` // "ed25519"
	Key       string `json:"key"`       // public key, base64
	KeyID     string `json:"keyid"`
	Value     string `json:"value"` // base64
}

// signedText is what the signature is over: the name of the format and the hash of the body.
func signedText(sum []byte) []byte {
	return []byte(Format + "\n" + hex.EncodeToString(sum) + "\n")
}

func sign(key ed25519.PrivateKey, sum []byte) Signature {
	public := key.Public().(ed25519.PublicKey)
	return Signature{
		Algorithm: "ed25519", Key: base64.StdEncoding.EncodeToString(public), KeyID: KeyID(public),
		Value: base64.StdEncoding.EncodeToString(ed25519.Sign(key, signedText(sum))),
	}
}

// check tells whether a signature is one over a body.
func (s *Signature) check(sum []byte) (ed25519.PublicKey, bool) {
	key, err := base64.StdEncoding.DecodeString(s.Key)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, false
	}
	value, err := base64.StdEncoding.DecodeString(s.Value)
	if err != nil || s.Algorithm != "ed25519" {
		return nil, false
	}
	return key, ed25519.Verify(key, signedText(sum), value)
}
