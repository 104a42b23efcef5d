package holdings

import (
	"time"

	"varve"
	"varve/version"
)

// HeldVersion is a run of captures with the same content.
type HeldVersion struct {
	Digest   string         `json:"digest"`
	Status   int            `json:"status"`
	MIME     string         `json:"mime"`
	Valid    varve.Span     `json:"valid"` // nominal: from the first capture to the first of another version; open for the newest
	Last     time.Time      `json:"last"`  // the last capture that had it
	Captures int            `json:"captures"`
	Trivial  int            `json:"trivial,omitempty"` // changes of bytes merged into it because the text stayed the same
	First    IndexedCapture `json:"-"`                 // the capture to look at
	Newest   IndexedCapture `json:"-"`
}

// Gone reports whether the version is that the page was not there.
func (v HeldVersion) Gone() bool { return version.IsGone(v.Status) }

// Versions groups the captures of one URL, oldest first, into versions, by the rule of package version; beside them it lists the times in which
// the page was gone. same reports of two captures whose digests differ whether they say the same; nil means that they never do.
func Versions(captures []IndexedCapture, same func(a, b IndexedCapture) bool) []HeldVersion {
	var out []HeldVersion
	var fold version.Fold
	for _, c := range captures {
		var last *HeldVersion
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		step := fold.Next(c.Sight())
		trivial := step == version.Begin && last != nil && !last.Gone() && same != nil && last.Status == c.Status && same(last.Newest, c)
		switch {
		case step == version.Skip:
			continue
		case step == version.Again, trivial, step == version.End && last != nil && last.Gone():
			last.Captures++
			last.Last, last.Newest = c.Time, c
			if trivial {
				last.Trivial++
			}
			continue
		}
		if last != nil {
			last.Valid.To = c.Time
			if !c.Time.After(last.Valid.From) {
				last.Valid.To = last.Valid.From.Add(time.Second) // what was seen in a second was valid in it
			}
		}
		out = append(out, HeldVersion{
			Digest: c.Digest, Status: c.Status, MIME: c.MIME, Valid: varve.Span{From: c.Time}, Last: c.Time, Captures: 1, First: c, Newest: c,
		})
	}
	return out
}
