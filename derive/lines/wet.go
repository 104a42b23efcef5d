package lines

import (
	"context"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"varve/derive"
)

// wet is a line. The names are those of the conversion records of WET files.
type wet struct {
	Type     string `json:"WARC-Type"` // conversion
	URI      string `json:"WARC-Target-URI"`
	Date     string `json:"WARC-Date"`
	Digest   string `json:"WARC-Block-Digest"`
	Language string `json:"WARC-Identified-Content-Language,omitempty"` // ISO 639-1
	MIME     string `json:"Content-Type"`
	Length   string `json:"Content-Length"`
	Title    string `json:"title,omitempty"`
	Filename string `json:"Filename"` // of the record that the text is from
	Offset   string `json:"Offset"`
	Text     string `json:"text"`
}

// WET writes a line for each page of a table that has text: its main text, or all of it where there is no main one.
func WET(ctx context.Context, w io.Writer, table string) (n int, err error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	err = derive.Rows(table, func(p *derive.PageRow) (bool, error) {
		if p.Text == "" {
			return true, ctx.Err()
		}
		n++
		sum := sha1.Sum([]byte(p.Text))
		return true, enc.Encode(wet{
			Type: "conversion", URI: p.URL, Date: p.Time.UTC().Format(time.RFC3339Nano), Digest: "sha1:" + base32.StdEncoding.EncodeToString(sum[:]), Language: p.Language,
			MIME: "text/plain", Length: strconv.Itoa(len(p.Text)), Title: strings.ToValidUTF8(p.Title, "\uFFFD"), Filename: p.File, Offset: strconv.FormatInt(p.Offset, 10), Text: p.Text,
		})
	})
	return n, err
}
