package robots

import "fmt"

// MaxBytes is how much of a robots.txt is read: the 500 KiB that RFC 9309 section 2.5 demands as
// a minimum. What lies behind, and the line that is cut by the limit, is ignored with a finding.
const MaxBytes = 500 << 10

// maxFindings bounds what one broken file (an HTML page, say) can make us remember.
const maxFindings = 200

// File is a parsed robots.txt.
type File struct {
	Groups      []Group      `json:"groups,omitempty"`
	Sitemaps    []string     `json:"sitemaps,omitempty"`     // as written, not resolved
	CleanParams []CleanParam `json:"clean_params,omitempty"` // Yandex: query parameters without meaning
	Other       []Line       `json:"other,omitempty"`        // well-formed lines outside RFC 9309 that we only record
	Findings    []Finding    `json:"findings,omitempty"`
	Unlisted    int          `json:"unlisted,omitempty"` // findings beyond the first 200, counted only
	Truncated   bool         `json:"truncated,omitempty"`
}

// Group is one set of User-agent lines with the rules below them.
type Group struct {
	Agents []Agent `json:"agents"`
	Rules  []Rule  `json:"rules,omitempty"`
	Pace   []Pace  `json:"pace,omitempty"`
}

// Agent is one User-agent line.
type Agent struct {
	Token string `json:"token"` // product token in lower case, or "*"
	Line  int    `json:"line"`
	full  string // lower-case value up to a blank or slash: "mj12bot" where Token is "mj"
}

// Rule is one Allow or Disallow line.
type Rule struct {
	Allow bool   `json:"allow"`
	Path  string `json:"path"` // as written
	Line  int    `json:"line"`
}

// String gives the rule as it would stand in the file.
func (r Rule) String() string {
	verb := "Disallow"
	if r.Allow {
		verb = "Allow"
	}
	return fmt.Sprintf("%s: %s (line %d)", verb, r.Path, r.Line)
}

// Line is a well-formed line that RFC 9309 does not define, such as Host.
type Line struct {
	Name  string `json:"name"` // lower case
	Value string `json:"value"`
	Line  int    `json:"line"`
}

// Finding is something in the file that could not be taken as written.
type Finding struct {
	Line int    `json:"line"`
	Text string `json:"text"` // the line, shortened
	Why  string `json:"why"`
}

// String gives "line 3: ...: ...".
func (f Finding) String() string { return fmt.Sprintf("line %d: %s: %q", f.Line, f.Why, f.Text) }

// find keeps a finding, or only counts it when there are too many.
func (f *File) find(line int, text, why string) {
	if len(f.Findings) >= maxFindings {
		f.Unlisted++
		return
	}
	const most = 120
	if len(text) > most {
		text = text[:most] + "..."
	}
	f.Findings = append(f.Findings, Finding{Line: line, Text: text, Why: why})
}
