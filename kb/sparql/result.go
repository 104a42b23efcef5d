package sparql

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"strings"

	"varve/kb/rdf"
)

// ResultFormat is a way to write solutions down.
type ResultFormat uint8

// The formats of solutions.
const (
	ResultJSON ResultFormat = iota + 1
	ResultXML
	ResultCSV
	ResultTSV
)

var resultFormats = [...]struct {
	name, media string
}{
	ResultJSON: {"json", "application/sparql-results+json"},
	ResultXML:  {"xml", "application/sparql-results+xml"},
	ResultCSV:  {"csv", "text/csv"},
	ResultTSV:  {"tsv", "text/tab-separated-values"},
}

// ResultFormats returns all formats.
func ResultFormats() []ResultFormat {
	return []ResultFormat{ResultJSON, ResultXML, ResultCSV, ResultTSV}
}

// ResultFormatOf returns the format that a name or media type means; 0 if none does.
func ResultFormatOf(s string) ResultFormat {
	media, _, err := mime.ParseMediaType(s)
	if err != nil {
		media = s
	}
	for _, f := range ResultFormats() {
		known := resultFormats[f]
		if strings.EqualFold(s, known.name) || media == known.media {
			return f
		}
	}
	switch media {
	case "application/json":
		return ResultJSON
	case "application/xml", "text/xml":
		return ResultXML
	}
	return 0
}

// String returns the name of the format.
func (f ResultFormat) String() string { return resultFormats[f].name }

// MediaType returns the registered media type.
func (f ResultFormat) MediaType() string { return resultFormats[f].media }

// Write writes the solutions of Select, or the answer of Ask, as they are computed. It returns how many solutions it
// wrote. An error in the middle leaves a document that ends there.
func (r *Result) Write(w io.Writer, f ResultFormat) (int64, error) {
	out := bufio.NewWriterSize(w, 32<<10)
	var n int64
	var err error
	switch {
	case r.Form == Ask:
		r.writeBoolean(out, f)
	case r.Form != Select:
		return 0, fmt.Errorf("the answer is a graph: it is written as RDF, not as %s", f)
	default:
		n, err = r.writeSolutions(out, f)
	}
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	return n, err
}

func (r *Result) writeBoolean(w *bufio.Writer, f ResultFormat) {
	switch f {
	case ResultJSON:
		fmt.Fprintf(w, "{\"head\":{},\"boolean\":%t}\n", r.Boolean)
	case ResultXML:
		fmt.Fprintf(w, "%s<head/><boolean>%t</boolean></sparql>\n", xmlHead, r.Boolean)
	default: // the standard of CSV and TSV has no answers of Ask
		fmt.Fprintf(w, "%t\n", r.Boolean)
	}
}

const xmlHead = "<?xml version=\"1.0\"?>\n<sparql xmlns=\"http://www.w3.org/2005/sparql-results#\">"

// solutionWriter writes solutions in one format.
type solutionWriter struct {
	head func(w *bufio.Writer, vars []string)
	row  func(w *bufio.Writer, vars []string, row []rdf.Term, first bool)
	end  string
}

var solutionWriters = map[ResultFormat]solutionWriter{
	ResultJSON: {jsonHead, jsonRow, "\n]}}\n"},
	ResultXML:  {xmlVars, xmlRow, "</results></sparql>\n"},
	ResultCSV:  {csvHead, csvRow, ""},
	ResultTSV:  {tsvHead, tsvRow, ""},
}

func (r *Result) writeSolutions(w *bufio.Writer, f ResultFormat) (int64, error) {
	format := solutionWriters[f]
	format.head(w, r.Vars)
	var n int64
	for row, err := range r.Solutions {
		if err != nil {
			return n, err
		}
		format.row(w, r.Vars, row, n == 0)
		n++
	}
	_, err := w.WriteString(format.end)
	return n, err
}

func jsonHead(w *bufio.Writer, vars []string) {
	if vars == nil {
		vars = []string{}
	}
	names, _ := json.Marshal(vars)
	fmt.Fprintf(w, "{\"head\":{\"vars\":%s},\"results\":{\"bindings\":[", names)
}

