package sparql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"varve"
	"varve/kb/rdf"
	"varve/kb/rdf/lex"
)

// Services asks other endpoints. Whom it asks, and how much it takes of them, is its own affair: an endpoint that may not be asked is an error.
type Services interface {
	// Select sends a SELECT query to an endpoint and hands each solution on, with the names of its variables, until each returns false.
	Select(ctx context.Context, endpoint, query string, each func(vars []string, solution []rdf.Term) bool) error
}

// maxServices is how many requests one query may send elsewhere.
const maxServices = 20

// sent returns the query of a group that ended at the last brace, as it is sent to another endpoint: what stands in braces, with the prefixes that it may use.
func (p *parser) sent(begin lex.Token) string {
	if p.err != nil {
		return ""
	}
	var b strings.Builder
	if p.base != "" {
		fmt.Fprintf(&b, "BASE <%s>\n", p.base)
	}
	for _, name := range slices.Sorted(maps.Keys(p.prefixes)) {
		fmt.Fprintf(&b, "PREFIX %s: <%s>\n", name, p.prefixes[name])
	}
	b.WriteString("SELECT * ")
	b.WriteString(p.text[p.offset(begin):p.offset(p.closed)])
	b.WriteString("}\n")
	return b.String()
}

// offset returns where a token begins in the text.
func (p *parser) offset(t lex.Token) int {
	at, line := 0, 1
	if strings.HasPrefix(p.text, "\ufeff") {
		at = len("\ufeff")
	}
	for line < t.Line {
		n := strings.IndexAny(p.text[at:], "\r\n")
		if n < 0 {
			return len(p.text)
		}
		if at += n + 1; p.text[at-1] == '\r' && at < len(p.text) && p.text[at] == '\n' {
			at++
		}
		line++
	}
	for range t.Column - 1 {
		_, n := utf8.DecodeRuneInString(p.text[at:])
		at += n
	}
	return at
}

// service joins with the solutions of another endpoint. Each endpoint is asked once, for all of them: what narrows them must stand inside of the braces. One that fails ends the
// query, or, if it is SILENT, gives one empty solution, as the standard says.
func (c *compiler) service(o *Service) *step {
	names := inScope(o.In)
	slots := c.slotsOf(names)
	name := -1
	if o.Name.Var != "" {
		name = c.slot(o.Name.Var)
	}
	tables := map[string][][]ID{}
	return &step{name: "Service", detail: o.Name.String(), estimate: 100, run: func(in row, emit emitter) bool {
		endpoint := o.Name.Term
		if name >= 0 {
			endpoint = c.term(in[name])
		}
		table, asked := tables[endpoint.Value]
		if !asked {
			var err error
			if table, err = c.ask(endpoint, o.Text, names); err != nil {
				if !o.Silent || c.ctx.Err() != nil || c.err != nil {
					return c.fail(err)
				}
				table = [][]ID{make([]ID, len(names))}
			}
			tables[endpoint.Value] = table
		}
		return c.each(in, slots, table, emit)
	}}
}

// ask returns the solutions of an endpoint, a term for each name.
func (x *execution) ask(endpoint rdf.Term, query string, names []string) (table [][]ID, err error) {
	switch {
	case x.o.Services == nil:
		return nil, &varve.Error{Kind: varve.Forbidden, Op: "evaluate query", Msg: "SERVICE asks other endpoints, which is not allowed here", Hint: "SERVICE SILENT goes on without"}
	case endpoint.Kind != rdf.IRI:
		return nil, &varve.Error{Kind: varve.Invalid, Op: "evaluate query", Msg: "SERVICE has no IRI to ask", Hint: "what binds its variable must stand before it in the same group"}
	}
	if x.services++; x.services > maxServices {
		return nil, limitError(fmt.Sprintf("the query asks other endpoints more than %d times", maxServices), "name fewer of them")
	}
	x.blanks++
	scope := fmt.Sprintf("%ss%d_", x.blankBase, x.blanks)
	err = x.o.Services.Select(x.ctx, endpoint.Value, query, func(vars []string, solution []rdf.Term) bool {
		ids := make([]ID, len(names))
		for i, v := range vars {
			if at := slices.Index(names, v); at >= 0 {
				t := solution[i]
				if t.Kind == rdf.Blank {
					t = rdf.NewBlank(scope + t.Value) // those of two answers never meet
				}
				ids[at] = x.id(t)
			}
		}
		table = append(table, ids)
		return x.hold(24+8*len(ids)) && x.tick()
	})
	return table, errors.Join(err, x.err)
}
