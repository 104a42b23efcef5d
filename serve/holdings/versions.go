package holdings

import (
	"time"

	"varve"
)

// Version is a run of captures with the same content.
type Version struct {
	Digest   string     `json:"digest"`
	Status   int        `json:"status"`
	MIME     string     `json:"mime"`
	Valid    varve.Span `json:"valid"` // nominal: from the first capture to the first of another version; open for the newest
	Last     time.Time  `json:"last"`  // the last capture that had it
	Captures int        `json:"captures"`
	Trivial  int        `json:"trivial,omitempty"` // changes of bytes merged into it because the text stayed the same
	First    Capture    `json:"-"`                 // the capture to look at
	Newest   Capture    `json:"-"`
}

// Gone tells whether the version is that the page was not there.
func (v Version) Gone() bool { return IsGone(v.Status) }

// IsGone tells whether a status says that there is no page.
func IsGone(status int) bool { return status == 404 || status == 410 }

// Versions groups the captures of one URL, oldest first, into versions. same tells of two captures
// whose digests differ whether they say the same; nil means that they never do.
//
// Other servers' errors (5xx) and unknown statuses end no version: they say nothing about the page.
func Versions(captures []Capture, same func(a, b Capture) bool) []Version {
	var out []Version
	for _, c := range captures {
		if c.Status >= 500 || c.Status == 429 {
			continue
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			alike := sameVersion(last.Newest, c) || last.Newest.Status == 304 && sameVersion(last.First, c)
			trivial := !alike && same != nil && last.Status == c.Status && same(last.Newest, c)
			if alike || trivial {
				last.Captures++
				last.Last, last.Newest = c.Time, c
				if trivial {
					last.Trivial++
				}
				continue
			}
			last.Valid.To = c.Time
		}
		out = append(out, Version{
			Digest: c.Digest, Status: c.Status, MIME: c.MIME, Valid: varve.Span{From: c.Time}, Last: c.Time, Captures: 1, First: c, Newest: c,
		})
	}
	return out
}

// sameVersion compares two captures of a URL by what the index knows.
func sameVersion(a, b Capture) bool {
	if b.Status == 304 {
		return true // the server says so
	}
	if IsGone(a.Status) && IsGone(b.Status) {
		return true // the words of an error page are no content
	}
	alike := a.Status == b.Status || a.Status == 304 && b.Status == 200 // a 304 bears the digest of what it repeats
	return alike && a.Digest == b.Digest && a.Digest != "" && a.Digest != "-"
}
