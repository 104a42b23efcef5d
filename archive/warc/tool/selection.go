package tool

import (
	"strings"

	"varve/archive/warc"
)

// Selection says which records a tool is about. The zero value takes all.
type Selection struct {
	Offset int64  // of one record; -1 for all
	Type   string // WARC-Type
	URL    string // prefix of the target URI
	Record string // WARC-Record-ID, with or without angle brackets
}

// All selects every record.
func All() Selection { return Selection{Offset: -1} }

// takes tells whether a record is selected.
func (s *Selection) takes(rec *warc.Record) bool {
	switch {
	case s.Offset >= 0 && rec.Offset != s.Offset:
		return false
	case s.Type != "" && !strings.EqualFold(rec.Type(), s.Type):
		return false
	case s.URL != "" && !strings.HasPrefix(rec.TargetURI(), s.URL):
		return false
	case s.Record != "" && bareID(rec.ID()) != bareID(s.Record):
		return false
	}
	return true
}

func bareID(id string) string { return strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">") }

// one tells whether the selection means a single record.
func (s *Selection) one() bool { return s.Record != "" }
