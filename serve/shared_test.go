package serve_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"varve/archive/wacz"
	"varve/archive/warc"
	"varve/serve"
)

// framed is a collection of one file in which records share gzip members.
func framed(t testing.TB, arc bool, cut func(records []string) []string) (dir string, pages map[string]string) {
	t.Helper()
	var records []string
	ending := ".warc.gz"
	if arc {
		ending = ".arc.gz"
		records = append(records, "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 67\n1 0 Owner\nURL IP-address Archive-date Content-type Archive-length\n\n\n")
	}
	pages = map[string]string{}
	for i := range 8 {
		page := fmt.Sprintf("http://shared.test/%d", i)
		pages[page] = fmt.Sprintf("<html><title>page %d</title><p>%s", i, strings.Repeat("x", 60*i))
		block := "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + pages[page]
		if arc {
			records = append(records, fmt.Sprintf("%s 192.0.2.7 2008043020482%d text/html %d\n%s\n", page, i, len(block), block))
			continue
		}
		sum := sha1.Sum([]byte(pages[page]))
		head := fmt.Sprintf("WARC-Target-URI: %s\r\nWARC-Date: 2008-04-30T20:48:2%dZ\r\n", page, i)
		records = append(records, fmt.Sprintf("WARC/1.0\r\nWARC-Type: request\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000010%d>\r\n%sContent-Type: application/http;msgtype=request\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.0\r\n\r\n\r\n\r\n", i, head),
			fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000%d>\r\n%sWARC-Payload-Digest: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
				i, head, warc.FormatDigest("sha1", sum[:]), len(block), block))
	}
	var b bytes.Buffer
	for _, member := range cut(records) {
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(member))
		_ = z.Close()
	}
	dir = t.TempDir()
	folder := filepath.Join(dir, "collections", "aachen", "warc")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "shared"+ending), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, pages
}

var cuts = map[string]func(records []string) []string{
	"whole": func(records []string) []string { return []string{strings.Join(records, "")} },
	"pairs": func(records []string) (out []string) {
		for i := 0; i < len(records); i += 2 {
			out = append(out, strings.Join(records[i:min(i+2, len(records))], ""))
		}
		return out
	},
	"misaligned": func(records []string) (out []string) {
		for all := strings.Join(records, ""); len(all) > 0; all = all[min(len(all), 333):] {
			out = append(out, all[:min(len(all), 333)])
		}
		return out
	},
}

// Every door gives the page that was asked for, whatever records share its gzip member.
func TestSharedMembers(t *testing.T) {
	for name, cut := range cuts {
		for _, arc := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s arc=%v", name, arc), func(t *testing.T) {
				dir, pages := framed(t, arc, cut)
				s := start(t, dir, func(c *serve.Config) { c.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) } })
				for i := 0; i < 1000 && s.captures("http://shared.test/7") == 0; i++ {
					time.Sleep(10 * time.Millisecond)
				}
				for page, want := range pages {
					if status, got := s.get(s.replay + "/aachen/2008id_/" + page); status != 200 && status != 302 {
						t.Errorf("%s: %d %.200s", page, status, got)
					}
					stamp := "2008043020482" + page[len(page)-1:]
					if status, got := s.get(s.replay + "/aachen/" + stamp + "id_/" + page); status != 200 || got != want {
						t.Errorf("id_ of %s: %d %.80q", page, status, got)
					}
					status, got := s.get(s.ui + "/api/collections/aachen/wacz?url=" + url.QueryEscape(page))
					checkPackage(t, status, got, map[string]string{page: want})
				}
				status, got := s.get(s.ui + "/api/collections/aachen/wacz")
				checkPackage(t, status, got, pages)
			})
		}
	}
}

// checkPackage opens a package and compares the pages in it.
func checkPackage(t *testing.T, status int, data string, pages map[string]string) {
	t.Helper()
	if status != 200 {
		t.Errorf("package: %d %.300s", status, data)
		return
	}
	p, err := wacz.Open("x.wacz", strings.NewReader(data), int64(len(data)), wacz.DefaultLimits())
	if err != nil {
		t.Errorf("package: %v", err)
		return
	}
	if rep, err := wacz.Check(context.Background(), p, wacz.CheckOptions{Deep: true}); err != nil || rep.Total() > 0 {
		t.Errorf("package: %+v, %v", rep, err)
	}
	for page, want := range pages {
		n := 0
		for r, err := range p.Lookup(page) {
			if err != nil {
				t.Error(err)
				break
			}
			n++
			rec, in, err := p.Record(r, warc.Options{})
			if err != nil {
				t.Error(err)
				continue
			}
			if h, err := rec.HTTP(); err != nil {
				t.Error(err)
			} else if b, err := io.ReadAll(h.Payload()); err != nil || string(b) != want {
				t.Errorf("package: %s is %.80q, %v", page, b, err)
			}
			in.Close()
		}
		if n != 1 {
			t.Errorf("package: %d captures of %s", n, page)
		}
	}
}

// A record whose own digest is wrong can be read, and its exact bytes say so.
func TestWrongDigestIsTold(t *testing.T) {
	dir, pages := framed(t, false, cuts["whole"])
	path := filepath.Join(dir, "collections", "aachen", "warc", "shared.warc.gz")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha1.Sum([]byte(pages["http://shared.test/3"]))
	all = bytes.Replace(all, []byte(warc.FormatDigest("sha1", sum[:])), []byte("sha1:"+strings.Repeat("A", 32)), 1)
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(all)
	_ = w.Close()
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	for i := 0; i < 1000 && s.captures("http://shared.test/7") == 0; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	for page, wrong := range map[string]bool{"http://shared.test/3": true, "http://shared.test/4": false} {
		resp, got := s.do("GET", s.replay+"/aachen/2008043020482"+page[len(page)-1:]+"id_/"+page, "")
		if told := resp.Header.Get("Varve-Finding"); resp.StatusCode != 200 || got != pages[page] || strings.Contains(told, "payload digest") != wrong {
			t.Errorf("%s: %d %q %.60q", page, resp.StatusCode, told, got)
		}
	}
}
