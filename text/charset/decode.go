package charset

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"varve/web/encoding"
)

// Decode gives the document in valid UTF-8, without byte order mark: the body itself where it is so already.
// What cannot be decoded becomes U+FFFD.
func Decode(body []byte, label string) ([]byte, error) {
	enc, name := encoding.Lookup(label)
	if enc == nil {
		return nil, fmt.Errorf("no character encoding %q", label)
	}
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		if utf8.Valid(body) {
			return body, nil
		}
		return bytes.ToValidUTF8(body, []byte("\ufffd")), nil
	}
	out, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", name, err)
	}
	return bytes.TrimPrefix(out, []byte("\xef\xbb\xbf")), nil
}
