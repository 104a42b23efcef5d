package route

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"varve/web/links"
)

// Each file of testdata/pages.txtar is a page; its name lists the signs that it must show, and no others.
func TestReadPage(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/pages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		name, want, _ := strings.Cut(f.Name, ": ")
		info, err := links.Extract(links.Document{URL: "http://e.example/", MIME: "text/html", Body: f.Data}, func(links.Link) {})
		if err != nil {
			t.Fatal(err)
		}
		p := ReadPage(f.Data, &info)
		if got := strings.Join(p.Signs.Names(), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Script files are asked for by what their addresses mean, not by how they are written.
func TestScriptAddressesAreDecoded(t *testing.T) {
	p := ReadPage([]byte(`<script src="/load.php?lang=en&amp;modules=startup&#38;raw=1"></script>`), new(links.Info))
	if len(p.Scripts) != 1 || p.Scripts[0] != "/load.php?lang=en&modules=startup&raw=1" {
		t.Errorf("%q", p.Scripts)
	}
}

func TestSignsHaveNames(t *testing.T) {
	for i := range signTable {
		s, ok := ParseSign(signTable[i].name)
		if !ok || s != 1<<i || signTable[i].weight <= 0 || signTable[i].weight >= 1 || s.String() == "" {
			t.Errorf("sign %d: %+v", i, signTable[i])
		}
	}
	if c := (EmptyRoot | Template).Chance(); c < 0.9199 || c > 0.9201 {
		t.Errorf("chance %v, want 1 - 0.1 x 0.8", c)
	}
}

func FuzzReadPage(f *testing.F) {
	if ar, err := txtar.ParseFile("testdata/pages.txtar"); err == nil {
		for _, file := range ar.Files {
			f.Add(file.Data)
		}
	}
	f.Add([]byte(`<a href='#/`))
	f.Add([]byte(`<script>`))
	f.Add([]byte(`<!--`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := ReadPage(b, &links.Info{})
		if len(p.Scripts) > maxScripts || p.ScriptBytes > len(b) || p.ScriptBytes < 0 {
			t.Errorf("%+v", p)
		}
	})
}

func BenchmarkReadPage(b *testing.B) {
	page, err := os.ReadFile("testdata/article.html")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		ReadPage(page, &links.Info{TextLen: 5000, Counts: [links.NumHops]int{50}})
	}
}