// jsonTerm is a term in the JSON format.
type jsonTerm struct {
	Type     string `json:"type"`
	Value    string `json:"value"`
	Lang     string `json:"xml:lang,omitempty"`
	Datatype string `json:"datatype,omitempty"`
}

func jsonRow(w *bufio.Writer, vars []string, row []rdf.Term, first bool) {
	sep := ",\n{"
	if first {
		sep = "\n{"
	}
	w.WriteString(sep)
	comma := ""
	for i, t := range row {
		if t.Kind == rdf.None {
			continue
		}
		j := jsonTerm{Type: "uri", Value: t.Value, Lang: t.Lang}
		switch t.Kind {
		case rdf.Blank:
			j.Type = "bnode"
		case rdf.Literal:
			j.Type = "literal"
			if t.Lang == "" && t.Datatype != rdf.String {
				j.Datatype = t.Datatype
			}
		}
		name, _ := json.Marshal(vars[i])
		value, _ := json.Marshal(j)
		fmt.Fprintf(w, "%s%s:%s", comma, name, value)
		comma = ","
	}
	w.WriteString("}")
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#xD;")

func xmlVars(w *bufio.Writer, vars []string) {
	w.WriteString(xmlHead + "<head>")
	for _, v := range vars {
		fmt.Fprintf(w, "<variable name=\"%s\"/>", v)
	}
	w.WriteString("</head><results>\n")
}

// xmlText escapes what XML can hold; characters that it cannot hold become U+FFFD, as the format has no way to say them.
func xmlText(s string) string {
	return xmlEscapes.Replace(strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
			return 0xFFFD
		}
		return c
	}, s))
}

func xmlRow(w *bufio.Writer, vars []string, row []rdf.Term, _ bool) {
	w.WriteString("<result>")
	for i, t := range row {
		if t.Kind == rdf.None {
			continue
		}
		fmt.Fprintf(w, "<binding name=\"%s\">", vars[i])
		switch {
		case t.Kind == rdf.IRI:
			fmt.Fprintf(w, "<uri>%s</uri>", xmlText(t.Value))
		case t.Kind == rdf.Blank:
			fmt.Fprintf(w, "<bnode>%s</bnode>", xmlText(t.Value))
		case t.Lang != "":
			fmt.Fprintf(w, "<literal xml:lang=\"%s\">%s</literal>", t.Lang, xmlText(t.Value))
		case t.Datatype != rdf.String:
			fmt.Fprintf(w, "<literal datatype=\"%s\">%s</literal>", xmlText(t.Datatype), xmlText(t.Value))
		default:
			fmt.Fprintf(w, "<literal>%s</literal>", xmlText(t.Value))
		}
		w.WriteString("</binding>")
	}
	w.WriteString("</result>\n")
}

func csvHead(w *bufio.Writer, vars []string) { w.WriteString(strings.Join(vars, ",") + "\r\n") }

// csvRow writes values without what kind they are, as the format has it.
func csvRow(w *bufio.Writer, _ []string, row []rdf.Term, _ bool) {
	for i, t := range row {
		if i > 0 {
			w.WriteByte(',')
		}
		s := t.Value
		if t.Kind == rdf.Blank {
			s = "_:" + s
		}
		if strings.ContainsAny(s, "\",\r\n") {
			s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		w.WriteString(s)
	}
	w.WriteString("\r\n")
}

func tsvHead(w *bufio.Writer, vars []string) {
	for i, v := range vars {
		if i > 0 {
			w.WriteByte('\t')
		}
		w.WriteString("?" + v)
	}
	w.WriteByte('\n')
}

func tsvRow(w *bufio.Writer, _ []string, row []rdf.Term, _ bool) {
	for i, t := range row {
		if i > 0 {
			w.WriteByte('\t')
		}
		w.WriteString(t.Turtle())
	}
	w.WriteByte('\n')
}
