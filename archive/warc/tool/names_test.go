package tool

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ uri, mime, want string }{
		{"https://example.org/a/b.html", "text/html", "example.org/a/b.html"},
		{"http://Example.ORG", "text/html", "example.org/index.html"},
		{"http://example.org:8080/a/", "text/html", "example.org+8080/a/index.html"},
		{"http://example.org/x?p=1&q=2", "text/html", "example.org/x@p=1&q=2.html"},
		{"http://example.org/x.php?p=1", "text/html", "example.org/x@p=1.php"},
		{"http://example.org/a//b#frag", "", "example.org/a/b.bin"},
		{"http://user:pass@example.org/", "application/json", "example.org/index.json"},
		{"http://example.org/../../etc/passwd", "text/plain", "example.org/%2E%2E/%2E%2E/etc/passwd.txt"},
		{"http://../x", "text/plain", "%2E%2E/x.txt"},
		{"http:///x", "text/plain", "%/x.txt"},
		{"http://example.org/..\\..\\x", "text/plain", "example.org/%2E.%5C..%5Cx"},
		{"http://example.org/con", "text/plain", "example.org/%con.txt"},
		{"http://example.org/ü\x00", "text/plain", "example.org/%C3%BC%00.txt"},
		{"http://example.org/" + long + ".png", "", "example.org/" + long[:107] + "~" + shortHash(long+".png") + ".png"},
		{"urn:uuid:1234", "", "urn/uuid%3A1234.bin"},
		{"dns:example.org", "text/dns", "dns/example.org"},
		{"file:///a b.png", "", "file+/a%20b.png"},
		{"", "", "%/index.bin"},
	} {
		if got := fileName(c.uri, c.mime); got != c.want {
			t.Errorf("fileName(%q) = %q, want %q", c.uri, got, c.want)
		}
	}
}

// Whatever the address, the name stays in the directory and is taken by any file system.
func FuzzFileName(f *testing.F) {
	f.Add("http://example.org/../../etc/passwd?x=../..", "text/html")
	f.Add("../../..", "")
	f.Add("http://./.././a/%2e%2e/\\..\\", "image/png")
	f.Fuzz(func(t *testing.T, uri, mime string) {
		name := fileName(uri, mime)
		if !filepath.IsLocal(name) || filepath.ToSlash(filepath.Clean(name)) != name {
			t.Fatalf("%q is not a clean local path", name)
		}
		parts := strings.Split(name, "/")
		if len(parts) < 2 || len(parts) > maxSegments+1 {
			t.Fatalf("%q has %d parts", name, len(parts))
		}
		for _, p := range parts {
			if len(p) > maxSegment+1 || strings.HasPrefix(p, ".") || strings.HasSuffix(p, ".") {
				t.Fatalf("part %q of %q", p, name)
			}
			for i := range len(p) {
				if !plainByte(p[i]) {
					t.Fatalf("byte %q in %q", p[i], name)
				}
			}
		}
	})
}

func TestFolderNames(t *testing.T) {
	dir := t.TempDir()
	folder, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, c := range [][2]string{
		{"h/a.html", "h/a.html"},
		{"h/a.html", "h/a~T.html"},
		{"h/a.html", "h/a~T.2.html"},
		{"h/a.html/b.png", "h/~" + shortHash("h/a.html/") + "/b.png"}, // a file stands where a directory is needed
		{"h/d/x.txt", "h/d/x.txt"},
		{"h/d", "h/d~T"}, // and the other way round
	} {
		w, got, err := folder.create(c[0], "T")
		if err != nil || got != c[1] {
			t.Fatalf("create(%q) = %q, %v, want %q", c[0], got, err, c[1])
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
