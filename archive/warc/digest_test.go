package warc

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func TestParseDigest(t *testing.T) {
	sum := sha1.Sum([]byte("x"))
	strong := sha256.Sum256([]byte("x"))
	want1, want2 := DigestValue{"sha1", string(sum[:])}, DigestValue{"sha256", string(strong[:])}
	b32 := base32Encoding.EncodeToString(sum[:])
	tests := []struct {
		in   string
		want DigestValue
	}{
		{"sha1:" + b32, want1},
		{"SHA-1:" + strings.ToLower(b32), want1},
		{"sha1:" + hex.EncodeToString(sum[:]), want1},
		{"sha1:" + base64.StdEncoding.EncodeToString(sum[:]), want1},
		{"sha1:" + base64.RawURLEncoding.EncodeToString(sum[:]), want1},
		{"sha256:" + hex.EncodeToString(strong[:]), want2},
		{"sha-256:" + base32Encoding.EncodeToString(strong[:]), want2},
		{"sha256:" + base32Encoding.EncodeToString(strong[:]) + "====", want2},
	}
	for _, tt := range tests {
		if got, err := ParseDigest(tt.in); err != nil || got != tt.want {
			t.Errorf("%s: %x, %v", tt.in, got.Sum, err)
		}
		if !SameDigest(tt.in, FormatDigest(tt.want.Algorithm, []byte(tt.want.Sum))) {
			t.Errorf("%s is not the same as its normal form", tt.in)
		}
	}
	for _, bad := range []string{"", "sha1", "sha1:", "sha1:ABC", "crc32:00000000", b32} {
		if got, err := ParseDigest(bad); err == nil {
			t.Errorf("%q was read as %x", bad, got.Sum)
		}
	}
}

// responseWith makes a response record with the payload digest of one reading or the other.
func responseWith(body, payload string, chunked bool) *Entry {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	if chunked {
		head += "Transfer-Encoding: chunked\r\n"
	}
	head += "\r\n"
	sum := sha1.Sum([]byte(payload))
	return New(TypeResponse, "<urn:x:1>", testDate, Bytes(head+body)).With(FieldTargetURI, "http://a/").
		With(FieldContentType, ContentTypeResponse).With(FieldPayloadDigest, FormatDigest("sha1", sum[:]))
}

func TestPayloadDigestEitherReading(t *testing.T) {
	framed, bare := "5\r\nhello\r\n0\r\n\r\n", "hello"
	tests := []struct {
		name  string
		entry *Entry
		form  PayloadForm
		rule  Rule
	}{
		{"not chunked", responseWith(bare, bare, false), PayloadRaw, ""},
		{"chunked, digest of the wire", responseWith(framed, framed, true), PayloadRaw, ""},
		{"chunked, digest without framing", responseWith(framed, bare, true), PayloadUnframed, ""},
		{"says chunked, is not", responseWith(bare, bare, true), PayloadRaw, ""},
		{"wrong", responseWith(bare, "other", false), "", RulePayloadDigest},
		{"no HTTP at all", New(TypeResponse, "<urn:x:1>", testDate, Bytes("hello there")).With(FieldTargetURI, "http://a/").
			With(FieldContentType, ContentTypeResponse), "", RuleHTTP},
		{"block digest wrong", responseWith(bare, bare, false).With(FieldBlockDigest, "sha1:"+strings.Repeat("A", 32)), PayloadRaw, RuleBlockDigest},
		{"digest unreadable", responseWith(bare, bare, false).With(FieldBlockDigest, "sha1:what"), PayloadRaw, RuleDigestForm},
	}
	for _, tt := range tests {
		for _, p := range []Packing{{Kind: Plain}, {Kind: Gzip}} {
			t.Run(fmt.Sprint(tt.name, " ", p.Kind), func(t *testing.T) {
				file, _ := pack(t, p, []*Entry{tt.entry})
				var rules []Rule
				r, err := NewReader(bytes.NewReader(file), Options{
					Policy: Lenient(), Verify: true,
					OnFinding: func(f Finding) { rules = append(rules, f.Rule) },
				})
				if err != nil {
					t.Fatal(err)
				}
				rec, err := r.Next()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := rec.Finish(); err != nil {
					t.Fatal(err)
				}
				if rec.PayloadForm() != tt.form {
					t.Errorf("form %q, want %q", rec.PayloadForm(), tt.form)
				}
				if len(rules) > 1 || len(rules) == 1 && rules[0] != tt.rule || len(rules) == 0 && tt.rule != "" {
					t.Errorf("findings %v, want %q", rules, tt.rule)
				}
			})
		}
	}
}

func TestSum(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	block := head + "5\r\nhello\r\n0\r\n\r\n"
	want := sha1.Sum([]byte("hello"))
	for _, b := range []Block{Bytes(block), strings.NewReader(block)} {
		s, err := Sum(b, int64(len(head)), true)
		if err != nil || s.Payload != FormatDigest("sha1", want[:]) {
			t.Errorf("%T: %+v, %v", b, s, err)
		}
	}
	// A body under a chunked header that is not chunked is hashed as it is.
	s, _ := Sum(Bytes(head+"hello"), int64(len(head)), true)
	if s.Payload != FormatDigest("sha1", want[:]) {
		t.Errorf("unchunked: %+v", s)
	}
}
