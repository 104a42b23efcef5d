package veil

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
)

// Paths is where the archive lies in the file system of the server: as it was named, in full, and without links. That is
// nobody's business who asks from afar, but errors of the file system tell it.
type Paths []string

// PathsOf returns where an archive directory lies.
func PathsOf(archive string) (out Paths) {
	add := func(path string, err error) {
		if err == nil && path != "." && path != string(filepath.Separator) && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	full, err := filepath.Abs(archive)
	add(full, err)
	if err == nil {
		add(filepath.EvalSymlinks(full))
	}
	add(filepath.Clean(archive), nil)
	return out
}

// Text returns a text in which paths of the archive begin at its directory.
func (p Paths) Text(s string) string {
	for _, dir := range p {
		if strings.Contains(s, dir) {
			s = within(s, dir)
		}
	}
	return s
}

// folders are those of an archive: what stands before them is a path, also if it is a name like "data".
var folders = []string{"/collections", "/access", "/labels", "/catalogue"}

// within takes a directory away where it stands as a path: not in a longer name, and not in a web address.
func within(s, dir string) string {
	var out strings.Builder
	for from := 0; ; {
		i := strings.Index(s[from:], dir)
		if i < 0 {
			return out.String() + s[from:]
		}
		i += from
		end := i + len(dir)
		escape := i > 1 && s[i-2] == '\\' // of JSON: a line ends before it
		switch {
		case !filepath.IsAbs(dir) && !slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(s[end:], f) }):
			out.WriteString(s[from:end]) // any word
		case i > 0 && part(s[i-1]) && !escape || end < len(s) && s[end] != '/' && part(s[end]) && s[end] != '.':
			out.WriteString(s[from:end])
		case strings.HasPrefix(s[end:], "/"):
			out.WriteString(s[from:i])
			end++
		default:
			out.WriteString(s[from:i] + "the archive")
		}
		from = end
	}
}

// part reports whether a byte is one of a path.
func part(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80 || strings.IndexByte("-_.~/%", b) >= 0
}

// Handler answers like next; answers that are errors, as text or JSON, do not tell where the archive lies. It is for those
// that are not made of values that pass the veil.
func (p Paths) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&errorWriter{ResponseWriter: w, paths: p}, r)
	})
}

// errorWriter changes what is written of an error.
type errorWriter struct {
	http.ResponseWriter
	paths Paths
	begun bool
	error bool
}

// WriteHeader implements http.ResponseWriter.
func (w *errorWriter) WriteHeader(status int) {
	if !w.begun && status >= 200 {
		mime := w.Header().Get("Content-Type")
		w.begun = true
		w.error = status >= 400 && (strings.HasPrefix(mime, "text/plain") || strings.HasSuffix(mime, "json"))
		if w.error {
			w.Header().Del("Content-Length")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. Errors are written at once.
func (w *errorWriter) Write(b []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	if !w.error {
		return w.ResponseWriter.Write(b)
	}
	if _, err := w.ResponseWriter.Write([]byte(w.paths.Text(string(b)))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Unwrap gives what is below, for http.ResponseController.
func (w *errorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
