package cdx

import (
	"context"
	"iter"
	"strings"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// maxFuzzy bounds the captures that are looked at for a URL that is not there as asked.
const maxFuzzy = 1000

// orFuzzy gives the rows, or if there are none those of URLs that differ only in arguments that say
// how a visitor came (utm_source) or defeat caches (_=123).
func (r *Request) orFuzzy(ctx context.Context, ix Index, in iter.Seq2[row, error], allow func(*cdxj.Record) bool) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		n := 0
		for now, err := range in {
			if n++; !yield(now, err) {
				return
			}
		}
		want, ok := bareKey(r.target)
		if n > 0 || !ok {
			return
		}
		path, _, _ := strings.Cut(r.target, "?")
		q := r.query // in the order of the index: captures of several URLs have no common distance
		q.URL, q.Match, q.Key = path, canon.MatchPrefix, ""
		q.Limit = maxFuzzy
		q.Keep = func(rec *cdxj.Record) bool {
			have, ok := bareKey(rec.URL)
			return ok && have == want
		}
		for now, err := range r.matching(new(Request).source(ctx, ix, q), allow) {
			if !yield(now, err) {
				return
			}
		}
	}
}

// bareKey gives the index key of a URL without tracking and cache arguments.
func bareKey(raw string) (string, bool) {
	u, err := canon.Parse(raw)
	if err != nil {
		if u, err = canon.Parse("http://" + raw); err != nil {
			return "", false
		}
	}
	return canon.SURT(canon.DefaultRules().Strip(u, canon.GroupSession, canon.GroupTracking, canon.GroupCache)), true
}
