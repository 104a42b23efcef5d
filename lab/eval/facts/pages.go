package facts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"strings"

	"varve/entity"
	"varve/fact"
	"varve/lab/eval"
	"varve/language/mention"
)

// Page is a text about one thing.
type Page struct {
	ID       string // of its topic: the name of the page
	Topic    fact.Topic
	Relation string // that is asked for
	Text     string
}

// line is a line of either set: kb/movies.jsonl or facts/timeqa.
type line struct {
	Title   string   `json:"title"`
	Year    int      `json:"year"`
	Href    string   `json:"href"`
	Cast    []string `json:"cast"`
	Extract string   `json:"extract"`

	Page      string   `json:"page"`
	Relation  string   `json:"relation"`
	Paras     []string `json:"paras"`
	Questions []struct {
		Q       string `json:"q"`
		Answers []struct {
			Answer string `json:"answer"`
		} `json:"answers"`
	} `json:"questions"`
}

// CastOf is the relation of the films.
const CastOf = "cast_of"

// lines goes through a file of either set.
func lines(path string, each func(n int, l *line) error) error {
	r, err := eval.Open(path, "")
	if err != nil {
		return err
	}
	defer r.Close()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	for n := 1; in.Scan(); n++ {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		if l.Page == "" && l.Title == "" {
			return fmt.Errorf("%s, line %d: it is neither a film (title, year, cast, extract) nor a page of TimeQA (page, relation, paras, questions)", path, n)
		}
		if err := each(n, &l); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	return in.Err()
}

// ReadPages reads the texts of a set; films without an extract are passed over.
func ReadPages(path string) (out []Page, err error) {
	seen := map[string]bool{}
	err = lines(path, func(_ int, l *line) error {
		p := l.topic()
		if l.Page != "" {
			var paras []string
			for _, x := range l.Paras {
				paras = append(paras, untokenised(x))
			}
			p.Text = strings.Join(paras, "\n\n")
		} else {
			p.Text = l.Extract
		}
		if p.Text != "" && !seen[p.ID+"\x00"+p.Relation] { // some films are listed twice
			seen[p.ID+"\x00"+p.Relation] = true
			out = append(out, p)
		}
		return nil
	})
	return out, err
}

// topic returns the page of a line without its text.
func (l *line) topic() Page {
	if l.Page == "" {
		id := strings.ReplaceAll(l.Href, "_", " ")
		if id == "" {
			id = fmt.Sprintf("%s (%d film)", l.Title, l.Year)
		}
		return Page{ID: id, Topic: fact.Topic{Name: l.Title, Kind: mention.Work}, Relation: CastOf}
	}
	id := strings.ReplaceAll(strings.TrimPrefix(l.Page, "/wiki/"), "_", " ")
	name, _, _ := strings.Cut(id, " (")
	return Page{ID: id, Topic: fact.Topic{Name: name}, Relation: l.Relation}
}

// signs are what stands apart in tokenised text.
var signs = strings.NewReplacer(" . ", ". ", " , ", ", ", " ; ", "; ", " : ", ": ", " ( ", " (", " ) ", ") ", " 's", "'s")

// untokenised puts signs back to the words that they belong to.
func untokenised(s string) string { return strings.TrimSpace(signs.Replace(s + " ")) }

// fold is 0 or 1, by the page alone.
func (p *Page) fold() int {
	h := fnv.New32a()
	_, _ = io.WriteString(h, p.ID)
	return int(h.Sum32() >> 8 & 1)
}

// Truth is a fact that is known of a set.
type Truth struct {
	Subject, Relation, Object string
	fact.Known
}

// header is the first line of a list of facts.
const header = "subject\trelation\tobject\tbegin\tend"

// ReadTruth reads a list of facts: subject, relation, object, begin and end, with tabs between them; times are years, months or days, and may be empty.
func ReadTruth(path string) (out []Truth, err error) {
	r, err := eval.Open(path, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		c := strings.Split(strings.TrimRight(in.Text(), "\r"), "\t")
		if len(c) == 1 && c[0] == "" || n == 1 && c[0] == "subject" {
			continue
		}
		if len(c) < 4 {
			return nil, fmt.Errorf("%s, line %d: want subject, relation, object, begin and end with tabs between them, and there are %d columns", path, n, len(c))
		}
		t := Truth{Subject: c[0], Relation: c[1], Object: c[2], Known: fact.Known{Subject: c[0], Object: c[2]}}
		for i, to := range []*fact.Time{&t.Begin, &t.End} {
			if len(c) > 3+i && c[3+i] != "" {
				if *to, err = fact.ParseTime(c[3+i]); err != nil {
					return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
				}
			}
		}
		out = append(out, t)
	}
	return out, in.Err()
}

// Convert writes the facts that a set knows as a list that ReadTruth reads: of films the cast with its year, of TimeQA what its questions ask and answer, with the times that they name. What could not be
// converted is counted by reason.
func Convert(path string, w io.Writer) (written int, left map[string]int, err error) {
	left = map[string]int{}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, header)
	seen := map[string]bool{}
	put := func(columns ...string) {
		for i := range columns {
			columns[i] = strings.Join(strings.Fields(columns[i]), " ")
		}
		if l := strings.Join(columns, "\t"); !seen[l] {
			seen[l] = true
			written++
			fmt.Fprintln(out, l)
		}
	}
	err = lines(path, func(_ int, l *line) error {
		p := l.topic()
		for _, name := range l.Cast {
			if !strings.Contains(name, " ") {
				left["cast without a full name"]++
				continue
			}
			put(name, CastOf, p.ID, fmt.Sprint(l.Year), fmt.Sprint(l.Year))
		}
		for _, q := range l.Questions {
			begin, end, ok := asked(q.Q)
			if !ok {
				left["question without times that are understood"]++
				continue
			}
			for _, a := range q.Answers {
				if strings.TrimSpace(a.Answer) == "" {
					left["question without an answer"]++
					continue
				}
				put(p.ID, p.Relation, untokenised(a.Answer), begin, end)
			}
		}
		return nil
	})
	if err != nil {
		return written, left, err
	}
	return written, left, out.Flush()
}

