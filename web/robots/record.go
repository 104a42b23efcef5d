package robots

import (
	"fmt"
	"time"
)

// What an answer to the request for robots.txt means (RFC 9309 sections 2.3 and 2.4):
//
//	2xx                      the rules of the body count
//	3xx                      the caller follows up to MaxRedirects; more count as unavailable
//	4xx                      unavailable: everything is allowed (but 429 is "come later": unreachable)
//	5xx, no answer, the rest unreachable: everything is forbidden. After UnreachableLimit of that the
//	                         last copy counts again, or, when there never was one, everything is allowed
//
// A copy is used for Lifetime. While robots.txt is unreachable it is tried again after RetryFirst, then
// after twice that and so on up to RetryMost, so that a short outage does not cost a day.
const (
	MaxRedirects     = 5
	Lifetime         = 24 * time.Hour
	UnreachableLimit = 30 * 24 * time.Hour
	RetryFirst       = time.Minute
	RetryMost        = 6 * time.Hour
)

// Access says which rules are in force for an authority.
type Access string

// The kinds of access.
const (
	ByRules  Access = "rules"    // the parsed file decides
	Open     Access = "open"     // everything is allowed
	Closed   Access = "closed"   // nothing is allowed but robots.txt itself
	ByOldest Access = "old-copy" // unreachable for so long that the last good copy decides
)

// Answer is what came back when robots.txt was asked for, after redirects.
type Answer struct {
	At     time.Time // when the answer came
	Status int       // of the last answer; 0 when there was none
	Body   []byte    // of a 2xx answer, at most a little over MaxBytes is looked at
	Cause  string    // why there was no answer: "dns", "timeout"
}

// Record is what is known of one authority's robots.txt. It is a value: Next makes the one that follows.
type Record struct {
	Access   Access    `json:"access"`
	Why      string    `json:"why"` // for reports: "status 503, nothing allowed"
	File     *File     `json:"file,omitempty"`
	Good     time.Time `json:"good,omitzero"`    // when File was fetched
	Failing  time.Time `json:"failing,omitzero"` // since when it is unreachable
	Failures int       `json:"failures,omitempty"`
	Expires  time.Time `json:"expires"` // when to ask again
}

// Next gives the record after an answer. The zero Record is that of an authority never asked.
func (r Record) Next(a Answer) Record {
	switch {
	case a.Status >= 200 && a.Status < 300:
		return Record{
			Access: ByRules, Why: fmt.Sprintf("status %d", a.Status), File: Parse(a.Body),
			Good: a.At, Expires: a.At.Add(Lifetime),
		}
	case a.Status >= 300 && a.Status < 400:
		return Record{Access: Open, Why: "too many redirects, everything allowed", Expires: a.At.Add(Lifetime)}
	case a.Status >= 400 && a.Status < 500 && a.Status != 429:
		return Record{
			Access: Open, Why: fmt.Sprintf("status %d, everything allowed", a.Status),
			Expires: a.At.Add(Lifetime),
		}
	}
	return r.unreachable(a)
}

// unreachable gives the record after a failure.
func (r Record) unreachable(a Answer) Record {
	next := r
	if next.Failing.IsZero() {
		next.Failing = a.At
	}
	next.Failures++
	next.Expires = a.At.Add(retryAfter(next.Failures))
	cause := a.Cause
	if a.Status != 0 {
		cause = fmt.Sprintf("status %d", a.Status)
	}
	if cause == "" {
		cause = "no answer"
	}
	switch long := a.At.Sub(next.Failing) >= UnreachableLimit; {
	case !long:
		next.Access, next.Why = Closed, cause+", nothing allowed until robots.txt answers"
	case next.File != nil:
		next.Access, next.Why = ByOldest, cause+" for 30 days, the last copy counts"
	default:
		next.Access, next.Why = Open, cause+" for 30 days, everything allowed"
	}
	return next
}

// retryAfter doubles from RetryFirst to RetryMost.
func retryAfter(failures int) time.Duration {
	d := RetryFirst
	for i := 1; i < failures && d < RetryMost; i++ {
		d *= 2
	}
	return min(d, RetryMost)
}

// Fresh tells whether the record may be used at the instant without asking again.
func (r Record) Fresh(now time.Time) bool { return r.Access != "" && now.Before(r.Expires) }

// For gives the rules in force for a product token.
func (r Record) For(token string) *Rules {
	switch r.Access {
	case ByRules, ByOldest:
		return r.File.For(token)
	case Open:
		return new(Rules)
	}
	return closedRules()
}

// closedRules forbid everything; an authority never asked is closed too.
func closedRules() *Rules {
	f := &File{Groups: []Group{{
		Agents: []Agent{{Token: "*", full: "*"}},
		Rules:  []Rule{{Path: "/"}},
	}}}
	return f.For("*")
}
