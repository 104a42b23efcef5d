package cluster

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"varve"
)

// Every setting of [index] is known or refused, and the password is taken from a file that nobody else reads.
func TestReadIndex(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	open := func() error {
		c, err := ReadIndex(dir)
		if err == nil {
			_, err = c.Open()
		}
		return err
	}
	if err := open(); varve.KindOf(err) != varve.Invalid || !strings.Contains(err.Error(), "names no address") {
		t.Errorf("no file: %v", err)
	}
	write("open", "secret\n", 0o644)
	write("closed", "secret\n", 0o600)
	for text, want := range map[string]string{
		"": "names no address",
		"[index]\naddress = \"http://x:9200\"\ncolour = 1":                     "no setting colour",
		"[index]\naddress = \"x\"":                                             "http(s)://HOST:PORT",
		"[index]\naddress = \"http://x\"\ntimeout = \"1ms\"":                   "less than a second",
		"[index]\naddress = \"http://x\"\npassword_file = \"open\"":            "others may read it",
		"[index]\naddress = \"http://x\"\npassword_file = \"none\"":            "no such file",
		"[index]\naddress = \"http://x\"\nca_file = \"closed\"":                "no certificate",
		"[index]\naddress = \"http://x\"\npassword_file = \"closed\"":          "",
		"[store]\n[index]\naddress = \"http://x\"\nuser = \"u\"\nreplicas = 0": "",
	} {
		write("varve.toml", text, 0o644)
		err := open()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// What is removed for ever is taken out of OpenSearch: texts and captures of that collection, and nothing is said where there is none.
func TestForget(t *testing.T) {
	dir := t.TempDir()
	if named, err := Forget(t.Context(), dir, "news"); named || err != nil {
		t.Errorf("without varve.toml: %t, %v", named, err)
	}
	var mu sync.Mutex
	var deleted []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.Method == http.MethodDelete:
			deleted = append(deleted, r.URL.Path)
			fmt.Fprint(w, "{}")
		case r.URL.Path == "/":
			fmt.Fprint(w, `{"version":{"distribution":"opensearch","number":"2.19.0"}}`)
		case strings.HasPrefix(r.URL.Path, "/varve-text-news-"):
			fmt.Fprint(w, `{"varve-text-news-2019-abc":{"mappings":{"_meta":{"format":1}}}}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error":{"type":"index_not_found_exception","reason":"no such index"},"status":404}`)
		}
	}))
	toml := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "varve.toml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	toml("[store]\nkind = \"directory\"\n")
	if named, err := Forget(t.Context(), dir, "news"); named || err != nil {
		t.Errorf("without [index]: %t, %v", named, err)
	}
	toml("[index]\naddress = \"" + s.URL + "\"\n")
	if named, err := Forget(t.Context(), dir, "news"); !named || err != nil {
		t.Errorf("%t, %v", named, err)
	}
	if want := []string{"/varve-text-news-2019-abc", "/varve-captures-news"}; !slices.Equal(deleted, want) {
		t.Errorf("%q were deleted, want %q", deleted, want)
	}
	s.Close()
	if named, err := Forget(t.Context(), dir, "news"); !named || varve.KindOf(err) != varve.Unavailable {
		t.Errorf("a server that is away: %t, %v", named, err)
	}
}
