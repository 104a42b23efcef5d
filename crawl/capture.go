package crawl

import (
	"fmt"
	"strings"

	"varve"
	"varve/crawl/scope"
)

// Capture says how far answers are followed beyond reading their links. Zero values mean the default
// named at the field. Who does it is given to the run in Options.
type Capture struct {
	Mode       string         `json:"capture,omitempty" toml:"capture"`            // parser, auto or browser; auto: pages are executed where it pays
	Routes     string         `json:"routes,omitempty" toml:"routes"`              // rule file that comes before the built-in rules
	APIRules   string         `json:"apiRules,omitempty" toml:"api-rules"`         // rule file that comes before the built-in rules of interfaces
	Behaviours string         `json:"behaviours,omitempty" toml:"behaviours"`      // rule file that comes before the built-in behaviours on executed pages
	APIs       string         `json:"apis,omitempty" toml:"apis"`                  // follow or ignore; follow
	Media      string         `json:"media,omitempty" toml:"media"`                // one rendition of streams, all, or none; one
	MediaLive  scope.Duration `json:"mediaLive,omitempty" toml:"media-live"`       // that live streams are followed; 10 min
	Screenshot bool           `json:"screenshots,omitempty" toml:"screenshots"`    // of executed pages
	PageText   bool           `json:"renderedText,omitempty" toml:"rendered-text"` // of executed pages
	PageTime   scope.Duration `json:"pageTime,omitempty" toml:"page-time"`         // that the execution of a page may take; 1 min
}

func (c *Capture) check() error {
	for _, f := range []struct{ name, value, words string }{
		{"capture", c.Mode, "parser auto browser"},
		{"apis", c.APIs, "follow ignore"},
		{"media", c.Media, "one all none"},
	} {
		if f.value != "" && !hasWord(strings.Fields(f.words), f.value) {
			return &varve.Error{
				Kind: varve.Invalid, Op: f.name, Err: fmt.Errorf("%q is not known", f.value), Hint: "one of: " + f.words,
			}
		}
	}
	return nil
}
