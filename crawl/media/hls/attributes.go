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

// maxAttributes bounds the attributes of one tag.
const maxAttributes = 64

// parseAttributes reads NAME=value,NAME="value, with comma",... Names are upper case letters, digits and
// dashes; what is none ends the list and is told by ok.
func parseAttributes(s string) (out attributes, ok bool) {
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		name, rest, found := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if !found || name == "" || strings.ContainsAny(name, `",`) || len(out) == maxAttributes {
			return out, false
		}
		a := attribute{name: name}
		if strings.HasPrefix(rest, `"`) {
			a.quoted = true
			a.value, rest, found = strings.Cut(rest[1:], `"`)
			if !found {
				return append(out, a), false
			}
			_, s, _ = strings.Cut(rest, ",")
		} else {
			a.value, s, _ = strings.Cut(rest, ",")
			a.value = strings.TrimSpace(a.value)
		}
		out = append(out, a)
	}
	return out, true
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
