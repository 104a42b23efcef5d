package opensearch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// format is the version of what is written. Indexes of another one are not read; loading makes them anew.
//
//	1  the first
const format = 1

// escaped is a name as OpenSearch allows it in names of indexes: small letters, digits and dots; anything else is _ and its bytes in hex.
func escaped(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

func (c *Client) textAlias(collection string) string {
	return c.cfg.Prefix + "-text-" + escaped(collection)
}

func (c *Client) shardIndex(collection, year, mark string) string {
	return c.textAlias(collection) + "-" + escaped(year) + "-" + mark[:12]
}

func (c *Client) capturesIndex(collection string) string {
	return c.cfg.Prefix + "-captures-" + escaped(collection)
}

// path is the address of an index.
func path(index, rest string) string { return "/" + url.PathEscape(index) + rest }

// Lengths, in bytes. Lucene takes terms of 32,766 bytes, and the whitespace analyser cuts words behind 255 characters.
const (
	mostWord  = 250
	wordHead  = 200
	mostValue = 8000
	mostLine  = 16_000
)

// word is a word as it is sent: a long one is cut and told apart by a digest.
func word(w string) string {
	if strings.ContainsFunc(w, unicode.IsSpace) { // the analyser knows none such
		w = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return '\u2423'
			}
			return r
		}, w)
	}
	if len(w) <= mostWord {
		return w
	}
	return shortened(w, wordHead)
}

// cutMark stands in texts that were cut.
const cutMark = "\u2026"

// shortened is the head of a text and a digest of all of it.
func shortened(s string, head int) string {
	sum := sha256.Sum256([]byte(s))
	s = strings.ToValidUTF8(s, "\ufffd")
	head = min(head, len(s))
	for head > 0 && head < len(s) && !utf8.RuneStart(s[head]) {
		head--
	}
	return s[:head] + cutMark + hex.EncodeToString(sum[:8])
}

// pageKey is the index key of a page as it is sent.
func pageKey(surt string) string {
	if len(surt) <= mostValue && utf8.ValidString(surt) && !strings.Contains(surt, cutMark) {
		return surt
	}
	return shortened(surt, mostValue-100)
}

// cutKey reports whether a key is not that of the page in full. Such a page is seen only by who may see everything: rules ask for the full key.
func cutKey(key string) bool { return strings.Contains(key, cutMark) }

// words are words as they are sent: the analyser cuts them at the blanks again.
func words(list []string) string {
	var b strings.Builder
	for i, w := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word(w))
	}
	return b.String()
}
