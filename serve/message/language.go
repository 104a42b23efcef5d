package message

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

//go:embed languages/*.toml
var files embed.FS

// Language is a language of the screens, as its file has it.
type Language struct {
	Name    string // as its speakers call it
	Capital bool   // nouns begin with a capital inside a sentence
	Dates   Dates
	Numbers Numbers
	Words   map[string]string `toml:"messages"` // by the English sentence
	Counted map[string]Forms  // by the English noun
	Scripts map[string]string // messages of scripts, by the English sentence
	Errors  map[string]string // what errors say, by the English sentence

	patterns func() []pattern // of Errors with something put in
	tag      language.Tag
	namer    display.Namer // of languages
	lands    display.Namer // of countries
}

// Dates are layouts of package time, and names of months.
type Dates struct {
	Day, Stamp, Month, Clock, Spelled, Near string
	Months                                  []string
	Weekdays                                []string // short, from Monday
}

// Numbers are how digits are grouped, and what stands before their fractions.
type Numbers struct{ Group, Decimal string }

// Forms are a noun with its number, by plural categories of CLDR.
type Forms struct{ Zero, One, Two, Few, Many, Other string }

// languages returns all that there are, English first. They do not change; commands that show no screen never read them.
var languages = sync.OnceValue(load)

// load reads the files. They are a part of the program: one that cannot be read is a fault of whoever changed it.
func load() []*Language {
	entries, err := files.ReadDir("languages")
	if err != nil {
		panic(err)
	}
	var out []*Language
	for _, e := range entries {
		l := &Language{tag: language.MustParse(strings.TrimSuffix(e.Name(), path.Ext(e.Name())))}
		b, err := files.ReadFile("languages/" + e.Name())
		if err != nil {
			panic(err)
		}
		info, err := toml.Decode(string(b), l)
		if err != nil {
			panic(fmt.Sprintf("languages/%s: %v", e.Name(), err))
		}
		if rest := info.Undecoded(); len(rest) > 0 {
			panic(fmt.Sprintf("languages/%s: %v: no such setting", e.Name(), rest[0]))
		}
		l.patterns = sync.OnceValue(func() []pattern { return compile(l.Errors) })
		l.namer, l.lands = display.Languages(l.tag), display.Regions(l.tag)
		out = append(out, l)
	}
	english := slices.IndexFunc(out, func(l *Language) bool { return l.tag == language.English })
	out[0], out[english] = out[english], out[0]
	return out
}

// All returns the languages of the screens, English first.
func All() []*Language { return slices.Clone(languages()) }

// English returns the language that all messages are written in.
func English() *Language { return languages()[0] }

// Tag returns the name of the language in HTML and HTTP.
func (l *Language) Tag() string { return l.tag.String() }

// Cookie is where a visitor's choice is kept.
const Cookie = "varve_language"

// Of returns the language for a request: the one that was chosen, else the best of those the browser asks for.
func Of(r *http.Request) *Language {
	if c, err := r.Cookie(Cookie); err == nil {
		if l := Named(c.Value); l != nil {
			return l
		}
	}
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(wanted) == 0 {
		return English()
	}
	var tags []language.Tag
	for _, l := range languages() {
		tags = append(tags, l.tag)
	}
	_, i, sure := language.NewMatcher(tags).Match(wanted...)
	if sure == language.No {
		return English()
	}
	return languages()[i]
}

// Named returns the language of a tag, or nil.
func Named(tag string) *Language {
	for _, l := range languages() {
		if l.Tag() == tag {
			return l
		}
	}
	return nil
}

type key struct{}

// With returns a context whose answers are in a language.
func With(ctx context.Context, l *Language) context.Context { return context.WithValue(ctx, key{}, l) }

// From returns the language of a context.
func From(ctx context.Context) *Language {
	if l, ok := ctx.Value(key{}).(*Language); ok {
		return l
	}
	return English()
}

// find returns a message in the language, without the word that tells it apart.
func (l *Language) find(text string) string {
	if s, ok := l.Words[text]; ok {
		text = s
	}
	if i := strings.Index(text, "]|"); i > 0 && text[0] == '[' {
		return text[i+2:]
	}
	return text
}

// Word returns a word that code has in a variable: in the language where it has it, else as it is. It is no message: nothing
// in it has a meaning.
func (l *Language) Word(s string) string {
	if t, ok := l.Words[s]; ok {
		return t
	}
	return s
}

// Inside returns the name of something as it stands inside a sentence.
func (l *Language) Inside(name string) string {
	if l.Capital {
		return name
	}
	return strings.ToLower(name)
}

