package fetch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxCookieLine bounds a line of cookies.txt.
const maxCookieLine = 64 << 10

// ReadNetscape puts the cookies of a cookies.txt file, as browsers export and curl and wget write
// it, into the jar, and gives their number. A malformed line is an error with its number; the
// lines before it are in the jar then.
//
//	domain  subdomains(TRUE|FALSE)  path  secure(TRUE|FALSE)  expires(Unix, 0: session)  name  value
//
// Fields are separated by tabs. "#HttpOnly_" before the domain is a mark, other lines with # are
// comments.
func (j *Jar) ReadNetscape(r io.Reader) (int, error) {
	return readCookies(r, func(u *url.URL, c *http.Cookie, _ bool) { j.set(u, []*http.Cookie{c}, true) })
}

// Restore puts cookies that Changes gave back into the jar. Those that it has already, by the operator's word, are
// newer and stay.
func (j *Jar) Restore(lines []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	now, before := j.now(), maps.Clone(j.changed)
	_, err := readCookies(bytes.NewReader(lines), func(u *url.URL, c *http.Cookie, given bool) {
		if made, ok := newCookie(u, hostOfCookie(u), c, now); ok {
			made.given = given
			j.put(made, now, false)
		}
	})
	j.changed = before // what is restored is no change
	return err
}

func readCookies(r io.Reader, take func(u *url.URL, c *http.Cookie, given bool)) (int, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 4<<10), maxCookieLine)
	count, line := 0, 0
	for sc.Scan() {
		line++
		text := strings.TrimRight(sc.Text(), "\r")
		text, _ = strings.CutPrefix(text, "#HttpOnly_")
		text, given := strings.CutPrefix(text, givenMark)
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		u, c, err := parseCookieLine(text)
		if err != nil {
			return count, fmt.Errorf("cookies.txt line %d: %w", line, err)
		}
		take(u, c, given)
		count++
	}
	if err := sc.Err(); err != nil {
		return count, fmt.Errorf("cookies.txt line %d: %w", line+1, err)
	}
	return count, nil
}

func parseCookieLine(text string) (*url.URL, *http.Cookie, error) {
	f := strings.Split(text, "\t")
	if len(f) == 6 {
		f = append(f, "") // an empty value; some writers drop the tab
	}
	if len(f) != 7 {
		return nil, nil, fmt.Errorf("%d fields, 7 expected", len(f))
	}
	host := strings.ToLower(strings.TrimPrefix(f[0], "."))
	if host == "" || strings.ContainsAny(host, "/@ ?#") || f[5] == "" || !printable(f[5]+f[6]) {
		return nil, nil, fmt.Errorf("domain %q with cookie %q", clip(f[0]), clip(f[5]))
	}
	expires, err := strconv.ParseFloat(f[4], 64)
	if err != nil {
		return nil, nil, fmt.Errorf("expiry %q is no number", clip(f[4]))
	}
	c := &http.Cookie{Name: f[5], Value: f[6], Path: f[2], Secure: f[3] == "TRUE"}
	if f[1] == "TRUE" {
		c.Domain = host
	}
	if expires > 0 && expires < 1<<40 {
		c.Expires = time.Unix(int64(expires), 0)
	}
	u := &url.URL{Scheme: "http", Host: host, Path: "/"}
	if strings.Contains(host, ":") {
		u.Host = "[" + strings.Trim(host, "[]") + "]"
	}
	if c.Secure {
		u.Scheme = "https"
	}
	return u, c, nil
}
