package robots

import "strings"

// agent reads a User-agent line: it opens a group, or joins the open one while that has no rule.
func (p *parser) agent(value, content string) {
	if p.ruled {
		p.closeGroup()
	}
	a, ok := parseAgent(value)
	if !ok {
		p.file.find(p.number, content, "user-agent without product token")
		a = Agent{} // keeps the rules that follow from falling to the group above
	}
	a.Line = p.number
	p.group.Agents = append(p.group.Agents, a)
}

// closeGroup ends the open group. Only a rule makes a group worth keeping, or a pace line.
func (p *parser) closeGroup() {
	if len(p.group.Agents) > 0 {
		p.file.Groups = append(p.file.Groups, p.group)
	}
	p.group, p.ruled = Group{}, false
}

// parseAgent takes the product token out of a User-agent value: the letters, `-` and `_` at its
// beginning, so that "Googlebot/2.1" is googlebot; `*` counts when it stands alone or before a blank.
func parseAgent(value string) (Agent, bool) {
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		return Agent{Token: "*", full: "*"}, true
	}
	full := value
	if i := strings.IndexAny(full, " \t/"); i >= 0 {
		full = full[:i]
	}
	n := 0
	for n < len(full) && isTokenByte(full[n]) {
		n++
	}
	a := Agent{Token: strings.ToLower(full[:n]), full: strings.ToLower(full)}
	return a, a.full != ""
}

// isTokenByte tells the octets of a product token (RFC 9309 section 2.2.1).
func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '_'
}

// matches tells whether the line is meant for a crawler with this lower-case token. Crawlers whose
// name is no valid token (mj12bot) are met by the whole word.
func (a Agent) matches(token string) bool {
	return token != "" && token != "*" && (a.Token == token || a.full == token)
}

// rule reads an Allow or Disallow line.
func (p *parser) rule(allow bool, value, content string) {
	if len(p.group.Agents) == 0 {
		p.file.find(p.number, content, "rule before any user-agent")
		return
	}
	p.ruled = true
	if value == "" {
		return // an empty pattern matches nothing; it is the old way to say "all allowed"
	}
	if value[0] != '/' && value[0] != '*' {
		p.file.find(p.number, content, "path does not begin with / or *, ignored")
		return
	}
	p.group.Rules = append(p.group.Rules, Rule{Allow: allow, Path: value, Line: p.number})
}
