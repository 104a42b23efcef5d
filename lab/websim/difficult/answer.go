package difficult

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"path"
	"strconv"
	"strings"
	"text/template"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/asset"
	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

// answer is one answer, made.
type answer struct {
	prefix   Element // of answers for anything that begins so
	typ      string
	location string
	body     []byte
}

// key names a request among the answers.
func key(method, url, body string) string { return method + " " + url + " " + body }

// Answer is the site as a websim.Handler. It leaves what it does not know to the plain siblings.
func (s *Site) Answer(r *websim.Request, _ time.Time) *websim.Answer {
	method := r.Method
	if method == "" || method == "HEAD" {
		method = "GET"
	}
	host, _, _ := strings.Cut(r.Host, ":")
	url, body := "http://"+host+r.Target, string(r.Body)
	if method == "OPTIONS" {
		return s.preflight()
	}
	a := s.answers[key(method, url, body)]
	for _, o := range s.open {
		if a == nil && o.prefix.Matches(method, url, body) {
			a = o
		}
	}
	if a == nil {
		return nil
	}
	return a.send(r.Target)
}

// preflight lets scripts of the site's other hosts ask.
func (s *Site) preflight() *websim.Answer {
	return &websim.Answer{Status: 204, Page: websim.NoPage, VersionID: "options", Header: []websim.Field{
		{Name: "Access-Control-Allow-Origin", Value: "*"}, {Name: "Access-Control-Allow-Headers", Value: "content-type"},
	}}
}

func (a *answer) send(target string) *websim.Answer {
	out := &websim.Answer{Status: 200, Page: websim.NoPage, VersionID: target, Body: a.body, Header: []websim.Field{
		{Name: "Content-Type", Value: a.typ}, {Name: "Access-Control-Allow-Origin", Value: "*"}, {Name: "Content-Length", Value: strconv.Itoa(len(a.body))},
	}}
	if a.location != "" {
		out.Status = 302
		out.Header = append(out.Header, websim.Field{Name: "Location", Value: a.location})
	}
	return out
}

// maker makes answers from templates.
type maker struct {
	seed uint64
	site *Site
	lex  *prose.Lexicon
}

func (m *maker) answer(n name, number int, text string) (*answer, error) {
	if m.lex == nil {
		lex, err := prose.NewLexicon(m.seed, "en")
		if err != nil {
			return nil, err
		}
		m.lex = lex
	}
	named := dice.Mix(m.seed, dice.String(m.site.Name+" "+n.URL+" "+n.Body))
	t, err := template.New("body").Funcs(m.functions(named)).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"N": number, "Host": m.site.Host}); err != nil {
		return nil, err
	}
	typ := typeOf(n.URL)
	if body := b.String(); strings.HasPrefix(typ, "text/html") && (strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[")) {
		typ = "application/json"
	}
	return &answer{typ: typ, location: n.location, body: b.Bytes()}, nil
}

// functions are what templates may call; named is what this answer's words and pictures are made of.
func (m *maker) functions(named uint64) template.FuncMap {
	next := named
	return template.FuncMap{
		"mark": m.mark,
		"words": func() string {
			next = dice.Mix(next, 1)
			return string(m.lex.Sentence(nil, next, prose.Voice{}))
		},
		"svg":  func() string { return string(asset.SVG(nil, named, 700)) },
		"head": m.pageHead,
		"foot": func() string { return pageFoot },
		"b64":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"noise": func(size int) string {
			s := dice.New(named)
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(s.Uint64())
			}
			return string(b)
		},
		"list": func(from, to int) (out []int) {
			for n := from; n <= to; n++ {
				out = append(out, n)
			}
			return out
		},
		"add": func(a, b int) int { return a + b },
	}
}

// mark gives a word for a name, which depends on the seed and is found nowhere else.
func (m *maker) mark(parts ...any) string {
	name := strings.ReplaceAll(fmt.Sprintln(parts...), " ", "-")
	name = strings.TrimSpace(name)
	return fmt.Sprintf("%s-%04x", name, dice.Mix(m.seed, dice.String(m.site.Name), dice.String(name))&0xffff)
}

func (m *maker) marks(names []string) (out []string) {
	for _, n := range expandAll(names) {
		out = append(out, m.mark(n))
	}
	return out
}

func (m *maker) pageHead(title string) string {
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title + " | " + m.site.Host +
		"</title>\n<link rel=\"stylesheet\" href=\"/assets/site.css\">\n<script src=\"/assets/site.js\" defer></script>\n</head>\n<body>\n<header><a href=\"/\">Home</a></header>\n<main>\n<h1>" + title + "</h1>"
}

const pageFoot = "</main>\n<footer><p>A difficult page.</p></footer>\n</body>\n</html>"

// typeOf gives the media type of a target: HTML where it has no extension.
func typeOf(target string) string {
	p, _, _ := strings.Cut(target, "?")
	switch ext := path.Ext(p); ext {
	case "", ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript"
	case ".m3u8":
		return "application/vnd.apple.mpegurl"
	case ".ts":
		return "video/mp2t"
	case ".vtt":
		return "text/vtt"
	case ".ico":
		return "image/svg+xml"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
		return "application/octet-stream"
	}
}
