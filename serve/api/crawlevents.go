package api

import (
	"net/http"
	"strconv"

	"varve"
	"varve/serve/review"
)

// eventParams say which events of a crawl are asked for.
var eventParams = with([]param{
	{"event", "string", "only of this name; repeatable", false},
	{"q", "string", "only those in which all of these words stand", false},
	{"from", "string", "from this time on: 4 to 14 digits, or RFC 3339", false},
	{"to", "string", "until this time, inclusive", false},
}, pageParams)

// happened answers with the events of a crawl that fit a question, and with how many there are by name and over time.
func (a *API) happened(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	ask := review.EventQuery{Kinds: q["event"], Words: q.Get("q")}
	if ask.Limit, err = limitOf(r, 100, maxLimit); err != nil {
		return nil, err
	}
	if ask.From, ask.To, err = spanOf(r); err != nil {
		return nil, err
	}
	if c := q.Get("cursor"); c != "" {
		if ask.Before, err = strconv.ParseInt(c, 10, 64); err != nil || ask.Before <= 0 {
			return nil, invalid("cursor", c, "take next of the page before")
		}
	}
	over, err := a.veil(r)
	if err != nil {
		return nil, err
	}
	ask.Shown = over.Event
	out, err := review.EventsOf(r.Context(), k.Dir(), ask)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the events of crawl " + k.ID, Err: err, Hint: "the WARC files are not affected"}
	}
	return out, nil
}
