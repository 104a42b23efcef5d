package cdxj

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/web/canon"
)

// Unknown is the value of an offset or length that a line does not give.
const Unknown = -1

// Record is one line of an index. In JSON the fields are named url, mime, status, digest, length,
// offset and filename; all others are in Extra.
type Record struct {
	Key       string // index key; never empty
	Timestamp string // 14 or 17 digits
	Within    string // digits behind the second that Timestamp names, up to 9: "25" is a quarter; "" if it is not known
	URL       string
	MIME      string // "warc/revisit" for a revisit
	Digest    string // as written: "sha1:BASE32", "BASE32", "sha256:hex"
	Filename  string
	Status    int   // 0 when unknown
	Offset    int64 // Unknown, or 0 and up
	Length    int64 // Unknown, or 0 and up
	Extra     []Field
}

// Field is a named JSON value that the package has no use for, kept as it was written.
type Field struct {
	Name string
	JSON string // the value as JSON text
}

// FromCapture makes the record of a capture, with the SURT of its URL as key.
func FromCapture(c varve.Capture) Record {
	r := Record{
		Key: canon.SURT(c.URL), Timestamp: Timestamp(c.Time), URL: c.URL, MIME: c.MIME, Digest: c.Digest,
		Filename: c.File, Status: c.Status, Offset: c.Offset, Length: c.Length,
	}
	r.SetInner(c.Inner)
	return r
}

// Inner gives where in its unpacked member the record begins: 0 but for files whose members hold several.
func (r *Record) Inner() int64 {
	for i := range r.Extra {
		if r.Extra[i].Name == innerField {
			n, err := strconv.ParseInt(r.Extra[i].Text(), 10, 64)
			if err != nil {
				return 0
			}
			return max(n, 0)
		}
	}
	return 0
}

// SetInner notes where in its unpacked member the record begins; 0 is not written.
func (r *Record) SetInner(n int64) {
	if n > 0 {
		r.Extra = append(r.Extra, Field{innerField, strconv.FormatInt(n, 10)})
	}
}

const innerField = "inner"

// Capture gives the record in the words of the root package.
func (r *Record) Capture() (varve.Capture, error) {
	t, err := r.Time()
	if err != nil {
		return varve.Capture{}, err
	}
	return varve.Capture{
		URL: r.URL, Time: t, Within: r.Within, Status: r.Status, MIME: r.MIME, Digest: NormalDigest(r.Digest),
		Location: varve.Location{File: r.Filename, Offset: r.Offset, Length: r.Length, Inner: r.Inner()},
	}, nil
}

// IsRevisit tells whether the record only says that nothing changed.
func (r *Record) IsRevisit() bool { return r.MIME == "warc/revisit" }

// IsNotModified tells lines of revisits by which a server said that nothing changed, and nothing else: 304, or
// no status at all. Players of others take the status from them and show a blank page, so they are left out of
// what is made for these.
func (r *Record) IsNotModified() bool {
	if !r.IsRevisit() || r.Status != 0 {
		return r.IsRevisit() && r.Status == 304
	}
	_, says := r.Get("notModified")
	return says
}

// Get gives a field of Extra: the text of a string, the JSON of anything else.
func (r *Record) Get(name string) (string, bool) {
	for i := range r.Extra {
		if r.Extra[i].Name == name {
			return r.Extra[i].Text(), true
		}
	}
	return "", false
}

// Text gives the text of a string, and the JSON of any other value.
func (f *Field) Text() string {
	if len(f.JSON) < 2 || f.JSON[0] != '"' {
		return f.JSON
	}
	if inner := f.JSON[1 : len(f.JSON)-1]; plainText(inner) {
		return inner
	}
	var s string
	if err := json.Unmarshal([]byte(f.JSON), &s); err != nil {
		return f.JSON
	}
	return s
}

// Set puts a string into Extra, in place of an older one of that name.
func (r *Record) Set(name, value string) {
	f := Field{name, string(appendString(nil, value))}
	if i := slices.IndexFunc(r.Extra, func(f Field) bool { return f.Name == name }); i >= 0 {
		r.Extra[i] = f
		return
	}
	r.Extra = append(r.Extra, f)
}

// Check tells why a record cannot be written: its key must be one word, its timestamp 14 or 17
// digits, and its extra values one line.
func (r *Record) Check() error {
	if r.Key == "" || strings.ContainsAny(r.Key, " \t\r\n") || r.Key[0] == '!' {
		return fmt.Errorf("key %q is not one word", clip(r.Key))
	}
	if err := checkTimestamp(r.Timestamp); err != nil {
		return err
	}
	if r.Within != "" && !(isWithin(r.Within) && len(r.Timestamp) == 14) {
		return fmt.Errorf("digits %q behind the second %s", clip(r.Within), r.Timestamp)
	}
	for i := range r.Extra {
		if !json.Valid([]byte(r.Extra[i].JSON)) || strings.ContainsAny(r.Extra[i].JSON, "\r\n") {
			return fmt.Errorf("field %q is not JSON on one line", clip(r.Extra[i].Name))
		}
	}
	return nil
}

// Time gives the instant of the timestamp, in UTC. Addresses and answers name captures by it, so it has the seconds that
// these have; Within orders the captures of one second.
func (r *Record) Time() (time.Time, error) { return ParseTimestamp(r.Timestamp) }

// Instant returns Time as exactly as the record knows it.
func (r *Record) Instant() (time.Time, error) {
	t, err := r.Time()
	for i, unit := 0, 100*time.Millisecond; err == nil && i < len(r.Within); i, unit = i+1, unit/10 {
		t = t.Add(time.Duration(r.Within[i]-'0') * unit)
	}
	return t, err
}

// Within returns the digits of an instant behind its second, as Record.Within has them.
func Within(t time.Time) string {
	return strings.TrimRight(t.UTC().Format(".000000000")[1:], "0")
}

// isWithin reports whether a text may be the digits behind a second, in the one way in which they are written.
func isWithin(s string) bool {
	return s != "" && len(s) <= 9 && strings.Trim(s, "0123456789") == "" && s[len(s)-1] != '0'
}

// Timestamp writes an instant as 14 digits.
func Timestamp(t time.Time) string { return t.UTC().Format("20060102150405") }

// Timestamp17 writes an instant as 17 digits, with milliseconds.
func Timestamp17(t time.Time) string {
	return strings.Replace(t.UTC().Format("20060102150405.000"), ".", "", 1)
}

// ParseTimestamp reads 14 or 17 digits.
func ParseTimestamp(s string) (time.Time, error) {
	if err := checkTimestamp(s); err != nil {
		return time.Time{}, err
	}
	text := s
	layout := "20060102150405"
	if len(s) == 17 {
		layout, text = layout+".000", s[:14]+"."+s[14:]
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("timestamp %q is no date", s)
	}
	return t, nil
}

func checkTimestamp(s string) error {
	ok := len(s) == 14 || len(s) == 17
	for i := 0; ok && i < len(s); i++ {
		ok = s[i] >= '0' && s[i] <= '9'
	}
	if !ok {
		return fmt.Errorf("timestamp %q is not 14 or 17 digits", clip(s))
	}
	return nil
}

// clip shortens text for an error message.
func clip(s string) string {
	if len(s) > 120 {
		return s[:120] + "..."
	}
	return s
}
