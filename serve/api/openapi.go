package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Document returns the description of the interface, as OpenAPI has it.
func (a *API) Document() []byte { return a.doc }

func (a *API) openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(a.doc) // a closed connection is the caller's business
	return nil
}

type object = map[string]any

var pathParam = regexp.MustCompile(`\{([a-z]+)\}`)

// document makes the OpenAPI 3.1 document of the routes.
func document(routes []route, version string) []byte {
	s := schemas{seen: map[reflect.Type]string{}, all: object{}}
	paths := object{}
	for _, r := range routes {
		item, _ := paths[r.Path].(object)
		if item == nil {
			item = object{}
			paths[r.Path] = item
		}
		item[strings.ToLower(r.Method)] = operation(&s, r)
	}
	doc := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Varve", "version": version,
			"description": "A living web archive. Lists come in pages: next of an answer is the cursor of the next request. Errors are application/problem+json. On loopback no login is needed; elsewhere send Authorization: Bearer TOKEN.",
		},
		"paths": paths,
		"components": object{
			"schemas":         s.all,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
		},
		"security": []any{object{"token": []any{}}, object{}},
	}
	b, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		panic("openapi document: " + err.Error()) // maps and strings: cannot happen
	}
	return append(b, '\n')
}

func operation(s *schemas, r route) object {
	var params []any
	for _, m := range pathParam.FindAllStringSubmatch(r.Path, -1) {
		params = append(params, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, p := range r.Params {
		params = append(params, object{"name": p.Name, "in": "query", "required": p.Required, "description": p.About, "schema": object{"type": p.Type}})
	}
	answer := object{"schema": object{"type": "string"}}
	media := r.Media
	if r.Answer != nil {
		media, answer = "application/json", object{"schema": s.of(r.Answer)}
	}
	op := object{
		"operationId": operationID(r), "summary": r.Summary, "x-role": string(r.Role),
		"responses": object{
			"200":     object{"description": "done", "content": object{media: answer}},
			"default": object{"description": "not possible", "content": object{"application/problem+json": object{"schema": s.of(of[Problem]())}}},
		},
	}
	if params != nil {
		op["parameters"] = params
	}
	if r.Body != nil {
		op["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": s.of(r.Body)}}}
	}
	if r.BodyMedia != "" {
		op["requestBody"] = object{"required": true, "content": object{r.BodyMedia: object{"schema": object{"type": "string", "format": "binary"}}}}
	}
	return op
}

// operationID names an operation by method and path: getCollectionsCollectionCrawls.
func operationID(r route) string {
	out := strings.ToLower(r.Method)
	for _, w := range strings.FieldsFunc(strings.TrimPrefix(r.Path, "/api/"), func(c rune) bool { return strings.ContainsRune("/{}._-", c) }) {
		out += strings.ToUpper(w[:1]) + w[1:]
	}
	return out
}

// schemas are the types met so far.
type schemas struct {
	seen map[reflect.Type]string
	all  object
}

var (
	timeType    = reflect.TypeFor[time.Time]()
	textMarshal = reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()
	jsonMarshal = reflect.TypeFor[json.Marshaler]()
)

// of gives the schema of a type; structs are named and given by reference.
func (s *schemas) of(t reflect.Type) object {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == timeType:
		return object{"type": "string", "format": "date-time"}
	case t.Implements(textMarshal) || reflect.PointerTo(t).Implements(textMarshal):
		return object{"type": "string"}
	case t.Implements(jsonMarshal) || reflect.PointerTo(t).Implements(jsonMarshal):
		return object{}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return object{"$ref": "#/components/schemas/" + s.named(t)}
	}
	return object{}
}

// named adds the schema of a struct once, and gives its name.
func (s *schemas) named(t reflect.Type) string {
	if name, ok := s.seen[t]; ok {
		return name
	}
	name := schemaName(t)
	for s.all[name] != nil {
		name += "2"
	}
	s.seen[t] = name
	s.all[name] = object{} // it may name itself
	props := object{}
	var required []string
	s.fields(t, props, &required)
	schema := object{"type": "object", "properties": props}
	if required != nil {
		schema["required"] = required
	}
	s.all[name] = schema
	return name
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// schemaName makes a name of the package and the type: HoldingsCrawl, ListHoldingsCrawl.
func schemaName(t reflect.Type) string {
	name := t.Name()
	if outer, inner, ok := strings.Cut(name, "["); ok {
		inner = strings.TrimSuffix(inner, "]")
		return outer + schemaWord(inner[strings.LastIndex(inner, "/")+1:])
	}
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	if pkg == "api" {
		return name
	}
	return schemaWord(pkg) + name
}

func schemaWord(s string) string {
	out := ""
	for _, w := range notWord.Split(strings.TrimPrefix(s, "api."), -1) {
		if w != "" {
			out += strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return out
}

// fields adds the fields of a struct, those of embedded ones included, as encoding/json has them.
func (s *schemas) fields(t reflect.Type, props object, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && tag == "" {
			inner := f.Type
			for inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				s.fields(inner, props, required)
				continue
			}
		}
		if tag == "" {
			tag = f.Name
		}
		props[tag] = s.of(f.Type)
		if !strings.Contains(options, "omit") {
			*required = append(*required, tag)
		}
	}
}
