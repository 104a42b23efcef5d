package canon

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"strings"
)

// multipartQuery writes each part as name=value. A body that cannot be read to its end is
// written as binary, unless the parts before the damage fill the key already.
func multipartQuery(contentType string, body []byte) string {
	boundary := multipartBoundary(contentType)
	if boundary == "" {
		return binaryQuery(body)
	}
	r := multipart.NewReader(bytes.NewReader(body), boundary)
	var b []byte
	for {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return string(b)
		}
		var value []byte
		if err == nil {
			value, err = io.ReadAll(part)
			b = appendArg(b, part.FormName(), string(value))
		}
		if len(b) > maxRequestQuery {
			return string(b)
		}
		if err != nil {
			return binaryQuery(body)
		}
	}
}

// multipartBoundary finds the boundary, also in a header that is not quite right.
func multipartBoundary(contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return params["boundary"]
	}
	_, boundary, _ := strings.Cut(contentType, "boundary=")
	boundary, _, _ = strings.Cut(boundary, ";")
	return strings.Trim(boundary, `" `)
}
