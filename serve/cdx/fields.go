package cdx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varve/archive/cdxj"
)

// row is a capture with what was counted on its way.
type row struct {
	cdxj.Record
	seq     int    // number among the lines with the same key and time, from 1
	skipped int    // rows that collapsed into this one
	last    string // timestamp of the last of them
	dupes   int    // earlier rows with the same key and digest
	orig    *cdxj.Record
	asked   bool // its original was looked for
}

// Dialect is one of the two languages.
type Dialect string

// The dialects.
const (
	IA   Dialect = "ia"   // Internet Archive, OpenWayback
	Pywb Dialect = "pywb" // pywb, Common Crawl
)

// Names of fields: that of pywb, which is that of CDXJ too, by that of the Internet Archive.
var fromIA = map[string]string{
	"original": "url", "mimetype": "mime", "statuscode": "status", "dupecount": "dupecount",
	"skipcount": "skipcount", "endtimestamp": "endtimestamp",
}

// Fields that an answer has if none are asked for.
var (
	fieldsIA   = []string{"urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"}
	fieldsText = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "redirect", "robotflags", "length", "offset", "filename"}
	origFields = []string{"orig.length", "orig.offset", "orig.filename"}
)

// columns are the fields of CDX-11 by number, which filters of the Internet Archive may use.
var columns = fieldsText

// fieldOf gives the name of a field in CDXJ; numbers are columns of CDX-11.
func fieldOf(name string) (string, error) {
	if n, err := strconv.Atoi(name); err == nil {
		if n < 0 || n >= len(columns) {
			return "", fmt.Errorf("field %q: columns are numbered 0 to %d", name, len(columns)-1)
		}
		return columns[n], nil
	}
	if pywb, ok := fromIA[name]; ok {
		return pywb, nil
	}
	if name == "" || len(name) > 100 || strings.ContainsAny(name, " \t\r\n") {
		return "", fmt.Errorf("field %q: not a name", clip(name))
	}
	return name, nil
}

// value gives the text of a field by its CDXJ name; ok is false if the row does not have it.
func (r *row) value(name string) (text string, ok bool) {
	switch name {
	case "urlkey":
		return r.Key, true
	case "timestamp":
		return r.Timestamp, true
	case "url":
		text = r.URL
	case "mime":
		text = r.MIME
	case "digest":
		text = r.Digest
	case "filename":
		text = r.Filename
	case "status":
		return strconv.Itoa(r.Status), r.Status != 0
	case "length":
		return strconv.FormatInt(r.Length, 10), r.Length >= 0
	case "offset":
		return strconv.FormatInt(r.Offset, 10), r.Offset >= 0
	case "dupecount":
		return strconv.Itoa(r.dupes), true
	case "skipcount":
		return strconv.Itoa(r.skipped), true
	case "endtimestamp":
		text = r.last
	case "orig.length", "orig.offset", "orig.filename":
		return r.original(name)
	default:
		return r.Get(name)
	}
	return text, text != ""
}

// original gives a field of the record that a revisit refers to.
func (r *row) original(name string) (string, bool) {
	if r.orig == nil {
		return "-", r.asked // as pywb writes it, also for captures that are no revisits
	}
	o := row{Record: *r.orig}
	return o.value(strings.TrimPrefix(name, "orig."))
}

// word gives a field as a word of a line: "-" if unknown, digests as the dialect writes them.
func (r *row) word(name string, d Dialect) string {
	v, ok := r.value(name)
	if !ok || v == "" {
		return "-"
	}
	if d == IA && name == "digest" {
		v = strings.TrimPrefix(v, "sha1:")
	}
	if strings.ContainsAny(v, " \t\r\n") {
		v = strings.NewReplacer(" ", "%20", "\t", "%09", "\r", "%0D", "\n", "%0A").Replace(v)
	}
	return v
}

// iaOnly tells whether a field name is one that only the Internet Archive has.
func iaOnly(name string) bool {
	_, ok := fromIA[name]
	return ok
}

// splitFields reads a list of fields; the names stay as asked.
func splitFields(s string) ([]string, error) {
	list := strings.Split(s, ",")
	if len(list) > maxFields {
		return nil, fmt.Errorf("more than %d fields", maxFields)
	}
	for i, f := range list {
		list[i] = strings.TrimSpace(f)
		if _, err := fieldOf(list[i]); err != nil {
			return nil, err
		}
	}
	return slices.Compact(list), nil
}

func clip(s string) string {
	if len(s) > 120 {
		return s[:120] + "..."
	}
	return s
}
