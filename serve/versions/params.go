package versions

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/index/temporal"
	"varve/web/canon"
)

// Limits of an answer.
const (
	defaultLimit = 1000
	maxLimit     = 10_000
)

// Params are the parameters of a question, as written.
type Params struct {
	URL, Match         string
	At, From, To       string
	Relation, Validity string
	MIME, Status       string
	Limit, Start       string
	Count              bool
}

// FromValues takes the parameters from a query string.
func FromValues(v url.Values) (Params, error) {
	p := Params{
		URL: v.Get("url"), Match: v.Get("matchType"), At: v.Get("at"), From: v.Get("from"), To: v.Get("to"),
		Relation: v.Get("relation"), Validity: v.Get("validity"), MIME: v.Get("mime"), Status: v.Get("status"),
		Limit: v.Get("limit"), Start: v.Get("start"),
	}
	switch c := v.Get("count"); c {
	case "", "0", "false":
	case "1", "true":
		p.Count = true
	default:
		return p, invalid("count %q: want true or false", clip(c))
	}
	return p, nil
}

func invalid(format string, args ...any) error {
	return &varve.Error{
		Kind: varve.Invalid, Op: "question about versions", Msg: fmt.Sprintf(format, args...),
		Hint: "ask with at=TIME, or relation, from and to, or a url",
	}
}

// Query reads the parameters.
func (p *Params) Query() (q temporal.Query, err error) {
	q = temporal.Query{
		Validity: temporal.Validity(p.Validity), Relation: temporal.Relation(p.Relation), URL: strings.TrimSpace(p.URL), Match: canon.Match(p.Match),
		Limit: defaultLimit,
	}
	if err := p.times(&q); err != nil {
		return q, err
	}
	if p.Limit != "" {
		if q.Limit, err = strconv.Atoi(p.Limit); err != nil || q.Limit < 1 || q.Limit > maxLimit {
			return q, invalid("limit %q: want 1 to %d", clip(p.Limit), maxLimit)
		}
	}
	if p.Start != "" {
		n, err := strconv.ParseUint(p.Start, 10, 32)
		if err != nil {
			return q, invalid("start %q: not a number", clip(p.Start))
		}
		q.Start = uint32(n)
	}
	q.Keep, err = p.keep()
	return q, err
}

// times reads the instant or the span; without one all time is meant.
func (p *Params) times(q *temporal.Query) (err error) {
	switch {
	case p.At != "" && (p.From != "" || p.To != ""):
		return invalid("either at, or from and to")
	case p.At != "":
		if q.Relation != "" && q.Relation != temporal.Alive {
			return invalid("relation %s needs from and to", clip(p.Relation))
		}
		q.Relation = temporal.Alive
		q.At, err = parseTime("at", p.At)
		return err
	case q.Relation == temporal.Alive:
		return invalid("relation alive needs at")
	case p.From == "" && p.To == "" && q.Relation == "" && p.URL == "":
		return invalid("what is asked?")
	}
	if q.Relation == "" {
		q.Relation = temporal.Intersects
	}
	q.From, q.To = time.Unix(0, 0), time.Unix(1<<32-2, 0)
	if p.From != "" {
		if q.From, err = parseTime("from", p.From); err != nil {
			return err
		}
	}
	if p.To != "" {
		if q.To, err = parseTime("to", p.To); err != nil {
			return err
		}
	}
	if !q.From.Before(q.To) {
		return invalid("the span must end after it begins")
	}
	return nil
}

// parseTime reads a date, a time or digits.
func parseTime(name, s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "2006-01"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	if len(s) >= 4 {
		if ts, err := cdxj.EarliestTimestamp(s); err == nil {
			return cdxj.ParseTimestamp(ts)
		}
	}
	return time.Time{}, invalid("%s %q: want a date (2014-05-01), a time (2014-05-01T12:00:00Z) or 4 to 14 digits", name, clip(s))
}

// keep makes the condition of mime and status; nil if there is none.
func (p *Params) keep() (func(*temporal.Result) bool, error) {
	if p.Status != "" && (len(p.Status) > 3 || strings.Trim(p.Status, "0123456789") != "") {
		return nil, invalid("status %q: want up to three digits", clip(p.Status))
	}
	if p.MIME == "" && p.Status == "" {
		return nil, nil
	}
	mime, status := p.MIME, p.Status
	return func(r *temporal.Result) bool {
		if mime != "" && r.Version.MIME != mime && (!strings.HasSuffix(mime, "/") || !strings.HasPrefix(r.Version.MIME, mime)) {
			return false
		}
		return strings.HasPrefix(strconv.Itoa(r.Version.Status), status)
	}, nil
}

func clip(s string) string {
	if len(s) > 120 {
		return s[:120] + "..."
	}
	return s
}
