package fixity

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"varve/archive/whole"
)

// writeManifest writes the manifest of what the ledger knows. Journals are left out: they grow, and a manifest has no way
// to say so. A line that was there changes only for a file that proved, in this run, to be what the ledger says, and goes only
// when a person took the file out: so a damaged ledger cannot spoil it.
func writeManifest(path string, l *ledger, proven map[string]bool) error {
	if l.hole && l.spoilt {
		return nil // the lines that cannot be read may say what the ledger has lost
	}
	lines := maps.Clone(l.listed)
	for file, k := range l.files {
		if _, there := lines[file]; k.digest != "" && (!there || proven[file]) && !strings.HasSuffix(file, ".jsonl") {
			lines[file] = k.digest
		}
	}
	maps.DeleteFunc(lines, func(file, _ string) bool { return l.removed[file] })
	return whole.File(path, 0o644, func(f io.Writer) error {
		w := bufio.NewWriter(f)
		for _, file := range slices.Sorted(maps.Keys(lines)) {
			if _, err := fmt.Fprintf(w, "%s  %s\n", lines[file], EscapePath(file)); err != nil {
				return err
			}
		}
		return w.Flush()
	})
}

// escaper writes what cannot stand in a line of a manifest, as RFC 8493 has it.
var escaper = strings.NewReplacer("%", "%25", "\n", "%0A", "\r", "%0D")

var unescaper = strings.NewReplacer("%25", "%", "%0A", "\n", "%0a", "\n", "%0D", "\r", "%0d", "\r")

// EscapePath writes a path as manifests have it.
func EscapePath(path string) string { return escaper.Replace(path) }

// Line is one line of a manifest.
type Line struct {
	Digest string // in hex, in lower case
	Path   string
}

// ReadManifest reads a manifest as sha256sum and BagIt tools write it: a digest, white space, maybe an asterisk, a path.
func ReadManifest(r io.Reader, name string) ([]Line, error) {
	var out []Line
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<10)
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSuffix(s.Text(), "\r")
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		digest, path, ok := strings.Cut(text, " ")
		if tab, rest, tabbed := strings.Cut(text, "\t"); tabbed && len(tab) < len(digest) {
			digest, path, ok = tab, rest, true
		}
		path = strings.TrimPrefix(strings.TrimLeft(path, " \t"), "*")
		if !ok || path == "" || strings.Trim(strings.ToLower(digest), "0123456789abcdef") != "" {
			return nil, fmt.Errorf("%s, line %d: not a digest and a path: %.80q", name, n, text)
		}
		out = append(out, Line{strings.ToLower(digest), unescaper.Replace(path)})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}
