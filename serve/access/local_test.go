package access

import (
	"net/url"
	"strings"
	"testing"

	"varve/lab/attack"
)

// elsewhere tells whether a browser that follows a path would leave the host. It reads as browsers do: tabs and line ends are dropped,
// white space at the ends too, and a backslash is a slash.
func elsewhere(to string) bool {
	to = strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(strings.TrimFunc(to, func(r rune) bool { return r <= ' ' }))
	if strings.HasPrefix(to, "//") || !strings.HasPrefix(to, "/") {
		return true
	}
	base := url.URL{Scheme: "https", Host: "archive.example", Path: "/login"}
	u, err := base.Parse(to)
	return err != nil || u.Host != base.Host || u.Scheme != base.Scheme
}

func TestLocalPath(t *testing.T) {
	tally := attack.Count(t)
	for to, want := range map[string]string{
		"/":                                 "/",
		"/collections?x=1#y":                "/collections?x=1#y",
		"/c/2026/http://a.example/b//c?d=e": "/c/2026/http://a.example/b//c?d=e",
		"/c/2026/http://a.example/ä b":      "/c/2026/http://a.example/%C3%A4%20b",
		"/x@evil.example/":                  "/x@evil.example/",
		"":                                  "", "x": "", "//evil.example/": "", "/\t/evil.example/": "", "/\n/evil.example": "", "\t//evil.example": "", " //evil.example": "", "/\\evil.example": "",
		"\\\\evil.example": "", "/\\/evil.example": "", "https://evil.example/": "", "javascript:alert(1)": "", "//user@evil.example": "", "/\x00/evil.example": "", "/a\x7f": "", "/a\\b": "", "/\xff": "",
		"https:evil.example": "", "///evil.example": "", "/\r\nX: y": "",
	} {
		if want == "" {
			tally.Try(1)
		}
		got, ok := LocalPath(to)
		if got != want || ok != (want != "") || ok && elsewhere(got) {
			t.Errorf("%q: %q, %v", to, got, ok)
		}
	}
}

func FuzzLocalPath(f *testing.F) {
	for _, s := range []string{"/", "/\t/evil.example/", "//e", "/\\e", "/c/2026/http://a.example/", "/%09/e", "/\u3002/", "/.//e", "/..//e", "/\u2028/e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, to string) {
		got, ok := LocalPath(to)
		if !ok {
			return
		}
		if elsewhere(got) {
			t.Errorf("%q leads elsewhere: %q", to, got)
		}
		if again, ok := LocalPath(got); !ok || again != got {
			t.Errorf("%q becomes %q, then %q", to, got, again)
		}
	})
}
