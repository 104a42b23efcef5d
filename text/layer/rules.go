package layer

// Rule says what of the markup is masked on the layer dom, and why. A rule is about the value of an attribute, told by
// the element, the attribute and words in the name of the thing, or about a shape found in values and scripts.
type Rule struct {
	Name     string   // for reports
	Why      string   // what writes it
	Element  string   // empty: any
	Attr     string   // the attribute that is masked; a final * matches any ending; empty for shapes
	Named    []string // words in the name of the thing, letters and digits in lower case; empty: always
	Template string   // of a shape: what it looks like
	shape    func([]byte) int
}

// Rules lists what is masked on the layer dom.
func Rules() []Rule { return append(append([]Rule(nil), named...), shapes...) }

// tokenWords are parts of the names by which servers call what they write anew for each answer or visitor. Names are
// compared without case and punctuation: csrf-token, _csrf_token and csrfToken are one.
var tokenWords = []string{
	"csrf", "xsrf", "authenticitytoken", "requestverificationtoken", "antiforgery", "formtoken", "formkey", "formbuildid",
	"formid", "wpnonce", "nonce", "sesskey", "sessionid", "sessid", "sessiontoken", "securitytoken", "requesttoken", "viewstate",
	"eventvalidation", "previouspage", "captcha", "honeypot", "requestid", "traceid", "traceparent", "correlationid", "visitorid",
	"buildtime", "rendertime", "renderedat", "generatedat", "servertime", "timestamp", "currenttime", "requesttime", "cachebuster",
}

// named are the rules about attributes.
var named = []Rule{
	{Name: "nonce", Why: "the key of a content security policy is new with each answer", Attr: "nonce"},
	{Name: "meta-token", Why: "frameworks hand tokens against forged requests to scripts", Element: "meta", Attr: "content", Named: tokenWords},
	{Name: "input-token", Why: "forms carry tokens, view states and time stamps back to the server", Element: "input", Attr: "value", Named: tokenWords},
	{Name: "data-token", Why: "tokens and times of rendering for scripts", Attr: "data-*", Named: tokenWords},
	{Name: "react-checksum", Why: "a checksum over the rendered markup, session ids included", Attr: "data-react-checksum"},
	{Name: "cf-email", Why: "addresses hidden by a proxy with a new key each time", Attr: "data-cfemail"},
	{Name: "cf-beacon", Why: "the number of the answer, for statistics", Attr: "data-cf-beacon"},
}

// shapes are the rules about what stands in attributes that hold no address, and in scripts. Addresses are left to the
// session rules of web/canon: a hash in the name of a picture says that the picture changed.
var shapes = []Rule{
	{Name: "uuid", Why: "numbers of requests, widgets and visitors", Template: "8-4-4-4-12 hexadecimal digits", shape: uuid},
	{Name: "stamp", Why: "the time of rendering, or a date that moves with the file", Template: "2026-11-15T05:30:00Z, seconds and zone optional", shape: stamp},
	{Name: "epoch", Why: "the time of rendering in seconds or milliseconds", Template: "10 or 13 digits, from 2001 to 2033", shape: epoch},
	{Name: "hex", Why: "keys, signatures, session ids", Template: "16 or more hexadecimal digits, letters and digits among them", shape: hexRun},
	{Name: "key", Why: "keys and signatures in base 64", Template: "20 or more letters and digits: capitals, small ones and digits, mixed", shape: keyRun},
}
