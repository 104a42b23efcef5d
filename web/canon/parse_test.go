package canon

import (
	"errors"
	"strings"
	"testing"
)

// bases and refs are crossed by TestResolveTable and seed FuzzParse.
var bases = []string{
	"http://example.com/", "https://example.com/a/b/c?q=1#f", "http://example.com:8080/a//b",
	"http://user:pw@example.com/x/y", "http://127.0.0.1:9000/d/", "https://xn--bcher-kva.example/p",
	"http://[::1]/a/b", "file:///c:/dir/file", "mailto:a@b", "data:text/plain,x", "ftp://ftp.example.org/pub/x",
	"http://example.com", "foo://host/path/x", "about:blank", "http://a_b.example.com/%7Eu/?#",
}

var refs = []string{
	"", "#", "#top", "?", "?q", "?a=b&c=d#e", "/", "//", "///", "/a", "/a/b/", "a", "a/b", "a/b/", ".", "..", "./", "../",
	"./a", "../a", "../../../../a", "a/../b", "a/./b", "a/..", "a/.", "/..", "/.", "/a/../../b", "/%2e%2E/x", "x/%2e./y",
	"...", ".a", "a.", "..a", "/.../", "a//b", "//example.org", "//EXAMPLE.org:80/x", "//example.org:443/",
	"http://www.Example.COM/A", "https://example.com:443/", "http://example.com:80", "http://example.com:081/",
	"http://example.com:/", "http://example.com:99999/", "http://example.com?x", "http://example.com#x",
	"http:foo", "http:/foo", "http:///foo", "http:////foo/bar", "HTTP://example.com/", "Http:x", "https:x",
	"http://1.2.3.4/", "http://1.2.3/", "http://01.2.3.4/", "http://0x7f.1/", "http://256.1.1.1/", "http://1.2.3.4.5/",
	"http://3279880203/", "http://example.com./", "http://example..com/", "http://.example.com/", "http://-a.com/",
	"http://a-.com/", "http://ab--cd.com/", "http://xn--/", "http://xn--bcher-kva.de/", "http://bücher.de/",
	"http://a_b.com/", "http://example.-5/", "http://example.5/", "http://foo.0x4/", "http://%65xample.com/",
	"http://u@example.com/", "http://u:p@example.com:81/", "http://a b/", "http://[::1]:80/", "http://[1::2", "http://a|b/",
	"mailto:x@y.z", "MAILTO:x@y.z", "mailto:x@y.z?subject=a b", "javascript:void(0)", "javascript:alert('a b')//x",
	"tel:+123", "data:text/html,<b>é</b>", "data:,a  ", "urn:isbn:1", "foo:/bar", "foo://bar/../x", "foo:", "foo:#x",
	" a ", "\ta\n", "a\tb", "a\nb", "\x00a", "a\x00", "a b", "a%20b", "a%zz", "%", "é", "?é=ü", "#é", "\xff", "?\xff", "a\xc3",
	"\"<>`{}|^'[]", "?\"<>`{}|^'[]", "#\"<>`{}|^'[]", "\\a\\b", "a\\b", "//host\\path", "?a\\b", "a:b", "1:b", "a/b:c", ":", ":a",
	"~user", "(S(x))/y.aspx", ";p=1", "a;b", "\x7f", "a?b?c#d#e", "c:/x", "/c|/y", "C|", "..\\x",
	"\u00a0a", "\ufeffa", "日本語/ページ?キー=値#断片", "http://日本語.jp/", "http://EXAMPLE.com/\U0001F600",
	"//example.com:0/", "//example.com:65535/", "//example.com:65536/", "//example.com:8 0/", "//a:b/",
}

// full is the reference answer.
func full(t testing.TB, ref, base string) (URL, error) {
	t.Helper()
	if base == "" {
		return parseFull(ref, nil)
	}
	b, err := parseFull(base, nil)
	if err != nil {
		return URL{}, err
	}
	return parseFull(ref, &b)
}

// checkParse compares the fast path with the library and tells whether it was taken.
func checkParse(t testing.TB, ref, base string) bool {
	t.Helper()
	var b *URL
	if base != "" {
		bu, err := Parse(base)
		if err != nil {
			return false
		}
		b = &bu
	}
	got, ok := parseFast(ref, b)
	want, err := full(t, ref, base)
	if err == nil {
		checkParts(t, want)
	}
	if !ok {
		return false
	}
	if errors.Is(err, ErrTooLong) {
		return true
	}
	if err != nil {
		t.Fatalf("fast path accepts %q in %q as %q; the library says %v", ref, base, got, err)
	}
	if got != want {
		t.Fatalf("%q in %q:\nfast    %+v\nlibrary %+v", ref, base, got, want)
	}
	return true
}

// checkParts puts the parts of u together again.
func checkParts(t testing.TB, u URL) {
	t.Helper()
	var b strings.Builder
	b.WriteString(u.Scheme() + ":")
	if u.hostStart > 0 {
		b.WriteString("//")
		if u.Userinfo() != "" {
			b.WriteString(u.Userinfo() + "@")
		}
		b.WriteString(u.HostPort())
	} else if strings.HasPrefix(u.Path(), "//") {
		b.WriteString("/.")
	}
	b.WriteString(u.Target())
	if u.HasFragment() {
		b.WriteString("#" + u.Fragment())
	}
	if b.String() != u.String() {
		t.Fatalf("parts of %q give %q", u, b.String())
	}
}

