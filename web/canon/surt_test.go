package canon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stages are the functions that the vector groups of surt.json speak of.
var stages = map[string]func(string) string{
	"google":                     googleStage,
	"googleSupplementalFromSurt": googleStage,
	"unescapeRepeatedly":         unescapeRepeatedly,
	"Canonicalizer.IA":           iaStage,
	"Canonicalizer.DefaultIA":    IndexURL,
	"alphaRorderQuery":           sortQuery,
	"massageHost":                stripWWW,
	"stripPathSessionId":         stripPathSession,
	"defaultIASurt":              SURT,
}

// TestConformanceSURT runs the vectors of iipc/urlcanon. They are not part of this repository:
// VARVE_SAMPLES names the folder that holds surt.json.
func TestConformanceSURT(t *testing.T) {
	dir := os.Getenv("VARVE_SAMPLES")
	if dir == "" {
		t.Skip("VARVE_SAMPLES is not set: it names a folder that holds surt.json")
	}
	text, err := os.ReadFile(filepath.Join(dir, "surt.json"))
	if err != nil {
		t.Skipf("no vectors: %v", err)
	}
	var groups map[string]map[string]string
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	if len(groups) != len(stages) {
		t.Errorf("%d groups of vectors, want %d", len(groups), len(stages))
	}
	for _, name := range sortedKeys(groups) {
		f := stages[name]
		if f == nil {
			t.Errorf("group %q has no stage", name)
			continue
		}
		pass := 0
		for in, want := range groups[name] {
			if got := f(in); got == want {
				pass++
			} else {
				t.Errorf("%s(%q) = %q, want %q", name, in, got, want)
			}
		}
		t.Logf("%-28s %2d of %2d pass", name, pass, len(groups[name]))
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

const id32 = "0123456789abcdefghijklmnopqrstuv"

func TestSURT(t *testing.T) {
	for _, c := range [][2]string{
		{"", "-"},
		{"  ", "-"},
		{"http://www.example.com/", "com,example)/"},
		{"HTTPS://www2.Example.COM:443/A/B/?Y=2&x=1#frag", "com,example)/a/b?x=1&y=2"},
		{"https://example.com:80/", "com,example:80)/"},
		{"http://user:pw@example.com:8080/", "com,example:8080)/"},
		{"http://example.com:/", "com,example)/"},
		{"http://example.com:0080/", "com,example)/"},
		{"example.com", "com,example)/"},
		{"example.com:8080/x", "com,example:8080)/x"},
		{"localhost:8080", "localhost:8080)/"},
		{"http://example.com?q", "com,example)/?q"},
		{"http://example.com/a//b/./c/../d", "com,example)/a/b/d"},
		{"http://example.com/../../a", "com,example)/a"},
		{"http://example.com/a%2Fb%20c%C3%BC", "com,example)/a/b%20c%c3%bc"},
		{"http://example.com/what%3F", "com,example)/what?"},
		{"http://example.com/a?b=%26c", "com,example)/a?b=&c"},
		{"http://127.0.0.1/x", "1,0,0,127)/x"},
		{"http://2130706433/", "1,0,0,127)/"},
		{"http://0177.0.0.1/", "1,0,0,127)/"},
		{"http://10.0.258/", "2,1,0,10)/"},
		{"http://1.2.3.256/", "256,3,2,1)/"},
		{"http://39024579298/", "226,210,11,22)/"},
		{"http://[2001:DB8::1]:8080/", "[2001:db8::1]:8080)/"},
		{"http://[::ffff:1.2.3.4]/", "[::ffff:102:304])/"},
		{"http://bücher.example/", "example,xn--bcher-kva)/"},
		{"http://b%C3%BCcher.example/", "example,xn--bcher-kva)/"},
		{"http://B\xfccher.example/", "example,xn--bcher-kva)/"},
		{"http://straße.example/", "example,xn--strae-oqa)/"},
		{"http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"},
		{"http://example.com./", "com,example)/"},
		{"http://a..b.com/", "com,b,a)/"},
		{"http://www.www.example.com/", "com,example)/"},
		{"http://www.com/", "com)/"},
		{"http://www/", "www)/"},
		{"http:////example.com/x", "com,example)/x"},
		{"http:example.com/x", "com,example)/x"},
		{"http://https://example.com/x", "com,example)/x"},
		{"http://a/?x=1&sid=" + id32, "a)/?&x=1"},
		{"http://a/?osCsid=" + id32 + "&b=1", "a)/?oscb=1"},
		{"http://a/?sid=" + id32 + "0", "a)/?sid=" + id32 + "0"},
		{"http://a/?jsessionid=" + id32 + "&sid=" + id32, "a)/"},
		{"http://a/?ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&x=y", "a)/?x=y"},
		{"http://a/?CFID=1&CFTOKEN=2&dt=3", "a)/?dt=3"},
		{"http://a/?CFTOKEN=2&dt=3&CFID=1", "a)/?dt=3"},
		{"http://a/(S(4hqa0555fwsecu455xqckv45))/X.aspx", "a)/x.aspx"},
		{"dns:www.example.com", "dns:www.example.com"},
		{"urn:text:http://A/b c", "urn:text:http://A/b%20c"},
		{"mailto:A@example.com", "mailto:A@example.com"},
		{"ftp://www.example.com/x", "com,example)/x"},
		{"http://a/b c\td", "a)/b%20cd"},
	} {
		if got := SURT(c[0]); got != c[1] {
			t.Errorf("SURT(%q) = %q, want %q", c[0], got, c[1])
		}
		checkIndexURL(t, c[0])
	}
}

func TestSortQuery(t *testing.T) {
	for _, c := range [][2]string{
		{"a=&a", "a&a="},
		{"a-b=1&a=2", "a=2&a-b=1"},
		{"&&b&a", "&&a&b"},
		{"b=1=2&b=1", "b=1&b=1=2"},
	} {
		if got := sortQuery(c[0]); got != c[1] {
			t.Errorf("sortQuery(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestUnescapeRepeatedly(t *testing.T) {
	nested := strings.Repeat("%25", 1000) + "41"
	for _, c := range [][2]string{
		{"%2525252541", "A"},
		{"%%34%31", "A"},
		{"%zz%4", "%zz%4"},
		{nested, "%%%"},
	} {
		got := unescapeRepeatedly(c[0])
		if c[0] == nested {
			if want := unescapeSlowly(nested); got != want {
				t.Errorf("nested: %q, want %q", got, want)
			}
		} else if got != c[1] {
			t.Errorf("unescapeRepeatedly(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// unescapeSlowly does what the name says: whole passes until nothing changes.
func unescapeSlowly(s string) string {
	for {
		var b []byte
		for i := 0; i < len(s); i++ {
			if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
				b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
				i += 2
			} else {
				b = append(b, s[i])
			}
		}
		if string(b) == s {
			return s
		}
		s = string(b)
	}
}

// checkIndexURL checks that the URL form is stable and that its key is the key.
func checkIndexURL(t testing.TB, raw string) {
	t.Helper()
	once := IndexURL(raw)
	if twice := IndexURL(once); twice != once {
		t.Fatalf("IndexURL(%q) = %q, and again %q", raw, once, twice)
	}
	if a, b := SURT(raw), SURT(once); a != b && once != "" {
		t.Fatalf("SURT(%q) = %q, but of its IndexURL %q: %q", raw, a, once, b)
	}
}

func FuzzSURT(f *testing.F) {
	for _, s := range refs {
		f.Add(s)
		f.Add("http://example.com/" + s)
	}
	f.Add("http://a/?xsid=" + id32 + "&cfid=1&cftoken=2&y%2525=1")
	f.Add("http://www.www3.ｅxample．com：80/(4hqa0555fwsecu455xqckv45)/a.aspx")
	f.Fuzz(func(t *testing.T, raw string) {
		key := SURT(raw)
		if strings.ContainsAny(key, " \t\r\n\x00\x7f") || key == "" {
			t.Fatalf("SURT(%q) = %q is not one word", raw, key)
		}
		checkIndexURL(t, raw)
	})
}
