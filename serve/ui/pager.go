package ui

import (
	"net/http"
	"strconv"
)

// pager cuts a list into pages; its state is in the address.
type pager struct {
	From, To, Total int
	Before, After   string // addresses; empty at the ends
}

// newPager reads the page of a request from its parameter "from".
func newPager(r *http.Request, total, size int) pager {
	q := r.URL.Query()
	from, err := strconv.Atoi(q.Get("from"))
	if err != nil || from < 0 || from >= total {
		from = 0
	}
	p := pager{From: from, To: min(from+size, total), Total: total}
	link := func(n int) string {
		q.Del("from")
		if n > 0 {
			q.Set("from", strconv.Itoa(n))
		}
		return r.URL.Path + "?" + q.Encode()
	}
	if from > 0 {
		p.Before = link(max(from-size, 0))
	}
	if p.To < total {
		p.After = link(p.To)
	}
	return p
}
