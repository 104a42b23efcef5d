package country

import (
	_ "embed"
	"fmt"
	"strings"
	"time"
)

//go:embed chronicle.txt
var chronicleText string

//go:embed phrases.txt
var phrasesText string

// phrases are sentences by subject.
type phrases map[string][]string

func readPhrases(text string) (phrases, error) {
	out := phrases{}
	subject := ""
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "== "); ok {
			subject = name
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if subject == "" {
			return nil, fmt.Errorf("phrases, line %d: a sentence before the first subject", n+1)
		}
		out[subject] = append(out[subject], line)
	}
	return out, nil
}

// draw fills one of the sentences of a subject.
func (p phrases) draw(f *slots, subject string) string {
	list := p[subject]
	if len(list) == 0 {
		return ""
	}
	return f.fill(list[f.s.IntN(len(list))])
}

// Event is a story that was written by hand.
type Event struct {
	Time    time.Time
	Section string
	Tags    []string
	Title   string
	Text    []string
}

// Events lists what happens in the country, in order of time.
func Events() ([]Event, error) { return readChronicle(chronicleText) }

func readChronicle(text string) ([]Event, error) {
	var out []Event
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if head, title, ok := strings.Cut(line, " | "); ok {
			words := strings.Fields(head)
			if len(words) < 3 {
				return nil, fmt.Errorf("chronicle, line %d: want date, section and tags", n+1)
			}
			at, err := time.Parse(time.DateOnly, words[0])
			if err != nil {
				return nil, fmt.Errorf("chronicle, line %d: %w", n+1, err)
			}
			out = append(out, Event{Time: at.Add(6 * time.Hour), Section: words[1], Tags: words[2:], Title: title})
			continue
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("chronicle, line %d: a paragraph before the first story", n+1)
		}
		e := &out[len(out)-1]
		e.Text = append(e.Text, line)
	}
	return out, nil
}

// slug makes a path segment of a title.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == ' ' || r == '-':
			if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
				b.WriteByte('-')
			}
		}
		if b.Len() >= 56 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