var (
	askedDate = `((?:[A-Z][a-z]+ )?\d{3,4})`
	spans     = regexp.MustCompile(`(?i:from|between)(?: the years?)? ` + askedDate + ` (?:to|and|until) ` + askedDate)
	instants  = regexp.MustCompile(`(?i:in|during) ` + askedDate + `\b`)
	months    = map[string]string{"jan": "01", "feb": "02", "mar": "03", "apr": "04", "may": "05", "jun": "06", "jul": "07", "aug": "08", "sep": "09", "oct": "10", "nov": "11", "dec": "12"}
)

// asked returns the times of a question: "from Jul 2001 to Jun 2002" is 2001-07, 2002-06; "in 1989" is 1989 twice.
func asked(q string) (begin, end string, ok bool) {
	if m := spans.FindStringSubmatch(q); m != nil {
		begin, end = date(m[1]), date(m[2])
	} else if m := instants.FindStringSubmatch(q); m != nil {
		begin, end = date(m[1]), date(m[1])
	}
	return begin, end, begin != "" && end != ""
}

// date returns "Jul 2001" as 2001-07; "" if it is no date.
func date(s string) string {
	month, year, two := strings.Cut(s, " ")
	if !two {
		return fmt.Sprintf("%04s", s)
	}
	if m := months[strings.ToLower(month[:min(3, len(month))])]; m != "" {
		return fmt.Sprintf("%04s-%s", year, m)
	}
	return ""
}

// key is how names are compared: by their words, without an article before them.
func key(name string) string { return strings.TrimPrefix(entity.Key(name), "the ") }