// Script returns the messages of scripts as JSON, by the English sentence. English has none: scripts have their own.
func (l *Language) Script() string {
	b, _ := json.Marshal(l.Scripts) // strings
	return string(b)
}

// Text returns a message as plain text, with what is put into it.
func (l *Language) Text(text string, in ...any) string {
	var out strings.Builder
	walk(l.find(text), func(kind byte, s string, n int) {
		switch {
		case kind == plainText:
			out.WriteString(s)
		case kind == hole && n < len(in):
			out.WriteString(l.plain(in[n]))
		}
	})
	return out.String()
}

// HTML returns a message for a page, with what is put into it. All of it is escaped but template.HTML.
func (l *Language) HTML(text string, in ...any) template.HTML {
	var out strings.Builder
	open := map[byte]bool{}
	walk(l.find(text), func(kind byte, s string, n int) {
		switch kind {
		case plainText:
			out.WriteString(template.HTMLEscapeString(s))
		case hole:
			if n >= len(in) {
				return
			}
			if h, ok := in[n].(template.HTML); ok {
				out.WriteString(string(h))
				return
			}
			out.WriteString(template.HTMLEscapeString(l.plain(in[n])))
		default:
			name := map[byte]string{codeSign: "code", strongSign: "b"}[kind]
			if open[kind] {
				name = "/" + name
			}
			open[kind] = !open[kind]
			out.WriteString("<" + name + ">")
		}
	})
	return template.HTML(out.String())
}

func (l *Language) plain(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case int, int64, int32:
		return l.Number(x)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// What a message is made of.
const (
	plainText  = byte(iota)
	hole       // something is put in
	codeSign   // what is typed begins or ends
	strongSign // what stands out begins or ends
)

// walk reads a message piece by piece.
func walk(s string, each func(kind byte, text string, n int)) {
	for s != "" {
		i := strings.IndexAny(s, "{`*")
		if i < 0 {
			each(plainText, s, 0)
			return
		}
		if i > 0 {
			each(plainText, s[:i], 0)
			s = s[i:]
		}
		end := strings.IndexByte(s, '}')
		switch {
		case s[0] == '`':
			each(codeSign, "", 0)
			s = s[1:]
		case strings.HasPrefix(s, "**"):
			each(strongSign, "", 0)
			s = s[2:]
		case s[0] == '{' && end > 1:
			if n, err := strconv.Atoi(s[1:end]); err == nil && n >= 0 {
				each(hole, "", n)
			} else {
				each(plainText, s[:end+1], 0)
			}
			s = s[end+1:]
		default:
			each(plainText, s[:1], 0)
			s = s[1:]
		}
	}
}

// Count returns a number with its noun, by the rules of the language. A noun that it does not have is counted in English.
func (l *Language) Count(n any, noun string) string {
	v := Int(n)
	f, ok := l.Counted[noun]
	if !ok {
		if f, ok = English().Counted[noun]; !ok {
			return l.Number(v) + " " + noun
		}
		return f.of(English(), v, l.Number(v))
	}
	return f.of(l, v, l.Number(v))
}

func (f Forms) of(l *Language, n int64, digits string) string {
	form := f.Other
	switch plural.Cardinal.MatchPlural(l.tag, int(max(n, -n)%1_000_000_000), 0, 0, 0, 0) {
	case plural.Zero:
		form = cmp.Or(f.Zero, form)
	case plural.One:
		form = cmp.Or(f.One, form)
	case plural.Two:
		form = cmp.Or(f.Two, form)
	case plural.Few:
		form = cmp.Or(f.Few, form)
	case plural.Many:
		form = cmp.Or(f.Many, form)
	}
	return strings.ReplaceAll(form, "{0}", digits)
}

// Missing returns the messages and nouns of a list that the language does not have.
func (l *Language) Missing(messages, nouns []string) (out []string) {
	for _, m := range messages {
		if _, ok := l.Words[m]; !ok {
			out = append(out, m)
		}
	}
	for _, n := range nouns {
		if _, ok := l.Counted[n]; !ok {
			out = append(out, n)
		}
	}
	return out
}

// Holes returns the numbers of what is put into a message, in order.
func Holes(text string) (out []int) {
	walk(text, func(kind byte, _ string, n int) {
		if kind == hole {
			out = append(out, n)
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// LanguageName returns what speakers of the language call another one; a code that has no name stays.
func (l *Language) LanguageName(code string) string {
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	return cmp.Or(l.namer.Name(tag), code)
}

// CountryName returns what speakers of the language call a country, by its code.
func (l *Language) CountryName(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return ""
	}
	return l.lands.Name(region)
}
