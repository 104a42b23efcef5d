package hls

import (
	"strconv"
	"strings"
	"time"
)

// attributes are NAME=value pairs of a tag, quotes taken off, in the order they stand.
type attributes []attribute

type attribute struct {
	name, value string
	quoted      bool
}

// parseAttributes reads the attributes of a tag; ok tells whether all of it could be read.
func parseAttributes(l Line) (out attributes, ok bool) {
	ok = l.attributes(func(a Attribute) bool {
		out = append(out, attribute{string(a.Name), string(a.Value), a.Quoted})
		return true
	})
	return out, ok
}

// get gives the value of an attribute, or "".
func (a attributes) get(name string) string {
	for i := range a {
		if a[i].name == name {
			return a[i].value
		}
	}
	return ""
}

func (a attributes) is(name string) bool { return a.get(name) == "YES" }

func (a attributes) integer(name string) int64 {
	n, err := strconv.ParseInt(a.get(name), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// size reads 1920x1080.
func (a attributes) size(name string) (width, height int) {
	w, h, ok := strings.Cut(strings.ToLower(a.get(name)), "x")
	width, err := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err != nil || err2 != nil || width < 0 || height < 0 {
		return 0, 0
	}
	return width, height
}

// String writes the attributes again.
func (a attributes) String() string {
	var b strings.Builder
	for i, x := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(x.name + "=")
		if x.quoted {
			b.WriteString(`"` + x.value + `"`)
		} else {
			b.WriteString(x.value)
		}
	}
	return b.String()
}

// maxSeconds bounds durations: what is longer than a month is a mistake.
const maxSeconds = 31 * 24 * 3600

// parseSeconds reads decimal seconds.
func parseSeconds(s string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0 && f <= maxSeconds) {
		return 0, false
	}
	return time.Duration(f * float64(time.Second)), true
}

// parseDate reads the dates of the standard; servers leave the colon of the zone out.
func parseDate(s string) (time.Time, bool) {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
