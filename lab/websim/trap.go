package websim

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

// trap answers for a place inside a trap: a page with links that lead further in, for ever.
func (s *site) trap(t *Trap, target string) *Answer {
	rest, ok := strings.CutPrefix(target, strings.TrimSuffix(t.At, "/"))
	if !ok || len(rest) > 4000 || rest != "" && rest[0] != '/' && rest[0] != '?' {
		return nil
	}
	b := []byte("<!DOCTYPE html>\n<html><head><title>")
	b = s.lex.Title(b, dice.Mix(s.key, forTrap, dice.String(target)), prose.Voice{})
	b = append(b, "</title></head>\n<body>\n<p>"...)
	b = s.lex.Sentence(b, dice.Mix(s.key, forTrap, dice.String(target), 1), prose.Voice{})
	b = append(b, "</p>\n"...)
	for _, href := range s.trapLinks(t, rest) {
		b = fmt.Appendf(b, "<p><a href=\"%s\">%s</a></p>\n", escape(href), href)
	}
	return document(http.StatusOK, "text/html; charset=utf-8", append(b, "</body></html>\n"...))
}

// trapLinks lists where a place in a trap leads.
func (s *site) trapLinks(t *Trap, rest string) []string {
	base := strings.TrimSuffix(t.At, "/")
	h := dice.Mix(s.key, forTrap, dice.String(t.Kind), dice.String(rest))
	word := func(k uint64) string { return string(s.lex.Slug(nil, dice.Mix(h, k), prose.Voice{})) }
	switch t.Kind {
	case "calendar": // every month links to the one before and the one after
		month := s.web.spec.Epoch
		if m, err := time.Parse("/2006/01", rest); err == nil {
			month = m
		}
		first := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC)
		return []string{base + first.AddDate(0, -1, 0).Format("/2006/01"), base + first.AddDate(0, 1, 0).Format("/2006/01")}
	case "path": // relative links without an end: the path grows
		return []string{base + strings.TrimSuffix(rest, "/") + "/" + word(1) + "/", base + strings.TrimSuffix(rest, "/") + "/more/"}
	case "session": // every page has a new session id in its links
		id := strconv.FormatUint(h, 16)
		return []string{base + "?sid=" + id, base + "?page=2&sid=" + id, base + "/item;jsessionid=" + id}
	}
	// params: filters that combine without end
	query := strings.TrimPrefix(rest, "?")
	if query != "" {
		query += "&"
	}
	n := strconv.Itoa(strings.Count(query, "&"))
	return []string{base + "?" + query + "f" + n + "=" + word(1), base + "?" + query + "sort=" + word(2)}
}
