package content

// found is what the scripts of a page do as it loads, as far as reading tells.
type found struct {
	redirect, obfuscated bool
	evals                int
}

// program is all scripts of a page: a function of one may be called by another.
type program struct {
	plain, decoded reach
	evals          int
	budget         int // tokens that may still be read
}

// reach tells in which functions the reader is sent away, and which functions are called as the page loads.
type reach struct {
	sends map[string]bool // by name of the function; "" is outside of any
	calls map[string]bool
}

// maxTokens bounds what is read of all scripts of a page; maxUnwrap, how deep code in strings is followed.
const (
	maxTokens = 60_000
	maxUnwrap = 4
)

func newProgram() *program {
	return &program{plain: newReach(), decoded: newReach(), budget: maxTokens}
}

func newReach() reach { return reach{map[string]bool{}, map[string]bool{}} }

func (r *reach) sent() bool {
	for name := range r.sends {
		if name == "" || r.calls[name] {
			return true
		}
	}
	return false
}

// add reads a script.
func (p *program) add(src string) { p.read(src, 0, true) }

// read reads code; plain says that it stands in the page as it is.
func (p *program) read(src string, depth int, plain bool) {
	if src == "" || p.budget <= 0 || depth > maxUnwrap {
		return
	}
	toks := lex(src, p.budget)
	p.budget -= len(toks)
	if plain {
		p.scan(&p.plain, toks, depth, true)
	}
	p.scan(&p.decoded, fold(toks), depth, false)
}

func (p *program) verdict() found {
	f := found{evals: p.evals}
	f.redirect = p.decoded.sent() || p.plain.sent()
	f.obfuscated = f.redirect && !p.plain.sent()
	return f
}

// scan walks through tokens and notes redirects with the function that they stand in.
//
//	location = ..., location.href = ..., location.replace(...), location.assign(...), [any].location["href"] = ...
//	eval("..."), setTimeout("...", n), document.write("<script>...")    code in strings is read likewise
func (p *program) scan(r *reach, toks []tok, depth int, plain bool) {
	s := scopes{}
	for i := range toks {
		s.step(toks, i)
		t := toks[i]
		if t.kind != ident {
			continue
		}
		if sends(toks, i) {
			r.sends[s.name()] = true
		}
		if !isDefinition(toks, i) && (s.name() == "" || s.name() != handler && at(toks, i+1).is("(")) {
			r.calls[t.text] = true
		}
		p.unwrap(toks, i, depth, plain)
	}
}

// unwrap reads code in strings, and counts what makes code of strings.
func (p *program) unwrap(toks []tok, i, depth int, plain bool) {
	if !at(toks, i+1).is("(") {
		return
	}
	arg := at(toks, i+2)
	switch toks[i].text {
	case "eval", "unescape", "fromCharCode", "atob":
		if plain {
			p.evals++
		}
		if toks[i].text == "eval" && !plain && arg.kind == str {
			p.read(arg.text, depth+1, false)
		}
	case "setTimeout", "setInterval":
		if arg.kind == str {
			p.read(arg.text, depth+1, plain)
		}
	case "write", "writeln":
		if plain {
			p.evals++
		}
		if arg.kind == str && !plain {
			for code := range scriptsIn(arg.text) {
				p.read(code, depth+1, false)
			}
			if refreshIn(arg.text) {
				p.decoded.sends[""] = true
			}
		}
	}
}

// sends tells whether the token begins what sends the reader away.
func sends(toks []tok, i int) bool {
	if toks[i].text != "location" || at(toks, i-1).is("var", "let", "const") {
		return false
	}
	switch next := at(toks, i+1); {
	case next.is("="):
		return !at(toks, i-1).is(".") || owner(at(toks, i-2).text)
	case next.is("."):
		member, after := at(toks, i+2).text, at(toks, i+3)
		return member == "href" && after.is("=") || (member == "replace" || member == "assign") && after.is("(")
	}
	return false
}

// owner tells whether an object's location is that of the page.
func owner(name string) bool {
	switch name {
	case "window", "document", "self", "top", "parent", "this", "globalThis", "frames", "opener":
		return true
	}
	return false
}

func isDefinition(toks []tok, i int) bool {
	return at(toks, i-1).is("function") || at(toks, i-1).is("var", "let", "const")
}
