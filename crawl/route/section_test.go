package route

import "testing"

func TestSectionOf(t *testing.T) {
	for _, tt := range []struct {
		url   string
		signs Sign
		want  string
	}{
		{"http://e.example/", 0, "e.example/"},
		{"http://e.example/about", 0, "e.example/about"},
		{"http://e.example/News/2026/11/some-title.html?p=2", 0, "e.example/news/#/#/*.html?"},
		{"http://e.example/p/12", EmptyRoot | Module, "e.example/p/# empty-root"},
		{"http://e.example/a/b/c/d/e/f", 0, "e.example/a/b/c/d/**"},
		{"http://e.example/u/x9y8z7", 0, "e.example/u/*"},
		{"http://e.example:8080/12345.html", 0, "e.example:8080/#.html"},
		{"%", 0, ""},
	} {
		if _, got := SectionOf(tt.url, tt.signs, 3); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.url, got, tt.want)
		}
	}
	host, section := SectionOf("http://e.example/p/12", EmptyRoot|Asks, 3)
	if host != "e.example empty-root+asks" || hostOf(section) != host {
		t.Errorf("host %q of section %q, or %q", host, section, hostOf(section))
	}
}
