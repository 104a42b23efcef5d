package cdx

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"varve/archive/cdxj"
)

// resumeKey is where a query was left: "urlkey timestamp!" behind all captures of that second, or
// "urlkey timestamp!3" behind three of them.
type resumeKey struct {
	key, timestamp string
	seen           int // 0: all
}

// parseResumeKey reads a key, also if it is still URL-encoded.
func parseResumeKey(s string) (*resumeKey, error) {
	if !strings.Contains(s, " ") {
		if plain, err := url.QueryUnescape(s); err == nil {
			s = plain
		}
	}
	bad := fmt.Errorf("resumeKey %q: not one that this server gave", clip(s))
	i := strings.LastIndexByte(s, '!')
	if i < 0 || len(s) > maxURL {
		return nil, bad
	}
	key, ts, ok := strings.Cut(s[:i], " ")
	if _, err := cdxj.ParseTimestamp(ts); err != nil || !ok || key == "" {
		return nil, bad
	}
	r := &resumeKey{key: key, timestamp: ts}
	if count := s[i+1:]; count != "" {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return nil, bad
		}
		r.seen = n
	}
	return r, nil
}

// resumeAfter gives the key of a query that was cut between two rows.
func resumeAfter(last, next *row) string {
	s := last.Key + " " + last.Timestamp + "!"
	if next.Key == last.Key && next.Timestamp == last.Timestamp {
		s += strconv.Itoa(last.seq)
	}
	return url.QueryEscape(s)
}

// passed tells whether a row was given before the query was cut.
func (k *resumeKey) passed(r *row) bool {
	return k != nil && r.Key == k.key && r.Timestamp == k.timestamp && (k.seen == 0 || r.seq <= k.seen)
}
