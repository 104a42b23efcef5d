// Package recorded serves answers that were recorded elsewhere as if the sites they came from were live: the way to crawl a real
// site again without the internet.
//
// A [Response] is an answer with its address and the instant at which it was given. A [Recording] answers a request with what its
// address answered last at the instant of the server, or first if the instant lies before all of them; what was never recorded
// is 404. Addresses with https and http are asked for separately, and stand in for each other where only one was recorded.
//
//	rec, err := recorded.New(responses)
//	s, err := recorded.Listen(rec, recorded.Options{Addr: "127.0.0.1:0", At: instant})
//
// Sent again are status, header and body as recorded, but for what belongs to a connection: lengths, transfer codings, dates.
// A recording never changes in space: a link to what was not recorded is dead, as it is in replay.
//
// Cost: all bodies are in memory; finding an answer is a look into a map and a binary search.
package recorded

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"varve/web/wire"
)

// Response is an answer that was recorded.
type Response struct {
	URL    string
	Time   time.Time
	Status int
	Header wire.Header
	Body   []byte // after transfer codings, before content codings
}

// Recording is a web of recorded answers. It does not change once it is made.
type Recording struct {
	answers map[string][]Response // by address, oldest first
	hosts   map[string]bool       // without www.; true where the name with www. was met
	order   []string              // of hosts
	entries []string              // the first address of each host that was met
	skipped int
	epoch   time.Time
	end     time.Time
}

// New makes a recording. Answers whose address cannot be served (no http, a bare IP address, a name that is none) are counted as skipped.
func New(list []Response) (*Recording, error) {
	r := &Recording{answers: map[string][]Response{}, hosts: map[string]bool{}}
	for _, a := range list {
		u, ok := address(a.URL)
		if !ok {
			r.skipped++
			continue
		}
		r.meet(u)
		key := keyOf(u.Scheme, u.Host, u.RequestURI())
		r.answers[key] = append(r.answers[key], a)
		if r.epoch.IsZero() || a.Time.Before(r.epoch) {
			r.epoch = a.Time
		}
		if a.Time.After(r.end) {
			r.end = a.Time
		}
	}
	if len(r.answers) == 0 {
		return nil, errors.New("recorded: no answer of a web server among the records")
	}
	for _, list := range r.answers {
		slices.SortStableFunc(list, func(a, b Response) int { return a.Time.Compare(b.Time) })
	}
	return r, nil
}

// address reads an address that can be served.
func address(s string) (*url.URL, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Port() != "" {
		return nil, false
	}
	u.Host = strings.ToLower(u.Host)
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return nil, false
	}
	valid := strings.IndexFunc(u.Host, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' }) < 0
	return u, valid && !strings.HasPrefix(u.Host, ".") && len(u.Host) <= 200 && u.Host != "www."
}

// meet notes a host.
func (r *Recording) meet(u *url.URL) {
	bare := strings.TrimPrefix(u.Host, "www.")
	www := bare != u.Host
	if _, ok := r.hosts[bare]; !ok {
		r.order = append(r.order, bare)
		r.entries = append(r.entries, u.String())
	}
	r.hosts[bare] = r.hosts[bare] || www
}

func keyOf(scheme, host, target string) string {
	return scheme + "://" + strings.ToLower(host) + target
}

// Hosts is the number of hosts.
func (r *Recording) Hosts() int { return len(r.order) }

// Addresses is the number of addresses with an answer.
func (r *Recording) Addresses() int { return len(r.answers) }

// Skipped is the number of answers that cannot be served.
func (r *Recording) Skipped() int { return r.skipped }

// Entries gives the first address of each host: where a crawl can begin.
func (r *Recording) Entries() []string { return slices.Clone(r.entries) }

// Span is the time from the first to the last answer.
func (r *Recording) Span() (first, last time.Time) { return r.epoch, r.end }

// Answer gives what an address answered at an instant. What was not recorded is 404, but for robots.txt, which then forbids nothing.
func (r *Recording) Answer(scheme, host, target string, at time.Time) *Response {
	other := "https"
	if scheme == "https" {
		other = "http"
	}
	host, _, _ = strings.Cut(host, ":")
	list := r.answers[keyOf(scheme, host, target)]
	if list == nil {
		if list = r.answers[keyOf(other, host, target)]; list != nil && list[0].leadsTo(scheme, host, target) {
			list = nil // a redirect to the very address that is asked for
		}
	}
	if list == nil {
		if target == "/robots.txt" {
			return answer(200, nil, []byte("User-agent: *\nDisallow:\n"))
		}
		return answer(404, wire.Header{{Name: "Content-Type", Value: "text/plain"}}, []byte("not recorded\n"))
	}
	n := sort.Search(len(list), func(i int) bool { return list[i].Time.After(at) })
	a := &list[max(0, n-1)]
	return answer(a.Status, a.kept(), a.Body)
}

// leadsTo tells a redirect to an address.
func (a *Response) leadsTo(scheme, host, target string) bool {
	for _, f := range a.Header {
		if strings.EqualFold(f.Name, "Location") {
			return f.Value == keyOf(scheme, host, target)
		}
	}
	return false
}

// kept are the header fields that are sent again.
func (a *Response) kept() wire.Header {
	return slices.DeleteFunc(slices.Clone(a.Header), func(f wire.Field) bool {
		switch strings.ToLower(f.Name) {
		case "transfer-encoding", "content-length", "connection", "keep-alive", "date", "server", "trailer", "upgrade", "alt-svc", "strict-transport-security":
			return true
		}
		return strings.ContainsAny(f.Name+f.Value, "\r\n") || f.Name == ""
	})
}

// answer makes an answer that can be sent.
func answer(status int, header wire.Header, body []byte) *Response {
	if status < 200 || status > 599 {
		status = 502
	}
	if status == 204 || status == 304 {
		body = nil
	}
	return &Response{Status: status, Header: header, Body: body}
}
