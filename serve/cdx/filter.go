package cdx

import (
	"fmt"
	"regexp"
	"strings"
)

// filter is one condition on a field.
type filter struct {
	field string // CDXJ name; empty: the whole line
	not   bool
	match func(string) bool
}

// parseFilter reads [!][=|~]field:expression. Without = or ~ the dialects differ: a regular expression
// for the whole value (ia), or a text that the value contains (pywb). Without a field pywb takes the
// whole line.
func parseFilter(s string, d Dialect) (f filter, err error) {
	if len(s) > maxFilter {
		return f, fmt.Errorf("filter longer than %d bytes", maxFilter)
	}
	text := s
	if rest, ok := strings.CutPrefix(text, "!"); ok {
		f.not, text = true, rest
	}
	how := byte(0)
	if text != "" && (text[0] == '=' || text[0] == '~') {
		how, text = text[0], text[1:]
	}
	name, expr, ok := strings.Cut(text, ":")
	if !ok {
		name, expr = "", text
	}
	if name != "" {
		if f.field, err = fieldOf(name); err != nil {
			return f, fmt.Errorf("filter %q: %w", clip(s), err)
		}
	} else if d == IA {
		return f, fmt.Errorf("filter %q: want field:expression", clip(s))
	}
	f.match, err = matcher(how, expr, d == IA || iaOnly(name))
	if err != nil {
		return f, fmt.Errorf("filter %q: %w", clip(s), err)
	}
	return f, nil
}

// matcher makes the comparison. Go's regular expressions take time linear in the text, whatever a
// stranger writes.
func matcher(how byte, expr string, ia bool) (func(string) bool, error) {
	switch {
	case how == '=':
		return func(v string) bool { return v == expr }, nil
	case how == '~':
		expr = "^(?:" + expr + ")"
	case ia:
		expr = "^(?:" + expr + ")$"
	default:
		return func(v string) bool { return strings.Contains(v, expr) }, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	return re.MatchString, nil
}

// keep tells whether a row passes.
func (f *filter) keep(r *row, line func(*row) string) bool {
	var v string
	if f.field == "" {
		v = line(r)
	} else {
		v = strings.TrimSpace(valueOr(r, f.field))
	}
	return f.match(v) != f.not
}

// valueOr gives a value as filters see it: "-" if it is unknown.
func valueOr(r *row, field string) string {
	if v, ok := r.value(field); ok && v != "" {
		return v
	}
	return "-"
}
