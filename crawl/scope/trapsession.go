package scope

import (
	"fmt"
	"strings"

	"varve/web/canon"
)

// sessionNames are the parameters that carry the id of a visit: every visit gets new ones, so the
// URLs with them have no end.
var sessionNames = map[string]bool{
	"sid": true, "sessid": true, "sessionid": true, "session_id": true, "session": true, "jsessionid": true,
	"phpsessid": true, "oscsid": true, "zenid": true, "cfid": true, "cftoken": true, "aspsessionid": true,
}

// minSession is the shortest value that can be the id of a visit.
const minSession = 8

// session counts the different session ids under a path, in the query and in path parameters.
func (h *hostState) session(u canon.URL, l TrapLimits) *Suspicion {
	path, id := sessionOf(u)
	if id == "" {
		return nil
	}
	s := h.state(hashText(kindSession, path))
	if s.names == nil {
		s.names = map[uint64]struct{}{}
	}
	if len(s.names) <= l.Sessions {
		s.names[hashText(kindPath, id)] = struct{}{}
	}
	if len(s.names) <= l.Sessions {
		return nil
	}
	return &Suspicion{TrapParams, fmt.Sprintf("more than %d session ids under %s", l.Sessions, path)}
}

// sessionOf gives the path without its parameters, and the session id in the URL, if there is one.
func sessionOf(u canon.URL) (path, id string) {
	path, params, _ := strings.Cut(u.Path(), ";")
	if id = sessionIn(params, ";"); id == "" {
		id = sessionIn(u.Query(), "&")
	}
	return path, id
}

// sessionIn finds a parameter that carries a session id.
func sessionIn(params, separator string) string {
	for params != "" {
		var pair string
		pair, params, _ = strings.Cut(params, separator)
		name, value, _ := strings.Cut(pair, "=")
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "aspsessionid") {
			name = "aspsessionid" // followed by random letters
		}
		if len(value) >= minSession && sessionNames[name] {
			return value
		}
	}
	return ""
}

// deep counts the paths of a host that go deep: a path that grows with every link branches out long
// before one of them is too deep by itself.
func (h *hostState) deep(u canon.URL, l TrapLimits) *Suspicion {
	if depth(u.Path()) <= l.DeepFrom {
		return nil
	}
	s := h.state(spread(kindDeep))
	if s.queries++; s.queries <= l.DeepMany {
		return nil
	}
	return &Suspicion{TrapDeep, fmt.Sprintf("the host has more than %d paths of over %d segments", l.DeepMany, l.DeepFrom)}
}
