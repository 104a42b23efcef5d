package scope

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// FieldError says what is wrong in a definition, and where.
type FieldError struct {
	Table  string // of the list that Rule counts in, such as "keyword"; "": rule
	Rule   int    // number of the curator's rule from 1; 0 when it is about something else
	Name   string // of the rule
	Domain string // when it is about the settings of a domain
	Field  string // the key
	Line   int    // in the text; 0 when not known
	Err    error
}

// Error gives `line 12: rule 3 "no calendars": regex: ...`.
func (e *FieldError) Error() string {
	var parts []string
	if e.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", e.Line))
	}
	switch {
	case e.Rule > 0 && e.Name != "":
		parts = append(parts, fmt.Sprintf("%s %d %q", e.table(), e.Rule, e.Name))
	case e.Rule > 0:
		parts = append(parts, fmt.Sprintf("%s %d", e.table(), e.Rule))
	case e.Domain != "":
		parts = append(parts, fmt.Sprintf("domain %q", e.Domain))
	case e.Table != "":
		parts = append(parts, e.Table)
	}
	if e.Field != "" {
		parts = append(parts, e.Field)
	}
	return strings.Join(append(parts, e.Err.Error()), ": ")
}

func (e *FieldError) table() string {
	if e.Table == "" {
		return "rule"
	}
	return e.Table
}

// Unwrap gives the cause.
func (e *FieldError) Unwrap() error { return e.Err }

// Parse reads and checks a definition on its own, as in a scope file. Unknown keys are errors, because a
// misspelt condition would make a rule wider than it was meant.
func Parse(text string) (*Set, error) {
	var def Definition
	meta, err := toml.Decode(text, &def)
	if err != nil {
		return nil, decodeError(err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, &FieldError{
			Field: extra[0].String(), Line: lineOfKey(text, extra[0][len(extra[0])-1]), Err: errors.New("there is no such key"),
		}
	}
	set, err := NewSet(def)
	return set, WithLine(err, text, "")
}

// decodeError keeps the position that the TOML parser knows.
func decodeError(err error) error {
	pe, ok := errors.AsType[toml.ParseError](err)
	if !ok {
		return fmt.Errorf("scope: %w", err)
	}
	why := pe.Message
	if why == "" {
		why = strings.TrimPrefix(err.Error(), "toml: ")
	}
	return &FieldError{Line: pe.Position.Line, Field: pe.LastKey, Err: errors.New(why)}
}

// WithLine adds to a FieldError the line of its field in the text it came from. Table is what
// stands before "rule" and "domain" in the headers there: "crawl.daily." in [[crawl.daily.rule]].
// Other errors, and nil, are given back as they are.
func WithLine(err error, text, table string) error {
	e, ok := errors.AsType[*FieldError](err)
	if !ok || e.Line > 0 {
		return err
	}
	located := *e
	switch {
	case e.Rule > 0:
		located.Line = findLine(text, "[["+table+e.table()+"]]", e.Rule, e.Field)
	case e.Domain != "":
		located.Line = findLine(text, "["+table+"domain."+e.Domain+"]", 1, e.Field)
	case e.Table != "":
		located.Line = findLine(text, "[["+table+e.Table+"]]", 1, "")
	default:
		located.Line = lineOfKey(text, e.Field)
	}
	return &located
}

// plainHeader drops blanks and quotes, which TOML allows in a header at will.
var plainHeader = strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "")

// findLine gives the line of a key in the nth table with the header, or of the header when the key is not there.
func findLine(text, header string, nth int, key string) int {
	found := 0
	header = plainHeader.Replace(header)
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case plainHeader.Replace(line) == header:
			if nth--; nth == 0 {
				found = i + 1
			}
		case found > 0 && strings.HasPrefix(line, "["):
			return found
		case found > 0 && isKey(line, key):
			return i + 1
		}
	}
	return found
}

// LineOf gives the first line that sets a key, or opens a table of that name; 0 if none does.
func LineOf(text, key string) int { return lineOfKey(text, key) }

// lineOfKey gives the first line that sets a key, or opens a table of that name.
func lineOfKey(text, key string) int {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if isKey(line, key) || strings.HasPrefix(line, "[") && strings.HasSuffix(strings.TrimRight(line, "]"), key) {
			return i + 1
		}
	}
	return 0
}

func isKey(line, key string) bool {
	name, _, ok := strings.Cut(line, "=")
	return ok && key != "" && strings.Trim(strings.TrimSpace(name), `"'`) == key
}
