package ui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"varve/serve/message"
)

// manualData is what the page about the interface for programs shows. It is read out of the OpenAPI document, so that both say the same.
type manualData struct {
	Groups []manualGroup
	Types  []manualType
	Routes int
}

// manualGroup are the routes for one kind of work.
type manualGroup struct {
	Name, Title string
	Routes      []manualRoute
}

// manualGroups are all groups in their order: the first words of their paths, behind /api/ and the collection. Other words come last, as they are.
var manualGroups = []struct {
	name  string
	title func(*message.Language) string
	words []string
}{
	{"archive", func(l *message.Language) string { return l.Text("The archive and its collections") }, []string{"pulse", "collections", "whoami", "openapi.json"}},
	{"pages", func(l *message.Language) string { return l.Text("Pages and their versions") }, []string{"pages", "captures", "versions", "valid", "compare", "map", "document", "analyse", "text", "files", "wacz", "record", "media", "thread"}},
	{"search", func(l *message.Language) string { return l.Text("Search, names, trends") }, []string{"search", "searches", "facets", "trends", "cloud", "clouds", "rising", "opinions", "entities", "facts", "types", "statistics", "terms", "names", "phrases", "beside"}},
	{"crawls", func(l *message.Language) string { return l.Text("Crawls, plans, coherence") }, []string{"crawls", "plan", "schedule", "definitions", "proposals"}},
	{"curators", func(l *message.Language) string { return l.Text("The work of curators") }, []string{"tray", "notes", "selections", "access", "retention", "health"}},
}

type manualRoute struct {
	ID, Method, Path, Summary string
	Role                      string // "" is anybody
	Params                    []manualParam
	Body                      string // what to send, as an example
	BodyMedia                 string
	Answer                    manualRef
	Media                     string
	Try                       string // address of an answer to look at, of routes that need nothing
	Curl                      string
}

type manualParam struct {
	Name, Type, About string
	Path, Required    bool
}

// manualType is a kind of JSON object.
type manualType struct {
	Name   string
	Fields []manualField
}

type manualField struct {
	Name     string
	Type     manualRef
	Optional bool
}

// manualRef names a type: in words, and, if it is told of on the page, where.
type manualRef struct{ Text, Name string }

// openAPI is as much of an OpenAPI document as the page shows.
type openAPI struct {
	Paths      map[string]map[string]openAPIOperation
	Components struct{ Schemas map[string]openAPISchema }
}

type openAPIOperation struct {
	OperationID string
	Summary     string
	Role        string `json:"x-role"`
	Parameters  []struct {
		Name, In, Description string
		Required              bool
		Schema                openAPISchema
	}
	RequestBody struct{ Content map[string]openAPIMedia }
	Responses   map[string]struct{ Content map[string]openAPIMedia }
}

type openAPIMedia struct{ Schema openAPISchema }

type openAPISchema struct {
	Ref        string `json:"$ref"`
	Type       string
	Format     string
	Items      *openAPISchema
	Values     *openAPISchema `json:"additionalProperties"`
	Properties map[string]openAPISchema
	Required   []string
}

// name returns the name of the type that a schema refers to, "" for none.
func (s *openAPISchema) name() string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }

func (s *openAPISchema) ref() manualRef {
	switch {
	case s.Ref != "":
		return manualRef{s.name(), s.name()}
	case s.Items != nil:
		r := s.Items.ref()
		return manualRef{"[" + r.Text + "]", r.Name}
	case s.Values != nil:
		r := s.Values.ref()
		return manualRef{"{string: " + r.Text + "}", r.Name}
	}
	return manualRef{Text: cmp.Or(s.Format, s.Type, "any")}
}

