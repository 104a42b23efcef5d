package wacz

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"varve/archive/warc"
)

// The parts of a package that have a fixed place.
const (
	ManifestPath   = "datapackage.json"
	DigestPath     = "datapackage-digest.json"
	PagesPath      = "pages/pages.jsonl"
	ExtraPagesPath = "pages/extraPages.jsonl"
	IndexPath      = "indexes/index.cdx.gz"
	IdxPath        = "indexes/index.idx"

	archiveDir = "archive/"
	indexDir   = "indexes/"
	pagesDir   = "pages/"
)

// MediaType is what servers say of WACZ files.
const MediaType = "application/wacz"

// safePath tells why a path of a package cannot be trusted: it must name a file below the root on
// every system.
func safePath(p string) error {
	switch {
	case p == "":
		return fmt.Errorf("empty path")
	case len(p) > 1024:
		return fmt.Errorf("path of %d bytes", len(p))
	case !utf8.ValidString(p):
		return fmt.Errorf("path %q is not UTF-8", p)
	case strings.ContainsAny(p, "\\:\x00") || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("path %q holds a character that is not portable", p)
	case !fs.ValidPath(p) || p == ".":
		return fmt.Errorf("path %q leads out of the package", p)
	}
	return nil
}

// reserved tells whether a path lies where only the parts of the format may be.
func reserved(p string) bool {
	return strings.HasPrefix(p, archiveDir) || strings.HasPrefix(p, indexDir) || strings.HasPrefix(p, pagesDir) ||
		p == ManifestPath || p == DigestPath
}

// isWARC tells by its name whether an entry is a WARC file.
func isWARC(p string) bool {
	if !strings.HasPrefix(p, archiveDir) {
		return false
	}
	return hasAnySuffix(p, warcSuffixes)
}

var warcSuffixes = []string{".warc", ".warc.gz", ".warc.zst"}

func hasAnySuffix(p string, suffixes []string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(p, s) {
			return true
		}
	}
	return false
}

// warcName gives the name of a WARC file in a package: its own base name, with the ending that
// tells its packing.
func warcName(name string, packing warc.Compression) (string, error) {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	base = strings.TrimSuffix(base, warc.OpenSuffix)
	for _, s := range []string{".zst", ".gz", ".warc"} {
		base = strings.TrimSuffix(base, s)
	}
	if strings.Trim(base, "./") == "" {
		return "", fmt.Errorf("%q is no name for a WARC file", name)
	}
	p := archiveDir + base + warc.Packing{Kind: packing}.Extension()
	return p, safePath(p)
}