func TestResolveTable(t *testing.T) {
	fast, all := 0, 0
	for _, base := range append(bases, "") {
		for _, ref := range refs {
			taken := checkParse(t, ref, base)
			if strings.HasPrefix(base, "http") {
				all++
				if taken {
					fast++
				}
			}
		}
	}
	if fast < all/2 {
		t.Errorf("fast path taken for %d of %d, want at least half", fast, all)
	}
}

func TestParse(t *testing.T) {
	u, err := Parse(" HTTPS://User:P%40w@WWW.Bücher.example:8443/a/../B c?x='1'#y z ")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, got, want string }{
		{"Raw", u.Raw(), " HTTPS://User:P%40w@WWW.Bücher.example:8443/a/../B c?x='1'#y z "},
		{"String", u.String(), "https://User:P%40w@www.xn--bcher-kva.example:8443/B%20c?x=%271%27#y%20z"},
		{"Scheme", u.Scheme(), "https"},
		{"Userinfo", u.Userinfo(), "User:P%40w"},
		{"Host", u.Host(), "www.xn--bcher-kva.example"},
		{"Port", u.Port(), "8443"},
		{"HostPort", u.HostPort(), "www.xn--bcher-kva.example:8443"},
		{"Origin", u.Origin(), "https://www.xn--bcher-kva.example:8443"},
		{"Path", u.Path(), "/B%20c"},
		{"Query", u.Query(), "x=%271%27"},
		{"Fragment", u.Fragment(), "y%20z"},
		{"Target", u.Target(), "/B%20c?x=%271%27"},
		{"WithoutFragment", u.WithoutFragment().String(), "https://User:P%40w@www.xn--bcher-kva.example:8443/B%20c?x=%271%27"},
	} {
		if c.got != c.want {
			t.Errorf("%s = %q, want %q", c.name, c.got, c.want)
		}
	}
	if u.PortNumber() != 8443 || !u.IsHTTP() || u.IsZero() {
		t.Errorf("PortNumber %d, IsHTTP %v, IsZero %v", u.PortNumber(), u.IsHTTP(), u.IsZero())
	}
}

func TestParseErrors(t *testing.T) {
	for _, raw := range []string{"", "/a", "http://", "http://[::1", "http://a:99999/", "http://exa mple/"} {
		if u, err := Parse(raw); err == nil {
			t.Errorf("Parse(%q) = %q, want an error", raw, u)
		}
	}
	_, err := Parse("http://example.com/" + strings.Repeat("a", MaxLength))
	if !errors.Is(err, ErrTooLong) || len(err.Error()) > 400 {
		t.Errorf("too long: got %v", err)
	}
	for _, c := range []struct {
		raw string
		ok  bool
	}{
		{"http://example.com/" + strings.Repeat("a/", MaxLength/3), true},
		{"http://example.com\\" + strings.Repeat("\\é\t", MaxLength/8), true},
		{"http://example.com/" + strings.Repeat("é", MaxLength/4), false}, // when encoded
		{"foo://" + strings.Repeat("é", 500), false},
		{"http://bücher.example/" + strings.Repeat("a/", MaxLength/3), true},
		{"data:text/plain," + strings.Repeat("é", MaxLength/8), true},
		{"http://" + strings.Repeat("@", MaxLength/2) + "/", false},
		{"http://" + strings.Repeat("é", MaxLength/3) + "/", false},
		{"ftp://example.com/" + strings.Repeat("a/", MaxLength/3), false},
	} {
		if _, err := Parse(c.raw); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrTooLong) {
			t.Errorf("long %q: error %v, want ok %v", clip(c.raw), err, c.ok)
		}
	}
}

func TestZeroURL(t *testing.T) {
	var u URL
	if !u.IsZero() || u.Scheme()+u.Host()+u.Port()+u.Path()+u.Query()+u.Fragment()+u.Userinfo()+u.Origin()+u.Target() != "" || u.PortNumber() != 0 {
		t.Errorf("the zero URL has parts: %+v", u)
	}
	if v, err := u.Resolve("http://a.example/"); err != nil || v.String() != "http://a.example/" {
		t.Errorf("zero base: %v, %v", v, err)
	}
	if _, err := u.Resolve("/a"); err == nil {
		t.Error("relative reference in the zero URL: want an error")
	}
}

func TestURLText(t *testing.T) {
	u, _ := Parse("http://example.com/a")
	text, _ := u.MarshalText()
	var v URL
	if err := v.UnmarshalText(text); err != nil || v != u {
		t.Errorf("round trip gives %+v, %v", v, err)
	}
	if err := v.UnmarshalText(nil); err != nil || !v.IsZero() {
		t.Errorf("empty text gives %+v, %v", v, err)
	}
	if err := v.UnmarshalText([]byte("x")); err == nil {
		t.Error("relative text: want an error")
	}
}

func FuzzParse(f *testing.F) {
	for i, ref := range refs {
		f.Add(ref, bases[i%len(bases)])
		f.Add(ref, "")
	}
	f.Fuzz(func(t *testing.T, ref, base string) {
		checkParse(t, ref, base)
		checkParse(t, base, "")
	})
}
