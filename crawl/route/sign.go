package route

import (
	"strings"

	"varve/text/needle"
)

// Sign is something in a page that speaks for executing it.
type Sign uint32

// The signs.
const (
	EmptyRoot    Sign = 1 << iota // the root element of an application, without content
	NeedsScript                   // asks the reader to switch JavaScript on
	FewWords                      // scripts, and hardly a word
	FewLinks                      // scripts, and hardly a link
	HashRoutes                    // links to #/...
	LoadMore                      // a button for more
	Asks                          // a script that asks the server
	Builds                        // a script that builds elements
	Moves                         // a script that goes elsewhere
	Routes                        // a script that gives the page other addresses
	Scrolls                       // a script that watches scrolling
	Hides                         // a script that unpacks strings
	Shadow                        // a script that makes shadow roots
	ScriptLinks                   // links that only a script follows
	Handlers                      // attributes with code for clicks and the like
	Custom                        // elements that a script defines
	DataAPI                       // attributes with addresses for a script
	Template                      // a template element
	BareImages                    // images without an address
	BareFrames                    // frames without an address
	Player                        // a player without an address
	Framework                     // a known framework, with content from the server
	Module                        // a script that is a module
	PostForm                      // a form that is sent by POST
	ScriptHeavy                   // more script than anything else
	ScriptAsks                    // a script file of the page that asks the server
	ScriptBuilds                  // a script file of the page that builds elements or addresses
	HasMedia                      // films or sounds
	Choices                       // a list to choose from: each choice may lead elsewhere
	numSigns     = 29
)

// signInfo describes a sign: its name in rules, its weight, and what it says to people.
type signInfo struct {
	name   string
	weight float64
	says   string
}

// signTable has the signs in the order of their bits. A weight is the chance that executing a page with
// this sign alone brings more than the parser; they are guesses to begin with, and the measured gain of a
// section soon outweighs them.
var signTable = [numSigns]signInfo{
	{"empty-root", 0.9, "the root of an application is empty"},
	{"needs-script", 0.7, "it asks for JavaScript"},
	{"few-words", 0.6, "hardly a word without its scripts"},
	{"few-links", 0.4, "hardly a link without its scripts"},
	{"hash-routes", 0.7, "links to #/ addresses"},
	{"load-more", 0.7, "a button for more"},
	{"asks", 0.5, "a script asks the server"},
	{"builds", 0.35, "a script builds elements"},
	{"moves", 0.5, "a script goes elsewhere"},
	{"routes", 0.6, "a script has addresses of its own"},
	{"scrolls", 0.5, "a script watches scrolling"},
	{"hides", 0.4, "a script unpacks strings"},
	{"shadow", 0.5, "a script makes shadow roots"},
	{"script-links", 0.4, "links that only a script follows"},
	{"handlers", 0.4, "code for clicks in attributes"},
	{"custom-elements", 0.35, "elements that a script defines"},
	{"data-api", 0.5, "addresses for scripts in attributes"},
	{"template", 0.2, "a template"},
	{"bare-images", 0.5, "images without an address"},
	{"bare-frames", 0.4, "frames without an address"},
	{"player", 0.4, "a player without an address"},
	{"framework", 0.25, "made by a framework"},
	{"module", 0.1, "a script module"},
	{"post-form", 0.1, "a form sent by POST"},
	{"script-heavy", 0.15, "mostly script"},
	{"script-asks", 0.25, "a script file asks the server"},
	{"script-builds", 0.15, "a script file builds elements or addresses"},
	{"media", 0.02, "films or sounds"},
	{"choices", 0.4, "a list to choose from"},
}

// strongWeight is the weight from which a sign tells sections apart.
const strongWeight = 0.3

// Has tells whether all signs of t are in s.
func (s Sign) Has(t Sign) bool { return s&t == t }

// Names lists the signs by name.
func (s Sign) Names() []string { return s.each(func(i signInfo) string { return i.name }) }

