package survey

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"varve/spam/label"
)

// classes are what labels in lists mean; "" is none.
var classes = map[string]string{
	Spam: Spam, Normal: Normal, "nonspam": Normal, "ham": Normal, "undecided": "", "borderline": "", "unknown": "",
}

// maxLine bounds a line of a list of labels.
const maxLine = 1 << 20

// Judge takes the labels in force into a map from host to Spam or Normal; undecided ones take a host out.
func Judge(latest map[string]label.Entry, into map[string]string) {
	for host, e := range latest {
		host, _, _ = strings.Cut(host, ":") // features are of host names: ports share them
		switch e.Label {
		case label.Spam:
			into[host] = Spam
		case label.Normal:
			into[host] = Normal
		default:
			delete(into, host)
		}
	}
}

// ReadLabels reads labels into a map from host to Spam or Normal: a label file (docs/formats/labels.md), or lines of a host and a label with a
// comma or a tab between them, where # begins a comment and the first line may name the columns. Of two for one host the later counts.
func ReadLabels(r io.Reader, into map[string]string) error {
	in := bufio.NewReaderSize(r, 64<<10)
	if first, err := in.Peek(1); err == nil && first[0] == '{' {
		var all []label.Entry
		err := label.Read(in, func(e label.Entry) error { all = append(all, e); return nil })
		Judge(label.Latest(all), into)
		return err
	} else if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return readList(in, into)
}

func readList(r io.Reader, into map[string]string) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		host, word, err := parseLabel(line)
		class, known := classes[word]
		switch {
		case err != nil:
			return fmt.Errorf("line %d: %w", n, err)
		case !known && n == 1: // names of columns
		case !known:
			return fmt.Errorf("line %d: %.60q is not a label: spam, normal, nonspam or undecided", n, word)
		case class == "":
			delete(into, host)
		default:
			into[host] = class
		}
	}
	return in.Err()
}

// parseLabel reads HOST,LABEL; what follows is passed over.
func parseLabel(line string) (host, word string, err error) {
	host, rest, ok := strings.Cut(line, "\t")
	if !ok {
		host, rest, ok = strings.Cut(line, ",")
	}
	if !ok {
		return "", "", fmt.Errorf("%.60q is not HOST,LABEL", line)
	}
	rest, _, _ = strings.Cut(rest, ",")
	return strings.ToLower(strings.Trim(host, ` "`)), strings.ToLower(strings.Trim(rest, ` "`)), nil
}
