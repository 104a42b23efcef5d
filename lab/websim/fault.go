package websim

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim/asset"
	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

// Faults lists the kinds of faults. docs/websim.md says what each does.
func Faults() []string {
	return []string{
		"slow", "drip", "truncate", "short-length", "no-length", "endless", "bomb", "bad-gzip", "broken-chunks", "cut-chunks",
		"reset", "reset-early", "close", "hang", "garbage", "header-flood", "huge-header", "odd-head", "interim",
		"status", "wrong-type", "loop", "chain",
	}
}

// faultAt finds the fault that has a path of its own.
func (s *site) faultAt(path string, attempt int, at int64) *Fault {
	for k := range s.spec.Fault {
		if f := &s.spec.Fault[k]; f.At == path && s.shows(k, attempt, at) {
			return f
		}
	}
	return nil
}

// faultOn finds the fault of a page.
func (s *site) faultOn(i, attempt int, at int64) *Fault {
	for k := range s.spec.Fault {
		f := &s.spec.Fault[k]
		if f.At == "" && s.shows(k, attempt, at) && f.Match.page(s, i, dice.Mix(forMatch, forWindow, uint64(k))) {
			return f
		}
	}
	return nil
}

// shows tells whether fault k shows at this attempt and instant.
func (s *site) shows(k, attempt int, at int64) bool {
	f := &s.spec.Fault[k]
	if f.Times > 0 && attempt >= f.Times {
		return false
	}
	if f.Every == 0 {
		return true
	}
	for _, w := range s.windows[k] {
		if at >= w.From && at < w.To {
			return true
		}
	}
	return false
}

// faultPage is what would be at the path of a fault if all went well.
func (s *site) faultPage(path string) *Answer {
	name := dice.Mix(s.key, dice.String(path), forWindow)
	b := append(s.lex.Title([]byte("<!DOCTYPE html>\n<html><head><title>"), name, prose.Voice{Text: name}), "</title></head>\n<body>\n<pre>"...)
	b = append(asset.Text(b, s.lex, name, prose.Voice{Text: name}, 6000), "</pre>\n<p><a href=\"/\">Home</a></p>\n</body></html>\n"...)
	return document(http.StatusOK, "text/html; charset=utf-8", b)
}

// misbehave turns a good answer into a bad one. What needs the wire is played when it is sent.
func (s *site) misbehave(f *Fault, a *Answer, r *Request, at int64) *Answer {
	a.Fault = f.Kind
	path, query, _ := strings.Cut(r.Target, "?")
	switch f.Kind {
	case "slow":
		a.Delay += time.Duration(cmp.Or(f.Delay, Duration(5*time.Second)))
	case "status":
		return s.refuse(f, a, at)
	case "wrong-type":
		a.drop("Content-Type")
		a.set("Content-Type", "image/png")
	case "loop":
		to := path + "?again"
		if query != "" {
			to = path
		}
		return fault(redirect(http.StatusFound, to), f.Kind)
	case "chain":
		n, _ := strconv.ParseUint(strings.TrimPrefix(query, "n="), 10, 62)
		return fault(redirect(http.StatusFound, path+"?n="+strconv.FormatUint(n+1, 10)), f.Kind)
	case "bomb":
		bomb(f, a)
	case "bad-gzip":
		a.drop("Content-Encoding")
		a.set("Content-Encoding", "gzip")
		a.Body = encode(a.Body, "gzip")
		for k := len(a.Body) / 2; k < min(len(a.Body), len(a.Body)/2+16); k++ {
			a.Body[k] ^= 0xa5
		}
	default:
		a.play = f.player()
	}
	return a
}

func fault(a *Answer, kind string) *Answer {
	a.Fault = kind
	return a
}

// refuse answers with an error status, and when to come again.
func (s *site) refuse(f *Fault, a *Answer, at int64) *Answer {
	status := cmp.Or(f.Status, http.StatusServiceUnavailable)
	no := document(status, "text/plain", []byte(http.StatusText(status)+"\n"))
	switch f.RetryAfter {
	case "":
	case "date":
		no.set("Retry-After", s.web.time(at).Add(time.Duration(cmp.Or(f.Delay, Duration(2*time.Second)))).Format(http.TimeFormat))
	default:
		no.set("Retry-After", f.RetryAfter)
	}
	no.Fault, no.Page, no.Version, no.VersionID = f.Kind, a.Page, a.Version, a.VersionID
	return no
}