// example returns a value of the schema, as deep as a reader wants to type.
func (d *openAPI) example(s openAPISchema, depth int) any {
	switch {
	case s.Ref != "":
		return d.example(d.Components.Schemas[s.name()], depth)
	case s.Items != nil && depth > 0:
		return []any{d.example(*s.Items, depth-1)}
	case s.Items != nil:
		return []any{}
	case s.Properties != nil:
		out := map[string]any{}
		for name, p := range s.Properties {
			if depth > 0 && slices.Contains(s.Required, name) {
				out[name] = d.example(p, depth-1)
			}
		}
		return out
	}
	switch s.Type {
	case "boolean":
		return false
	case "integer", "number":
		return 0
	case "object":
		return map[string]any{}
	}
	return cmp.Or(s.Format, "…")
}

// manual shows the interface for programs.
func (u *UI) manual(r *http.Request) (*view, error) {
	var doc openAPI
	if err := json.Unmarshal(u.cfg.Interface, &doc); err != nil {
		return nil, fmt.Errorf("description of the interface: %w", err)
	}
	d, l := &manualData{}, message.From(r.Context())
	groups := map[string][]manualRoute{} // by word
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			rt, err := doc.route(method, path, doc.Paths[path][method])
			if err != nil {
				return nil, err
			}
			groups[wordOf(path)] = append(groups[wordOf(path)], rt)
			d.Routes++
		}
	}
	for _, g := range manualGroups {
		group := manualGroup{Name: g.name, Title: g.title(l)}
		for _, word := range g.words {
			group.Routes = append(group.Routes, groups[word]...)
			delete(groups, word)
		}
		d.Groups = append(d.Groups, group)
	}
	for _, word := range slices.Sorted(maps.Keys(groups)) {
		d.Groups = append(d.Groups, manualGroup{word, word, groups[word]})
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		s := doc.Components.Schemas[name]
		t := manualType{Name: name}
		for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[field]
			t.Fields = append(t.Fields, manualField{field, p.ref(), !slices.Contains(s.Required, field)})
		}
		d.Types = append(d.Types, t)
	}
	return &view{template: "manual", title: l.Text("Interface for programs"), data: d}, nil
}

// wordOf is the word by which a route is grouped.
func wordOf(path string) string {
	rest := strings.TrimPrefix(path, "/api/")
	if below, ok := strings.CutPrefix(rest, "collections/{collection}/"); ok {
		rest = below
	}
	word, _, _ := strings.Cut(rest, "/")
	return word
}

func (d *openAPI) route(method, path string, op openAPIOperation) (manualRoute, error) {
	rt := manualRoute{ID: op.OperationID, Method: strings.ToUpper(method), Path: path, Summary: op.Summary, Role: op.Role}
	needs := false
	for _, p := range op.Parameters {
		rt.Params = append(rt.Params, manualParam{p.Name, cmp.Or(p.Schema.Format, p.Schema.Type), p.Description, p.In == "path", p.Required})
		needs = needs || p.Required
	}
	for media, m := range op.Responses["200"].Content {
		rt.Media = media
		if m.Schema.Ref != "" || m.Schema.Items != nil {
			rt.Answer = m.Schema.ref()
		}
	}
	curl := "curl"
	if rt.Role != "" {
		curl += " -H 'Authorization: Bearer TOKEN'"
	}
	if rt.Method != http.MethodGet {
		curl += " -X " + rt.Method
	}
	for media, m := range op.RequestBody.Content {
		rt.BodyMedia = media
		curl += " -H 'Content-Type: " + media + "'"
		if m.Schema.Format == "binary" {
			curl += " --data-binary @FILE"
			continue
		}
		body, err := json.MarshalIndent(d.example(m.Schema, 3), "", "  ")
		if err != nil {
			return rt, err
		}
		rt.Body = string(body)
		curl += " -d @body.json"
	}
	query := ""
	for _, p := range rt.Params {
		if p.Required && !p.Path {
			query += "&" + p.Name + "=…"
		}
	}
	if query != "" {
		query = "?" + query[1:]
	}
	rt.Curl = curl + " \"$VARVE" + path + query + "\""
	if rt.Method == http.MethodGet && !needs && rt.Media == "application/json" {
		rt.Try = path
	}
	return rt, nil
}
