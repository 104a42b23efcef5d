package behave

import (
	_ "embed" // the scripts
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

//go:embed hook.js
var hookSource string

//go:embed behave.js
var behaveSource string

// placeholder stands in the scripts where their configuration goes.
const placeholder = "VARVE_CONFIG"

// Limits bound what the scripts do on one page. Zero fields mean the default named at the field.
type Limits struct {
	Elements int           // looked at when choosing; 4,000
	Alike    int           // presses of one kind of element; 40
	Barren   int           // presses of one kind without effect, one after another; 3
	Mores    int           // presses of more-buttons; 25
	Options  int           // values of selects tried, and URLs made of one form; 40
	HTML     int           // characters of the document taken; 8 Mi
	Parts    int           // characters kept of what vanished; 2 Mi
	Settle   time.Duration // given to the page after a press; 25 ms
	Frame    time.Duration // given to the page after scrolling; 50 ms
	Stale    time.Duration // age from which a script's wait for an answer no longer counts; 3 s
	Late     time.Duration // timers up to this are not waited for but run when the page is quiet; 10 s
}

// config is what the scripts read.
type config struct {
	Generic
	Elements int    `json:"elements"`
	Alike    int    `json:"alike"`
	Barren   int    `json:"barren"`
	Mores    int    `json:"mores"`
	Options  int    `json:"options"`
	HTML     int    `json:"html"`
	Parts    int    `json:"parts"`
	Settle   int64  `json:"settle"`
	Frame    int64  `json:"frame"`
	Key      string `json:"key"`
	Stale    int64  `json:"stale"`
}

// Scripts are the sources for one page.
type Scripts struct {
	Hook   string // for the page's own world
	Behave string // for a world beside it
	State  string // expression that reads what the hook has noted, in the page's own world
	Tell   string // expression that tells the other world who listens
	Hurry  string // expression that does at once what the page means to do later, and gives how much
}

// State is what the hook has noted.
type State struct {
	Scrolls  int      `json:"scrolls"`  // things that wait for scrolling
	Opened   []string `json:"opened"`   // windows that scripts wanted to open
	Unopened int      `json:"unopened"` // others, beyond a limit
	Timers   int      `json:"timers"`   // things to be done later
}

// Scripts makes the scripts from rules, limits, and the seed of Math.random.
func (r *Rules) Scripts(l Limits, seed uint32) (Scripts, error) {
	key := fmt.Sprintf("varve-%08x", seed)
	c := config{
		Generic: r.Generic, Elements: or(l.Elements, 4000), Alike: or(l.Alike, 40), Barren: or(l.Barren, 3), Mores: or(l.Mores, 25), Options: or(l.Options, 40),
		HTML: or(l.HTML, 8<<20), Parts: or(l.Parts, 2<<20), Settle: or(l.Settle, 25*time.Millisecond).Milliseconds(), Frame: or(l.Frame, 50*time.Millisecond).Milliseconds(), Key: key, Stale: or(l.Stale, 3*time.Second).Milliseconds(),
	}
	b, err := json.Marshal(c)
	if err != nil {
		return Scripts{}, fmt.Errorf("behaviours: %w", err)
	}
	return Scripts{
		Hook:   strings.Replace(hookSource, placeholder, fmt.Sprintf("{key: %q, seed: %d, late: %d}", key, seed, or(l.Late, 10*time.Second).Milliseconds()), 1),
		Behave: strings.Replace(behaveSource, placeholder, string(b), 1),
		State:  fmt.Sprintf("(s => s && {scrolls: s.scrolls, opened: s.opened, unopened: s.unopened, timers: s.timers()})(globalThis[Symbol.for(%q)])", key),
		Tell:   fmt.Sprintf("globalThis[Symbol.for(%q)]?.tell()", key),
		Hurry:  fmt.Sprintf("globalThis[Symbol.for(%q)]?.hurry()", key),
	}, nil
}

func or[N int | time.Duration](v, usual N) N {
	if v <= 0 {
		return usual
	}
	return v
}
