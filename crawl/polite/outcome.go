package polite

import (
	"strconv"
	"strings"
	"time"
)

// Failure says why a request had no answer.
type Failure string

// The failures that matter here.
const (
	Answered  Failure = ""          // there was an answer
	Timeout   Failure = "timeout"   // connecting or reading took too long
	Connect   Failure = "connect"   // refused, unreachable, TLS failed
	Broken    Failure = "broken"    // the connection broke off or spoke nonsense
	Abandoned Failure = "abandoned" // no request was sent; the host did not notice us
)

// Outcome is how a request ended.
type Outcome struct {
	Duration   time.Duration // from sending to the last byte
	Status     int           // 0 without an answer
	RetryAfter time.Duration // of the header, 0 without; see ParseRetryAfter
	Failure    Failure
}

// Pause is what a request brought its host.
type Pause struct {
	Until    time.Time // the host is left alone until then
	Failures int       // failures in a row; a crawl gives a host up after some
	Why      string    // "delay", "crawl-delay", "back-off after status 503", ...

	trouble bool // it is not the ordinary rest
}

// troubled tells whether the outcome asks for back-off, and why.
func (o Outcome) troubled() (string, bool) {
	switch {
	case o.Status == 429 || o.Status == 503:
		return "back-off after status " + strconv.Itoa(o.Status), true
	case o.Failure == Timeout || o.Failure == Connect || o.Failure == Broken:
		return "back-off after " + string(o.Failure), true
	}
	return "", false
}

// backoff doubles from First to Most and adds up to half of it, so that hosts which failed together do
// not come back together. Random is in [0,1).
func (c Config) backoff(failures int, random float64) time.Duration {
	d := c.BackoffFirst
	for i := 1; i < failures && d < c.BackoffMost; i++ {
		d *= 2
	}
	d = min(d, c.BackoffMost)
	return d + time.Duration(random*float64(d)/2)
}

// ParseRetryAfter reads the value of a Retry-After header: seconds, or a date in one of the three
// forms of HTTP. A date that has passed is no wait.
func ParseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseUint(value, 10, 63); err == nil {
		return time.Duration(min(n, uint64(maxWait/time.Second))) * time.Second, true
	}
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		if t, err := time.Parse(layout, value); err == nil {
			return min(max(t.Sub(now), 0), maxWait), true
		}
	}
	return 0, false
}

// maxWait keeps absurd values inside a Duration.
const maxWait = 10 * 365 * 24 * time.Hour
