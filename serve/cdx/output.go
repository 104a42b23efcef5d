package cdx

import (
	"bufio"
	"fmt"
	"strings"

	"varve/archive/cdxj"
)

// Links makes the addresses of a TimeMap.
type Links struct {
	Self     string                    // of the TimeMap; may be empty
	TimeGate string                    // of the URL; may be empty
	Memento  func(*cdxj.Record) string // of a capture; nil: its address with the time before it
}

// contentType tells the media type of an answer.
func (r *Request) contentType() string {
	switch {
	case r.Output == OutputCDXJ:
		return "text/x-cdxj; charset=utf-8"
	case r.Output == OutputLink:
		return "application/link-format"
	case r.Output == OutputJSON && r.Dialect == Pywb:
		return "text/x-ndjson; charset=utf-8"
	case r.Output == OutputJSON:
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}

// printer writes rows in one form.
type printer interface {
	begin() error
	row(r *row) error
	end(resume string) error
}

// printer gives that of the request. w is flushed by the caller.
func (r *Request) printer(w *bufio.Writer, links Links) printer {
	p := lines{w: w, names: r.columns(), dialect: r.Dialect}
	for _, n := range p.names {
		field, _ := fieldOf(n) // checked by parseOutput
		p.fields = append(p.fields, field)
	}
	switch {
	case r.Output == OutputLink:
		return &linkPrinter{w: w, links: links, target: r.target}
	case r.Output == OutputCDXJ:
		return &cdxjPrinter{lines: p, some: r.fields != nil}
	case r.Output == OutputJSON && r.Dialect == IA:
		return &arrayPrinter{lines: p}
	case r.Output == OutputJSON:
		return &objectPrinter{lines: p, some: r.fields != nil}
	}
	return &textPrinter{lines: p, header: r.Output == OutputCDX11}
}

// columns names the fields of an answer: those asked for, and those that other parameters add.
func (r *Request) columns() []string {
	out := r.fields
	if out == nil {
		switch {
		case r.Dialect == IA && (r.Output == OutputText || r.Output == OutputJSON):
			out = fieldsIA
		default:
			out = fieldsText
		}
	}
	out = append([]string{}, out...)
	for _, add := range []struct {
		on   bool
		name string
	}{{r.dupes, "dupecount"}, {r.skips, "skipcount"}, {r.lastSkip, "endtimestamp"}} {
		if add.on {
			out = append(out, add.name)
		}
	}
	if r.resolve {
		out = append(out, origFields...)
	}
	return out
}

// lines is what printers of lines have in common.
type lines struct {
	w       *bufio.Writer
	names   []string // as asked
	fields  []string // as CDXJ names them
	dialect Dialect
}

func (lines) begin() error { return nil }

// end writes the resume key behind a blank line.
func (l lines) end(resume string) error {
	if resume == "" {
		return nil
	}
	_, err := fmt.Fprintf(l.w, "\n%s\n", resume)
	return err
}

type textPrinter struct {
	lines
	header bool
}

func (p *textPrinter) begin() error {
	if !p.header {
		return nil
	}
	_, err := p.w.WriteString(cdxj.CDX11.Header() + "\n")
	return err
}

func (p *textPrinter) row(r *row) error {
	d := p.dialect
	if p.header {
		d = IA // digests without prefix
	}
	for i, f := range p.fields {
		if i > 0 {
			_ = p.w.WriteByte(' ')
		}
		_, _ = p.w.WriteString(r.word(f, d))
	}
	return p.w.WriteByte('\n') // errors of a buffered writer stick
}

// objectPrinter writes pywb's JSON: an object a line, all values as strings.
type objectPrinter struct {
	lines
	some bool // only the fields asked for
}

func (p *objectPrinter) row(r *row) error {
	b := p.object(nil, r, p.some, true)
	_, err := p.w.Write(append(b, '\n'))
	return err
}

// object writes the fields of a row as JSON. All of them, unless some were asked for.
func (l *lines) object(b []byte, r *row, some, head bool) []byte {
	b = append(b, '{')
	first := true
	put := func(name, text string) {
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(append(cdxj.AppendString(b, name), ": "...), text...)
	}
	done := map[string]bool{}
	for i, f := range l.fields {
		done[f] = true
		if !head && (f == "urlkey" || f == "timestamp") {
			continue
		}
		if v, ok := r.value(f); ok && v != "" {
			put(l.names[i], string(cdxj.AppendString(nil, v)))
		}
	}
	if !some {
		for _, x := range r.Extra {
			if !done[x.Name] {
				put(x.Name, x.JSON)
			}
		}
	}
	return append(b, '}')
}

type cdxjPrinter struct {
	lines
	some bool
}

func (p *cdxjPrinter) row(r *row) error {
	b := append(append([]byte(r.Key), ' '), r.Timestamp...)
	b = append(b, ' ')
	b = p.object(b, r, p.some, false)
	_, err := p.w.Write(append(b, '\n'))
	return err
}

// arrayPrinter writes the JSON of the Internet Archive: an array of arrays, the first with names.
type arrayPrinter struct {
	lines
	started bool
}

func (p *arrayPrinter) row(r *row) error {
	if !p.started {
		p.started = true
		p.array("[", p.names)
	}
	values := make([]string, len(p.fields))
	for i, f := range p.fields {
		values[i] = r.word(f, p.dialect)
	}
	p.array(",\n", values)
	return nil
}

func (p *arrayPrinter) array(before string, values []string) {
	b := append([]byte(before), '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = cdxj.AppendString(b, v)
	}
	_, _ = p.w.Write(append(b, ']')) // errors of a buffered writer stick
}

func (p *arrayPrinter) end(resume string) error {
	if !p.started {
		_, err := p.w.WriteString("[]\n")
		return err
	}
	if resume != "" {
		_, _ = p.w.WriteString(",\n[]")
		p.array(",\n", []string{resume})
	}
	_, err := p.w.WriteString("]\n")
	return err
}

// linkPrinter writes a TimeMap. The first and the last memento are told as such, so a row is held
// back until the next is known.
type linkPrinter struct {
	w      *bufio.Writer
	links  Links
	target string
	held   *row
	n      int
}

func (p *linkPrinter) begin() error { return nil }

func (p *linkPrinter) row(r *row) error {
	if p.held == nil && p.n == 0 {
		p.head(r)
	}
	if p.held != nil {
		p.memento(p.held, false)
	}
	now := *r
	p.held = &now
	return nil
}

// head writes the links that are not mementos.
func (p *linkPrinter) head(r *row) {
	original := r.URL
	if original == "" {
		original = p.target
	}
	fmt.Fprintf(p.w, `<%s>; rel="original"`, clean(original))
	if p.links.Self != "" {
		fmt.Fprintf(p.w, ",\n"+`<%s>; rel="self"; type="application/link-format"`, clean(p.links.Self))
	}
	if p.links.TimeGate != "" {
		fmt.Fprintf(p.w, ",\n"+`<%s>; rel="timegate"`, clean(p.links.TimeGate))
	}
}

func (p *linkPrinter) memento(r *row, last bool) {
	rel := "memento"
	if last {
		rel = "last memento"
	}
	if p.n == 0 {
		rel = "first " + rel
	}
	p.n++
	date := ""
	if t, err := r.Time(); err == nil {
		date = fmt.Sprintf(`; datetime="%s"`, t.UTC().Format(rfc1123GMT))
	}
	fmt.Fprintf(p.w, ",\n"+`<%s>; rel="%s"%s`, clean(p.address(&r.Record)), rel, date)
}

func (p *linkPrinter) address(r *cdxj.Record) string {
	if p.links.Memento != nil {
		return p.links.Memento(r)
	}
	return r.Timestamp + "/" + r.URL
}

func (p *linkPrinter) end(string) error {
	if p.held == nil {
		return nil
	}
	p.memento(p.held, true)
	return p.w.WriteByte('\n')
}

// rfc1123GMT is the date form of HTTP.
const rfc1123GMT = "Mon, 02 Jan 2006 15:04:05 GMT"

// clean keeps an address inside of its angle brackets.
func clean(s string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\r", "", "\n", "").Replace(s)
}
