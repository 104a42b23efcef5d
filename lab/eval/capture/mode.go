package capture

import (
	"fmt"
	"strings"
)

// Mode is a way to crawl.
type Mode string

// The modes, from the cheapest to the dearest.
const (
	Parser  Mode = "parser"  // source is read, and guessed from
	Routed  Mode = "routed"  // rules and measured gain choose
	Browser Mode = "browser" // every page is executed
)

// Modes lists all of them.
func Modes() []Mode { return []Mode{Parser, Routed, Browser} }

// ParseModes reads one mode, several with commas between, or "all".
func ParseModes(text string) ([]Mode, error) {
	if text == "all" || text == "" {
		return Modes(), nil
	}
	var out []Mode
	for _, word := range strings.Split(text, ",") {
		m := Mode(strings.TrimSpace(word))
		if m != Parser && m != Routed && m != Browser {
			return nil, fmt.Errorf("no mode %q: there are parser, routed, browser and all", word)
		}
		out = append(out, m)
	}
	return out, nil
}
