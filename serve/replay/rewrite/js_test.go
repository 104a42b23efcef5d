package rewrite_test

import (
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"varve/serve/replay/rewrite"
	"varve/web/canon"
)

// document is the page http://a.example/d/p captured at a fixed time.
func document(t testing.TB) *rewrite.Document {
	t.Helper()
	u, err := canon.Parse("http://a.example/d/p")
	if err != nil {
		t.Fatal(err)
	}
	return &rewrite.Document{Base: u, Prefix: "/n/", Time: "20260102030405", Mod: "mp_"}
}

// L and T stand for the long names.
var short = strings.NewReplacer("varve$location", "L", "varve$top", "T", "varve$code", "C", "varve$import", "I", "/n/20260102030405js_/", "@")

var scripts = []struct{ in, want string }{
	{"a = 1", "a = 1"},
	{"location = '/x'", "L = '/x'"},
	{"window.location.href", "window.L.href"},
	{"a?.location", "a?.L"},
	{"a.b.location=1", "a.b.L=1"},
	{"if(location)/location/.test(x)", "if(L)/location/.test(x)"},
	{"x = a / location / b", "x = a / L / b"},
	{"'location' + \"location\" + `location ${location + `${location}`} location`", "'location' + \"location\" + `location ${L + `${L}`} location`"},
	{"// location\nlocation /* location */", "// location\nL /* location */"},
	{"<!-- location\nlocation", "<!-- location\nL"},
	{"f({location: 1, top: location})", "f({location: 1, top: L})"},
	{"f({location})", "f({location:L})"},
	{"f({a, location, top})", "f({a, location:L, top:T})"},
	{"const {location = 3, a} = window", "const {L:L = 3, a} = window"},
	{"const {location: l} = window", "const {L: l} = window"},
	{"const {a: {location}, b: [{top: t}]} = x", "const {a: {L:L}, b: [{T: t}]} = x"},
	{"({location: l} = window)", "({L: l} = window)"},
	{"const {location, ...rest} = props", "const {location:L, ...rest} = props"},
	{"for (const {location} of list) location.x", "for (const {L:L} of list) L.x"},
	{"f({location: l}); if (f({location})) { g() }", "f({location: l}); if (f({location:L})) { g() }"},
	{"x = {location} == y; z = {location: 1}, w = 2", "x = {location:L} == y; z = {location: 1}, w = 2"},
	{"function f({location: l, top}, {x} = {}) {}", "function f({L: l, T:T}, {x} = {}) {}"},
	{"class A { m({location}) {} n(){ return super.location } }", "class A { m({L:L}) {} n(){ return super.location } }"},
	{"async ({location: {href}}) => href", "async ({L: {href}}) => href"},
	{"delete o['location']; delete o[k]; delete window[k]; o['location']", "delete o['location']; delete o[k]; delete window[k]; o['varve$location']"},
	{"window[k]; window?.[k]; document[k]; this[k]; a.document[k]; o[k]", "window[varve$key((k))]; window?.[varve$key((k))]; document[varve$member((k))]; this[varve$member((k))]; a.document[k]; o[k]"},
	{"var w = window, d = document; w[k] = d[k]; e = window.x; e[k]", "var w = window, d = document; w[varve$member((k))] = d[varve$member((k))]; e = window.x; e[k]"},
	{"f.contentWindow[k]; x.defaultView['a' + b]; window['a']", "f.contentWindow[varve$key((k))]; x.defaultView[varve$key(('a' + b))]; window['a']"},
	{"eval.call(null, x); eval?.(x)", "varve$eval.call(null, x); varve$eval?.(x)"},
	{"f(a, location, b)", "f(a, L, b)"},
	{"function f(){ var a = 1, location = 2; return location }", "function f(){ var a = 1, L = 2; return L }"},
	{"x = {get location(){ return location }, location(){}, async top(){}, *top(){}}", "x = {get location(){ return L }, location(){}, async top(){}, *top(){}}"},
	{"class A { location = location; static top = 1; get location(){ return this.location } top(){} }", "class A { location = L; static top = 1; get location(){ return this.L } top(){} }"},
	{"class A extends B { #location; m(){ return this.#location } }", "class A extends B { #location; m(){ return this.#location } }"},
	{"location => location.x", "L => L.x"},
	{"({location}) => location", "({L:L}) => L"},
	{"[...location]", "[...L]"},
	{"a ? location : top", "a ? L : T"},
	{"x = {a: b ? location : c}", "x = {a: b ? L : c}"},
	{"switch(a){case location: {location} default: {top}}", "switch(a){case L: {L} default: {T}}"},
	{"a = b ? {location} : {top}", "a = b ? {location:L} : {top:T}"},
	{"window['location'] = x['location']", "window['varve$location'] = x['varve$location']"},
	{"y = ['location']", "y = ['location']"},
	{"w['top']; window['top']", "w['top']; window['varve$top']"},
	{"el.style.top = rect.top; window.top.x; top.y; self.top", "el.style.top = rect.top; window.T.x; T.y; self.T"},
	{"if (top != self) top.location = self.location", "if (T != self) T.L = self.L"},
	{"eval(x)", "eval(C(x))"},
	{"(0, eval)(x); var e = eval; f(eval)", "(0, varve$eval)(x); var e = varve$eval; f(varve$eval)"},
	{"x = {eval: 1, eval}; a.eval; typeof eval", "x = {eval: 1, eval}; a.eval; typeof eval"},
	{"delete o.location; delete a.b.location; undelete.location", "delete o.location; delete a.b.location; undelete.L"},
	{"eval('a' + f(b)); c", "eval(C('a' + f(b))); c"},
	{"a.eval(x); window.eval(x)", "a.eval(x); window.eval(C(x))"},
	{"import('./m.js')", "import(I('./m.js'))"},
	{"import(m).then(f)", "import(I(m)).then(f)"},
	{"import '/m.js'; import a, {location, b as top} from \"//c.example/m.js\"; import x from 'bare'", "import '@http://a.example/m.js'; import a, {location as L, b as T} from \"@http://c.example/m.js\"; import x from 'bare'"},
	{"export {location, top as x} from '../m.js'", "export {L as location, T as x} from '@http://a.example/m.js'"},
	{"export const location = 1", "export const L = 1\n;export {L as location};"},
	{"export const a = f(x, location), top = 2; f(a, top)", "export const a = f(x, L), T = 2; f(a, T)\n;export {T as top};"},
	{"export const a = 1\nb(a), location.reload()", "export const a = 1\nb(a), L.reload()"},
	{"f().top === window; w?.['location']", "f().T === window; w?.['varve$location']"},
	{"export default location.x", "export default L.x"},
	{"export * from '/m.js'", "export * from '@http://a.example/m.js'"},
	{"import.meta.url + location; import.meta.env; const {url} = import . meta", "varve$meta(import.meta).url + L; varve$meta(import.meta).env; const {url} = varve$meta(import.meta)"},
	{"m.groups.location; import * as ns from 'n'; ns.location; os.location", "m.groups.location; import * as ns from 'n'; ns.location; os.L"},
	{"const {[k]: a} = window; x = {[k]: a}; f({[k]: b, [j]: c}) ", "const {[varve$member((k))]: a} = window; x = {[k]: a}; f({[k]: b, [j]: c}) "},
	{"p.reduce((o, k) => o[k], window); o?.[k]; a && a[k]; a = b[k]", "p.reduce((o, k) => o[varve$member((k))], window); o?.[varve$member((k))]; a && a[varve$member((k))]; a = b[k]"},
	{"document['defaultView'][k]", "document['defaultView'][varve$key((k))]"},
	{"e.top === e; e !== e.top; e.self == e.top; e.top.location; (window).top; f().top; w = window; w.top; a.top == b", "e.T === e; e !== e.T; e.self == e.T; e.T.L; (window).T; f().top; w = window; w.T; a.top == b"},
	{"x = a++ / 2; location", "x = a++ / 2; L"},
	{"x = {} / 1; location", "x = {} / 1; L"},
	{"return /[/]location/.exec(location)", "return /[/]location/.exec(L)"},
	{"mylocation; location2; $location; obj.mylocation", "mylocation; location2; $location; obj.mylocation"},
	{"while(x)/re/.test(location)", "while(x)/re/.test(L)"},
	{"a.if(x)/location/2", "a.if(x)/L/2"},
	{"1..location", "1..L"},
	{"class A { m(){} import(x){} eval(y){} static import(z){} }", "class A { m(){} import(x){} eval(y){} static import(z){} }"},
	{"x = {import(a){}, eval(b){}}", "x = {import(a){}, eval(b){}}"},
	{"w.postMessage(a, '*'); postMessage(b); x.postMessage", "w.varve$post(varve$self,a, '*'); postMessage(b); x.postMessage"},
	{"a.postMessage()", "a.varve$post(varve$self,)"},
	{"out: {location.x}", "out: {L.x}"},
	{"f()\nout: {location.x}", "f()\nout: {L.x}"},
	{"x = a ? b : {location}", "x = a ? b : {location:L}"},
	{"// a\rlocation = 1", "// a\rL = 1"},
	{"// a\u2028location = 1", "// a\u2028L = 1"},
	{"a = 'b\\\r\nc'; location", "a = 'b\\\r\nc'; L"},
	{"location\u00a0= 1", "L\u00a0= 1"},
	{"\\u006cocation = a.loc\\u{61}tion", "L = a.L"},
	{"x = {...location()}", "x = {...L()}"},
	{"a\n--> location\nlocation", "a\n--> location\nL"},
	{"export function from() { f(from 'x') }", "export function from() { f(from 'x') }"},
	{"delete a\nb.location", "delete a\nb.L"},
}

func TestJS(t *testing.T) {
	for _, c := range scripts {
		got := short.Replace(string(document(t).JS(nil, []byte(c.in))))
		want := strings.NewReplacer("varve$location", "L", "varve$top", "T").Replace(c.want)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, want)
		}
	}
}

// Chains of members that are renamed must not be looked through from their beginning for each of them.
func TestLongChain(t *testing.T) {
	src := []byte("a" + strings.Repeat(".location", 200_000))
	if got := document(t).JS(nil, src); strings.Count(string(got), "varve$location") != 200_000 {
		t.Error("not all were renamed")
	}
}

// parses asks a real parser.
func parses(src string) bool {
	r := api.Transform(src, api.TransformOptions{Loader: api.LoaderJS, LogLevel: api.LogLevelSilent})
	return len(r.Errors) == 0
}

// A script that a browser reads is one after rewriting too.
func FuzzJS(f *testing.F) {
	for _, c := range scripts {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got := string(document(t).JS(nil, []byte(src)))
		if len(src) > 2000 || strings.Contains(src, "\\") || strings.Contains(src, "<!--") {
			return
		}
		if parses(src) && !parses(got) {
			t.Fatalf("%q parses\n%q does not", src, got)
		}
	})
}
