package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// Limits of names, below what file systems take (255 bytes a name, 4096 a path).
const (
	maxSegment  = 120
	maxQuery    = 64
	maxSegments = 32
)

// fileName gives the place of a web address in a directory tree: host, then the path. Nothing in
// it can leave the tree: every segment is made of safe bytes, is not empty, not "." or "..",
// and not a name that Windows reserves.
//
//	https://example.org/a/b.html      example.org/a/b.html
//	http://example.org:8080/a/        example.org+8080/a/index.html
//	http://example.org/x?p=1&q=2      example.org/x@p=1&q=2.html
//	urn:uuid:1234                     urn/uuid%3A1234
func fileName(uri, mime string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		scheme, rest, _ = strings.Cut(uri, ":")
		return path.Join(safe(scheme), leaf(rest, "", mime))
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	host, tail, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if !isWeb(scheme) {
		host = scheme + "+" + host
	}
	parts := []string{safe(strings.ToLower(strings.Replace(host, ":", "+", 1)))}
	segments := strings.Split(tail, "/")
	last := segments[len(segments)-1]
	for _, s := range segments[:len(segments)-1] {
		if s != "" && len(parts) < maxSegments {
			parts = append(parts, safe(s))
		}
	}
	return path.Join(append(parts, leaf(last, query, mime))...)
}

func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// leaf gives the name of the file itself: with the query in it and an end that fits the type.
func leaf(name, query, mime string) string {
	if name == "" {
		name = "index"
	}
	stem, ext := name, path.Ext(name)
	if len(ext) > 1 && len(ext) <= 8 && len(ext) < len(name) {
		stem = strings.TrimSuffix(name, ext)
	} else if ext = extensions[mime]; ext == "" {
		ext = ".bin"
	}
	if query != "" {
		if len(query) > maxQuery {
			query = query[:maxQuery/2] + "~" + shortHash(query)
		}
		stem += "@" + query
	}
	return safe(stem + ext)
}

// extensions are for addresses that have none.
var extensions = map[string]string{
	"text/html": ".html", "application/xhtml+xml": ".html", "text/plain": ".txt", "text/css": ".css", "text/xml": ".xml",
	"application/xml": ".xml", "application/json": ".json", "text/javascript": ".js", "application/javascript": ".js",
	"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/svg+xml": ".svg", "image/webp": ".webp",
	"application/pdf": ".pdf", "application/rss+xml": ".rss", "application/atom+xml": ".atom", "video/mp4": ".mp4",
	"audio/mpeg": ".mp3", "font/woff2": ".woff2", "application/zip": ".zip",
}

// safe gives one path segment that is harmless everywhere. Bytes that are not plain are written
// as %XX; a name that is too long is cut and told apart by a hash of the whole.
func safe(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if plainByte(c) && !(c == '.' && (i == 0 || i == len(s)-1)) {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	out := b.String()
	if len(out) > maxSegment {
		ext := path.Ext(out)
		if len(ext) > 8 {
			ext = ""
		}
		out = out[:maxSegment-len(ext)-9] + "~" + shortHash(s) + ext
	}
	switch stem, _, _ := strings.Cut(strings.ToLower(out), "."); stem {
	case "":
		return "%"
	case "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3", "lpt4":
		return "%" + out
	}
	return out
}

const hexDigits = "0123456789ABCDEF"

func plainByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~@=+,&!()%", c) >= 0
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// variant puts a mark before the extension: a.html -> a~20260102030405.html.
func variant(name, mark string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "~" + mark + ext
}
