package fetch

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve/web/wire"
)

// Request is what to fetch. Only URL must be given.
type Request struct {
	Method string      // GET
	URL    string      // as the WHATWG serialiser writes it
	Header wire.Header // further fields in this order; those of the Config with the same name are replaced, or left out where the value is empty
	Body   []byte

	ETag         string // validators of an earlier capture: the request becomes conditional
	LastModified string

	Jar  *Jar         // cookies of the crawl
	Auth *Credentials // basic authentication; else the user info of the URL

	MaxBody       int64         // instead of Limits.Body
	MaxTime       time.Duration // instead of Timeouts.Total
	AllowLoopback bool          // the URL was reached from a loopback seed that the user gave

	// Head is asked, if it is there, when the final head has come: nothing of the body is read, and the class is Declined, unless
	// wanted is true; most, if it is over 0 and under the limit in force, is the limit of the body.
	Head func(h *wire.Head) (most int64, wanted bool)
}

// Credentials are a name and password for basic authentication.
type Credentials struct {
	User     string
	Password string
}

// basics are the fields that every request carries, ready as bytes.
type basics struct {
	fields wire.Header
	block  []byte
}

// newBasics joins our own fields with those of the configuration.
func newBasics(c *Config) basics {
	h := wire.Header{{Name: "User-Agent", Value: c.UserAgent}}
	if c.From != "" {
		h.Add("From", c.From)
	}
	for _, f := range []wire.Field{{Name: "Accept", Value: "*/*"}, {Name: "Accept-Encoding", Value: "gzip, deflate, br"}} {
		if !c.Header.Has(f.Name) {
			h = append(h, f)
		}
	}
	b := basics{fields: append(h, c.Header...)}
	for _, f := range b.fields {
		b.block = appendField(b.block, f.Name, f.Value)
	}
	return b
}

// appendTo appends the fields, without those that extra replaces.
func (b *basics) appendTo(dst []byte, extra wire.Header) []byte {
	if len(extra) == 0 {
		return append(dst, b.block...)
	}
	for _, f := range b.fields {
		if !extra.Has(f.Name) {
			dst = appendField(dst, f.Name, f.Value)
		}
	}
	return dst
}

// appendRequest appends the bytes of the request. Absolute form is for plain proxies.
func (b *basics) appendRequest(dst []byte, r *Request, t *Target, absolute, keep bool) ([]byte, error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	dst = append(append(dst, r.method()...), ' ')
	if absolute {
		dst = t.appendAuthority(append(append(dst, t.scheme()...), "://"...), false)
	}
	dst = append(append(dst, t.Path...), " HTTP/1.1\r\nHost: "...)
	dst = append(t.appendAuthority(dst, false), "\r\n"...)
	dst = b.appendTo(dst, r.Header)
	dst = appendCredentials(dst, r, t)
	if r.Jar != nil {
		dst = r.Jar.appendCookies(dst, r.URL)
	}
	dst = appendField(dst, "If-None-Match", r.ETag)
	dst = appendField(dst, "If-Modified-Since", r.LastModified)
	for _, f := range r.Header {
		dst = appendField(dst, f.Name, f.Value)
	}
	if len(r.Body) > 0 || r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH" {
		dst = append(strconv.AppendInt(append(dst, "Content-Length: "...), int64(len(r.Body)), 10), "\r\n"...)
	}
	dst = append(dst, connectionField(keep)...)
	return append(append(dst, "\r\n"...), r.Body...), nil
}

func connectionField(keep bool) string {
	if keep {
		return "Connection: keep-alive\r\n"
	}
	return "Connection: close\r\n"
}

func appendField(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return append(append(append(append(dst, name...), ": "...), value...), "\r\n"...)
}

func appendCredentials(dst []byte, r *Request, t *Target) []byte {
	cred := r.Auth
	if cred == nil {
		if t.UserInfo == "" {
			return dst
		}
		user, pass, _ := strings.Cut(t.UserInfo, ":")
		cred = &Credentials{unescape(user), unescape(pass)}
	}
	return appendField(dst, "Authorization", cred.basic())
}

func (c *Credentials) basic() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password))
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

func (r *Request) method() string {
	if r.Method == "" {
		return "GET"
	}
	return r.Method
}

// idempotent tells whether sending the request twice does no harm (RFC 9110, 9.2.2).
func (r *Request) idempotent() bool {
	switch r.method() {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE":
		return true
	}
	return false
}

// check refuses what would break out of the request's lines or lie about its framing.
func (r *Request) check() error {
	if !isToken(r.method()) || r.Method == "CONNECT" {
		return fmt.Errorf("method %q", clip(r.Method))
	}
	for _, f := range r.Header {
		if err := checkField(f); err != nil {
			return err
		}
	}
	for _, f := range []wire.Field{{Name: "If-None-Match", Value: r.ETag}, {Name: "If-Modified-Since", Value: r.LastModified}} {
		if err := checkField(f); err != nil {
			return err
		}
	}
	return nil
}

// errFraming is returned for fields that only the client itself may set.
var errFraming = errors.New("is set by the client itself")

func checkField(f wire.Field) error {
	if !isToken(f.Name) {
		return fmt.Errorf("field name %q", clip(f.Name))
	}
	for i := 0; i < len(f.Value); i++ {
		if c := f.Value[i]; (c < ' ' && c != '\t') || c == 0x7f {
			return fmt.Errorf("byte %#02x in the value of %s", c, f.Name)
		}
	}
	for _, own := range [...]string{"Host", "Content-Length", "Transfer-Encoding", "Connection"} {
		if strings.EqualFold(f.Name, own) {
			return fmt.Errorf("%s %w", f.Name, errFraming)
		}
	}
	return nil
}

func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}
