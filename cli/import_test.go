package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
)

// varveCommand runs the program and gives its exit code and what it printed.
func varveCommand(args ...string) (int, string) {
	var out bytes.Buffer
	code := Run(New(), args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// pageWARC writes a WARC file of one page.
func pageWARC(t *testing.T, path, url, body string) {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := warc.New(warc.TypeResponse, "<urn:uuid:00000000-0000-4000-8000-000000000001>", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), warc.Bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+body))
	e.With(warc.FieldTargetURI, url).With(warc.FieldContentType, warc.ContentTypeResponse)
	if err := enc.Encode(&b, e); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// packaged makes a package whose only WARC file is called data.warc.gz.
func packaged(t *testing.T, dir, name string) string {
	t.Helper()
	in, out := filepath.Join(dir, name, "data.warc.gz"), filepath.Join(dir, name+".wacz")
	pageWARC(t, in, "http://"+name+".test/", "<title>"+name+"</title>")
	if code, text := varveCommand("wacz", "export", out, in); code != 0 {
		t.Fatalf("export: %d %s", code, text)
	}
	return out
}

// zipped puts files into a ZIP, stored or compressed.
func zipped(t *testing.T, path string, method uint16, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, from := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		data := []byte(from)
		if strings.HasPrefix(from, "/") {
			if data, err = os.ReadFile(from); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Packages come in whole, however they are named and nested, or are refused with a code.
func TestImportPackages(t *testing.T) {
	dir := t.TempDir()
	one, two := packaged(t, dir, "one"), packaged(t, dir, "two")
	multi := `{"profile": "multi-wacz-package", "resources": [{"path": "one.wacz"}, {"path": "sub/two.wacz"}]}`
	zipped(t, filepath.Join(dir, "multi.wacz"), zip.Store, map[string]string{"datapackage.json": multi, "one.wacz": one, "sub/two.wacz": two})
	zipped(t, filepath.Join(dir, "packed.wacz"), zip.Deflate, map[string]string{"datapackage.json": multi, "one.wacz": one, "sub/two.wacz": two})
	zipped(t, filepath.Join(dir, "half.wacz"), zip.Store, map[string]string{"datapackage.json": multi, "one.wacz": one})
	zipped(t, filepath.Join(dir, "empty.wacz"), zip.Store, map[string]string{"datapackage.json": `{"profile": "data-package", "resources": []}`})
	for name, text := range map[string]string{
		"list.json": `{"profile": "multi-wacz-package", "resources": [{"path": "one.wacz"}, {"path": "two.wacz"}]}`,
		"net.json":  `{"profile": "multi-wacz-package", "resources": [{"path": "one.wacz"}, {"path": "https://example.org/two.wacz"}]}`,
		"out.json":  `{"profile": "multi-wacz-package", "resources": [{"path": "../one.wacz"}]}`,
		"data.json": `{"a": 1}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		give []string
		code int
		has  []string // sites that must be found
		says string
	}{
		{[]string{"one.wacz"}, 0, []string{"one"}, "added"},
		{[]string{"one.wacz", "two.wacz"}, 0, []string{"one", "two"}, "-data.warc.gz"},
		{[]string{"one.wacz", "one.wacz"}, 0, []string{"one"}, "1 were there"},
		{[]string{"multi.wacz"}, 0, []string{"one", "two"}, "2 files added"},
		{[]string{"packed.wacz"}, 0, []string{"one", "two"}, "2 files added"},
		{[]string{"half.wacz"}, 1, []string{"one"}, "names this package, and it is not in"},
		{[]string{"empty.wacz"}, 1, nil, "no WARC file in the package"},
		{[]string{"list.json"}, 0, []string{"one", "two"}, "2 files added"},
		{[]string{"net.json"}, 1, []string{"one"}, "on the network"},
		{[]string{"out.json"}, 1, nil, "leads out"},
		{[]string{"data.json"}, 1, nil, "no list of packages"},
		{[]string{"--in-place", "one.wacz"}, 1, nil, "without --in-place"},
	} {
		t.Run(strings.Join(c.give, " "), func(t *testing.T) {
			archive := filepath.Join(dir, fmt.Sprint("archive", i))
			args := []string{"import", "--archive", archive, "--collection", "c"}
			for _, a := range c.give {
				if !strings.HasPrefix(a, "-") {
					a = filepath.Join(dir, a)
				}
				args = append(args, a)
			}
			code, text := varveCommand(args...)
			if code != c.code || !strings.Contains(text, c.says) {
				t.Errorf("%d: %s", code, text)
			}
			for _, site := range []string{"one", "two"} {
				_, got := varveCommand("cdx", "http://"+site+".test/", "--archive", archive, "--collection", "c")
				want := strings.Contains(" "+strings.Join(c.has, " ")+" ", " "+site+" ")
				if strings.Contains(got, `"status": "200"`) != want {
					t.Errorf("%s: want %v, %s", site, want, got)
				}
			}
		})
	}
}
