package robots

import (
	"slices"
	"strings"
	"time"
)

// Tag is what a page says about itself in a robots meta element or an X-Robots-Tag header. Several
// of them add up: the more restrictive word wins.
type Tag struct {
	NoIndex          bool      `json:"noindex,omitempty"`
	NoFollow         bool      `json:"nofollow,omitempty"`
	NoArchive        bool      `json:"noarchive,omitempty"`
	UnavailableAfter time.Time `json:"unavailable_after,omitzero"` // the earliest one named
	Words            []string  `json:"words,omitempty"`            // every directive met, lower case, in order, once
}

// Zero tells that the page says nothing.
func (t Tag) Zero() bool { return len(t.Words) == 0 }

// maxWords bounds what one page can make us keep.
const maxWords = 64

// Add joins two tags.
func (t Tag) Add(o Tag) Tag {
	t.NoIndex = t.NoIndex || o.NoIndex
	t.NoFollow = t.NoFollow || o.NoFollow
	t.NoArchive = t.NoArchive || o.NoArchive
	if t.UnavailableAfter.IsZero() || !o.UnavailableAfter.IsZero() && o.UnavailableAfter.Before(t.UnavailableAfter) {
		t.UnavailableAfter = o.UnavailableAfter
	}
	words := slices.Clone(t.Words)
	for _, w := range o.Words {
		if len(words) < maxWords && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	t.Words = words
	return t
}

// ParseMeta reads <meta name="robots" content="...">. The name may also be a crawler's product token;
// an element for another crawler says nothing to us.
func ParseMeta(name, content, token string) Tag {
	name = strings.TrimSpace(name)
	if !strings.EqualFold(name, "robots") && (token == "" || !strings.EqualFold(name, token)) {
		return Tag{}
	}
	return parseTag(content, "", false)
}

// ParseHeader reads the values of all X-Robots-Tag headers of one answer, those for everybody and
// those for the product token: "noindex", "varve: noarchive, nofollow".
func ParseHeader(values []string, token string) Tag {
	var t Tag
	for _, v := range values {
		t = t.Add(parseTag(v, token, true))
	}
	return t
}

// valued are the directives with a value, whose colon does not name a crawler.
var valued = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

// parseTag reads a comma-separated list. In a header a word with a colon names the crawler for
// which the rest of the value is meant.
func parseTag(content, token string, header bool) Tag {
	var t Tag
	ours := true
	parts := strings.Split(content, ",")
	for i := 0; i < len(parts) && len(t.Words) < maxWords; i++ {
		word := strings.TrimSpace(parts[i])
		name, value, colon := strings.Cut(word, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if colon && header && !slices.Contains(valued, name) {
			ours = token != "" && strings.EqualFold(name, token)
			name, value, colon = strings.Cut(strings.TrimSpace(value), ":")
			name = strings.ToLower(strings.TrimSpace(name))
		}
		var when time.Time
		if name == "unavailable_after" {
			var used int
			when, used = parseDate(value, parts[i+1:])
			i += used
		}
		if ours && name != "" {
			t = t.Add(directive(name, strings.TrimSpace(value), colon, when))
		}
	}
	return t
}

// directive is the tag of a single directive.
func directive(name, value string, colon bool, when time.Time) Tag {
	all := name == "none" // noindex and nofollow together
	t := Tag{
		NoIndex:          all || name == "noindex",
		NoFollow:         all || name == "nofollow",
		NoArchive:        name == "noarchive" || name == "nocache",
		UnavailableAfter: when,
	}
	if colon && value != "" && when.IsZero() {
		name += ":" + strings.ToLower(value)
	}
	t.Words = []string{name}
	return t
}

// dateLayouts are the forms of unavailable_after seen in the wild.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02", "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC1123, time.RFC1123Z, time.RFC850,
	time.RFC822, time.RFC822Z, "2 Jan 2006 15:04:05 MST", "02-Jan-2006 15:04:05 MST", "02-Jan-06 15:04:05 MST", "2 Jan 2006",
}

// parseDate reads a date that may itself contain commas: it takes up to two more parts of the list,
// and says how many it took.
func parseDate(value string, more []string) (time.Time, int) {
	for used := 0; used <= 2; used++ {
		v := strings.TrimSpace(value)
		for _, layout := range dateLayouts {
			if t, err := time.Parse(layout, v); err == nil {
				return t.UTC(), used
			}
		}
		if used >= len(more) {
			break
		}
		value += "," + more[used]
	}
	return time.Time{}, 0
}
