package survey

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// label is a line of a label file: somebody's judgement on a host.
type label struct {
	Host  string    `json:"host"`
	Label string    `json:"label"`
	Class string    `json:"class"` // another name of label
	Time  time.Time `json:"time"`
}

// classes are what labels mean; "" is none.
var classes = map[string]string{
	Spam: Spam, Normal: Normal, "nonspam": Normal, "ham": Normal, "undecided": "", "borderline": "", "unknown": "",
}

// maxLine bounds a line of a label file.
const maxLine = 1 << 20

// ReadLabels reads labels into a map from host to Spam or Normal. Lines are JSON objects with host and label (docs/formats/labels.md), or
// a host and a label with a comma or a tab between them; # begins a comment. Undecided takes a
// host's label away; labels of other questions (genre, trust) are passed over; of two for one host the later counts, by time where both have one.
func ReadLabels(r io.Reader, into map[string]string) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	when := map[string]time.Time{}
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		l, err := parseLabel(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		class, known := classes[strings.ToLower(l.Label)]
		if !known || l.Host == "" || n == 1 && (l.Host == "host" || l.Host == "hostid") || l.Time.Before(when[l.Host]) && !l.Time.IsZero() {
			continue
		}
		when[l.Host] = l.Time
		if class == "" {
			delete(into, l.Host)
		} else {
			into[l.Host] = class
		}
	}
	return in.Err()
}

func parseLabel(line string) (l label, err error) {
	if line[0] == '{' {
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			return l, err
		}
		if l.Label == "" {
			l.Label = l.Class
		}
		return l, nil
	}
	host, rest, ok := strings.Cut(line, "\t")
	if !ok {
		host, rest, ok = strings.Cut(line, ",")
	}
	if !ok {
		return l, fmt.Errorf("%.60q is neither a JSON object nor HOST,LABEL", line)
	}
	rest, _, _ = strings.Cut(rest, ",")
	l.Host, l.Label = strings.ToLower(strings.Trim(host, ` "`)), strings.Trim(rest, ` "`)
	return l, nil
}