// String joins what the signs say.
func (s Sign) String() string {
	return strings.Join(s.each(func(i signInfo) string { return i.says }), ", ")
}

func (s Sign) each(text func(signInfo) string) []string {
	var out []string
	for i := range signTable {
		if s&(1<<i) != 0 {
			out = append(out, text(signTable[i]))
		}
	}
	return out
}

// vague are the signs that mean something only beside scripts that do something.
const vague = FewWords | FewLinks | Template | Framework | Module | PostForm | ScriptHeavy | HasMedia

// strong leaves out the weak signs, and those that are a matter of length: pages of one template have more
// words or fewer.
func (s Sign) strong() Sign {
	s &^= FewWords | FewLinks | ScriptHeavy
	for i := range signTable {
		if signTable[i].weight < strongWeight {
			s &^= 1 << i
		}
	}
	return s
}

// Chance is the prior chance that execution brings more: the signs are taken as independent.
func (s Sign) Chance() float64 {
	none := 1.0
	for i := range signTable {
		if s&(1<<i) != 0 {
			none *= 1 - signTable[i].weight
		}
	}
	return 1 - none
}

// ParseSign reads the name of a sign.
func ParseSign(name string) (Sign, bool) {
	for i := range signTable {
		if signTable[i].name == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// needles are words in scripts and the signs they are.
var needles = []struct {
	word string
	sign Sign
}{
	{"fetch(", Asks},
	{"XMLHttpRequest", Asks},
	{".ajax(", Asks},
	{"axios", Asks},
	{"EventSource(", Asks},
	{"WebSocket(", Asks},
	{".getJSON(", Asks},
	{"import(", Asks},
	{"pushState(", Routes},
	{"replaceState(", Routes},
	{"hashchange", Routes},
	{"location.hash", Routes},
	{"attachShadow(", Shadow},
	{"customElements.define(", Shadow},
	{"innerHTML", Builds},
	{"createElement(", Builds},
	{"insertAdjacentHTML(", Builds},
	{"document.write", Builds},
	{".setAttribute(", Builds},
	{".src=", Builds},
	{".src =", Builds},
	{"appendChild(", Builds},
	{"location.href=", Moves},
	{"location.href =", Moves},
	{"location=", Moves},
	{"location =", Moves},
	{"location.replace(", Moves},
	{"location.assign(", Moves},
	{"window.open(", Moves},
	{".submit(", Moves},
	{"IntersectionObserver", Scrolls},
	{"'scroll'", Scrolls},
	{`"scroll"`, Scrolls},
	{"onscroll", Scrolls},
	{"atob(", Hides},
	{"eval(", Hides},
	{"fromCharCode(", Hides},
	{"rtmp://", HasMedia},
	{"rtsp://", HasMedia},
	{"mms://", HasMedia},
}

// scriptSigns are the signs that needles stand for, and needleSet finds them.
var scriptSigns, needleSet = func() (Sign, *needle.Set) {
	var all Sign
	words := make([]string, len(needles))
	for i, n := range needles {
		words[i] = n.word
		all |= n.sign
	}
	return all, needle.New(words...)
}()

// maxScript bounds what is looked at of one script.
const maxScript = 256 << 10

// ScriptSigns are the signs in a script.
func ScriptSigns(b []byte) Sign {
	b = b[:min(len(b), maxScript)]
	var s Sign
	needleSet.Find(b, func(i int) bool {
		s |= needles[i].sign
		return s != scriptSigns
	})
	return s
}

// fileSigns are the signs that a script file of its own is for the pages that load it: weaker, since
// files are shared by pages that use little of them.
func fileSigns(s Sign) Sign {
	var out Sign
	if s&Asks != 0 {
		out |= ScriptAsks
	}
	if s&(Builds|Routes|Shadow|Scrolls|Moves) != 0 {
		out |= ScriptBuilds
	}
	return out
}
