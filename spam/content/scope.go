package content

// handler is the name of functions that run when the reader does something, not as the page loads.
const handler = "\x00handler"

// scopes follows which function the code stands in. Functions without a name run where they stand (that is why they
// were written so), unless they are handed to something that waits for the reader.
type scopes struct {
	names  []string // of functions that are open
	depth  []int    // of braces where they opened
	braces int
	next   string // function whose body comes next
	wait   bool   // for the brace of that body
}

func (s *scopes) name() string {
	if n := len(s.names); n > 0 {
		return s.names[n-1]
	}
	return ""
}

// maxScopes bounds the functions that are open.
const maxScopes = 200

func (s *scopes) step(toks []tok, i int) {
	t := toks[i]
	switch {
	case t.is("function"):
		s.next, s.wait = s.called(toks, i), true
	case t.is("=>") && at(toks, i+1).is("{"):
		s.next, s.wait = s.anonymous(toks, arrowStart(toks, i)), true
	case t.is("{"):
		s.braces++
		if s.wait && len(s.names) < maxScopes {
			s.names, s.depth = append(s.names, s.next), append(s.depth, s.braces)
		}
		s.wait = false
	case t.is("}"):
		if n := len(s.depth); n > 0 && s.depth[n-1] == s.braces {
			s.names, s.depth = s.names[:n-1], s.depth[:n-1]
		}
		s.braces--
	}
}

// called is the name of the function at i, or that of the scope it runs in.
func (s *scopes) called(toks []tok, i int) string {
	if n := at(toks, i+1); n.kind == ident {
		if at(toks, i-1).is("(") || at(toks, i-1).is("!", "+", "-", "void") {
			return s.name() // called on the spot
		}
		return n.text
	}
	return s.anonymous(toks, i)
}

// anonymous finds out what a function without a name is for, from what stands before it.
func (s *scopes) anonymous(toks []tok, i int) string {
	before := at(toks, i-1)
	switch {
	case before.is("=") && at(toks, i-2).kind == ident:
		name := at(toks, i-2).text
		if len(name) > 2 && name[:2] == "on" {
			if name == "onload" || name == "onreadystatechange" {
				return s.name()
			}
			return handler
		}
		return name
	case before.is(":"):
		return handler // a method: nobody knows when it runs
	case before.is(",") && at(toks, i-2).kind == str:
		switch at(toks, i-2).text {
		case "load", "DOMContentLoaded", "pageshow", "readystatechange":
			return s.name()
		}
		return handler
	}
	return s.name()
}

// arrowStart is where the parameters of an arrow function begin.
func arrowStart(toks []tok, i int) int {
	if !at(toks, i-1).is(")") {
		return i - 1
	}
	for k := i - 2; k >= 0 && k > i-40; k-- {
		if toks[k].is("(") {
			return k
		}
	}
	return i
}
