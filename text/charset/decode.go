package charset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// Name gives the WHATWG name of a label, or "" if there is no such encoding.
func Name(label string) string {
	label = strings.Trim(label, " \t\n\f\r\"'")
	enc, err := htmlindex.Get(label)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil || name == "replacement" {
		return ""
	}
	return name
}

// Decode gives the document in valid UTF-8, without byte order mark: the body itself where it is so already.
// What cannot be decoded becomes U+FFFD.
func Decode(body []byte, label string) ([]byte, error) {
	name := Name(label)
	if name == "" {
		return nil, fmt.Errorf("no character encoding %q", label)
	}
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		if utf8.Valid(body) {
			return body, nil
		}
		return bytes.ToValidUTF8(body, []byte("\ufffd")), nil
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("character encoding %q: %w", label, err)
	}
	out, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", name, err)
	}
	return bytes.TrimPrefix(out, []byte("\xef\xbb\xbf")), nil
}
