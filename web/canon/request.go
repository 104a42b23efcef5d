package canon

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// Limits of request keys. The first is fixed by the convention.
const (
	maxRequestQuery = 4096    // characters of the body that go into the key
	maxRequestBody  = 1 << 20 // bytes of the body that are looked at
)

// RequestKey gives the index key of a request that is not a GET, and the text that stands for its
// body ("requestBody" in CDXJ): the method and the body become arguments of the query.
//
//	POST http://example.com/ with a form foo=bar -> com,example)/?__wb_method=post&foo=bar
//
// Forms are unquoted, the parts of multipart bodies and the leaves of JSON become arguments, and
// anything else becomes __wb_post_data=<base64>; the text is cut at 4096 characters. Only POST and
// PUT have bodies. GET and the empty method give SURT(rawURL) and "".
func RequestKey(method, rawURL, contentType string, body []byte) (key, requestBody string) {
	if method == "" || strings.EqualFold(method, "GET") {
		return SURT(rawURL), ""
	}
	if strings.EqualFold(method, "POST") || strings.EqualFold(method, "PUT") {
		requestBody = cutRunes(bodyQuery(contentType, body), maxRequestQuery)
	}
	target, _, _ := strings.Cut(trimSpace(rawURL), "#")
	var b strings.Builder
	b.WriteString(target)
	if strings.IndexByte(target, '?') < 0 {
		b.WriteByte('?')
	} else {
		b.WriteByte('&')
	}
	b.WriteString("__wb_method=" + method)
	if requestBody != "" {
		b.WriteString("&" + requestBody)
	}
	return SURT(b.String()), requestBody
}

// bodyQuery writes a request body as a query.
func bodyQuery(contentType string, body []byte) string {
	body = body[:min(len(body), maxRequestBody)]
	contentType = strings.TrimSpace(contentType)
	switch {
	case foldPrefix(contentType, "application/x-www-form-urlencoded"):
		if !utf8.Valid(body) {
			return binaryQuery(body)
		}
		return unquotePlus(string(body))
	case foldPrefix(contentType, "multipart/"):
		return multipartQuery(contentType, body)
	case foldPrefix(contentType, "application/json"):
		q, _ := jsonQuery(body)
		return q
	case foldPrefix(contentType, "text/plain"):
		if q, err := jsonQuery(body); err == nil {
			return q
		}
	}
	return binaryQuery(body)
}

// binaryQuery encodes as much of the body as the key can hold.
func binaryQuery(body []byte) string {
	body = body[:min(len(body), maxRequestQuery)]
	return "__wb_post_data=" + base64.StdEncoding.EncodeToString(body)
}

// unquotePlus undoes form encoding without taking the arguments apart.
func unquotePlus(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return validUTF8(string(b))
}

// validUTF8 replaces what is not UTF-8 by replacement characters, one for each broken sequence.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	t, err := unicode.UTF8.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return t
}

// cutRunes cuts s after n characters.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// appendArg appends "name=value" in form encoding.
func appendArg(b []byte, name, value string) []byte {
	if len(b) > 0 {
		b = append(b, '&')
	}
	b = append(b, url.QueryEscape(name)...)
	b = append(b, '=')
	return append(b, url.QueryEscape(value)...)
}
