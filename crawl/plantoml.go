package crawl

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"varve/crawl/relevance"
	"varve/crawl/scope"
)

// TOML writes the crawl as it can stand in a collection.toml: [crawl.NAME] with what differs from the defaults,
// then its rules and the settings of domains. ParsePlan reads the same crawl from it.
func (p Planned) TOML() (string, error) {
	w := tomlWriter{}
	table := "crawl." + tomlKey(p.Name)
	w.printf("[%s]\n", table)
	seeds := p.Seeds
	p.Seeds = nil
	w.seeds(seeds)
	w.fields(reflect.ValueOf(p))
	w.scope(table+".", p.Scope)
	w.about(table+".about", &p.About)
	return w.b.String(), w.err
}

// AboutTOML writes what a crawl is about as a file of its own has it.
func AboutTOML(a relevance.About) (string, error) {
	w := tomlWriter{}
	w.about("", &a)
	return strings.TrimPrefix(w.b.String(), "\n"), w.err
}

// about writes what a crawl is about below a table; "" is the file itself.
func (w *tomlWriter) about(table string, a *relevance.About) {
	if reflect.ValueOf(*a).IsZero() {
		return
	}
	if table != "" {
		w.printf("\n[%s]\n", table)
		table += "."
	}
	w.fields(reflect.ValueOf(*a))
	if len(a.Weights) > 0 {
		w.printf("\n[%sweights]\n", table)
		for _, name := range slices.Sorted(maps.Keys(a.Weights)) {
			w.value(name, a.Weights[name])
		}
	}
	lists := reflect.ValueOf(*a)
	for i := range lists.NumField() {
		if list := lists.Field(i); isTables(list) {
			key, _, _ := strings.Cut(lists.Type().Field(i).Tag.Get("toml"), ",")
			for k := range list.Len() {
				w.printf("\n[[%s%s]]\n", table, key)
				w.fields(list.Index(k))
			}
		}
	}
}

// isTables tells lists that are written as tables of their own.
func isTables(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
}

// RulesTOML writes rules and settings of domains as a scope file has them.
func RulesTOML(def scope.Definition) (string, error) {
	w := tomlWriter{}
	w.tables("", def)
	return strings.TrimPrefix(w.b.String(), "\n"), w.err
}

type tomlWriter struct {
	b   bytes.Buffer
	err error
}

func (w *tomlWriter) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// seeds writes one a line, as people edit them.
func (w *tomlWriter) seeds(list []string) {
	if len(list) == 1 {
		w.value("seeds", list)
		return
	}
	w.printf("seeds = [\n")
	for _, s := range list {
		w.printf("  %s,\n", tomlString(s))
	}
	w.printf("]\n")
}

// fields writes those that are set, embedded ones included, in the order of the struct.
func (w *tomlWriter) fields(v reflect.Value) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		if f.Anonymous {
			w.fields(value)
			continue
		}
		key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if key == "" || key == "-" || value.IsZero() || isTables(value) || value.Kind() == reflect.Map || value.Kind() == reflect.Struct {
			continue
		}
		w.value(key, value.Interface())
	}
}

// value writes one key; how values look is the encoder's business.
func (w *tomlWriter) value(key string, v any) {
	if err := toml.NewEncoder(&w.b).Encode(map[string]any{key: v}); err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", key, err)
	}
}

func (w *tomlWriter) scope(table string, def scope.Definition) {
	if def.Mode != "" {
		w.value("scope", string(def.Mode))
	}
	if def.MaxHops != nil {
		w.value("max-hops", *def.MaxHops)
	}
	w.tables(table, def)
}

func (w *tomlWriter) tables(table string, def scope.Definition) {
	for _, r := range def.Rules {
		w.printf("\n[[%srule]]\n", table)
		w.fields(reflect.ValueOf(r))
	}
	for _, name := range slices.Sorted(maps.Keys(def.Domains)) {
		w.printf("\n[%sdomain.%s]\n", table, tomlString(name))
		w.fields(reflect.ValueOf(def.Domains[name]))
	}
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// tomlKey writes a key, in quotes where it must be.
func tomlKey(s string) string {
	if bareKey.MatchString(s) {
		return s
	}
	return tomlString(s)
}

// tomlString writes a basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "�") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
