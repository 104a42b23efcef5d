package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"varve/lab/websim"
)

// control answers requests to the server itself rather than to a host of the web. They are not in
// the log.
//
//	GET  /                  what is served: rules, seeds, instant
//	GET  /log?since=N       entries of the log as lines of JSON
//	GET  /truth?url=U       page, history and present version of a URL
//	GET  /clock             the simulated instant
//	POST /clock?advance=D   moves it forward; POST /clock?at=T sets it
func (c *conn) control() bool {
	status, body := c.s.controlPage(c.req.Method, c.req.Target)
	a := &websim.Answer{Status: status, Body: body, Header: []websim.Field{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Content-Length", Value: strconv.Itoa(len(body))},
	}}
	if c.req.Method == http.MethodHead {
		a.Body = nil
	}
	_, err := c.write(a.AppendHead(nil), a.Body)
	return err == nil && !c.req.Close
}

func (s *Server) controlPage(method, target string) (int, []byte) {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return problem(http.StatusBadRequest, err.Error())
	}
	q := u.Query()
	switch u.Path {
	case "/":
		return answer(s.Status())
	case "/log":
		return s.logPage(q.Get("since"))
	case "/truth":
		return s.truthPage(q.Get("url"))
	case "/clock":
		if method == http.MethodPost {
			if err := s.moveClock(q); err != nil {
				return problem(http.StatusBadRequest, err.Error())
			}
		}
		return answer(map[string]time.Time{"at": s.opts.Timeline.Now()})
	}
	return problem(http.StatusNotFound, "there are /, /log, /truth and /clock")
}

func answer(v any) (int, []byte) {
	b, err := json.Marshal(v)
	if err != nil {
		return problem(http.StatusInternalServerError, err.Error())
	}
	return http.StatusOK, append(b, '\n')
}

func problem(status int, detail string) (int, []byte) {
	b, _ := json.Marshal(map[string]any{"status": status, "title": http.StatusText(status), "detail": detail})
	return status, append(b, '\n')
}

// Status says what is served and how to reach it.
type Status struct {
	Addr    string    `json:"addr"`
	Resolve []string  `json:"resolve"`
	Seeds   []string  `json:"seeds"`
	Pages   int       `json:"pages"`
	Epoch   time.Time `json:"epoch"`
	End     time.Time `json:"end"`
	At      time.Time `json:"at"`
}

// Status describes the running server.
func (s *Server) Status() Status {
	return Status{
		Addr: s.Addr(), Resolve: s.Resolve(), Seeds: s.Seeds(), Pages: s.web.Len(),
		Epoch: s.web.Epoch(), End: s.web.End(), At: s.opts.Timeline.Now(),
	}
}

func (s *Server) logPage(since string) (int, []byte) {
	n, err := strconv.ParseInt(since, 10, 64)
	if since != "" && err != nil {
		return problem(http.StatusBadRequest, "since: want the number of an entry")
	}
	var out []byte
	for _, e := range s.opts.Log.Since(n) {
		b, err := json.Marshal(&e)
		if err != nil {
			return problem(http.StatusInternalServerError, err.Error())
		}
		out = append(append(out, b...), '\n')
	}
	return http.StatusOK, out
}

func (s *Server) truthPage(raw string) (int, []byte) {
	u, err := url.Parse(raw)
	if err != nil {
		return problem(http.StatusBadRequest, err.Error())
	}
	id, ok := s.web.Lookup(u.Host, u.RequestURI())
	if !ok {
		return problem(http.StatusNotFound, "no page has this URL")
	}
	at := s.opts.Timeline.Now()
	return answer(map[string]any{
		"page": id, "url": s.web.URL(id, at), "at": at, "look": s.web.Look(id, at), "history": s.web.History(id),
	})
}

func (s *Server) moveClock(q url.Values) error {
	if d := q.Get("advance"); d != "" {
		by, err := websim.ParseDuration(d)
		if err != nil {
			return err
		}
		s.opts.Timeline.Advance(by)
	}
	if t := q.Get("at"); t != "" {
		at, err := time.Parse(time.RFC3339Nano, t)
		if err != nil {
			return err
		}
		s.opts.Timeline.Set(at)
	}
	return nil
}
