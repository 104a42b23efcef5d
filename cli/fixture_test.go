package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"time"

	"varve/archive/warc"
)

// mkwarc writes a fixture: mkwarc KIND OUT [DEFECT]
//
//	site      a page (chunked and gzipped), an image twice, a missing page, an address that tries
//	          to climb out of a directory, and a revisit of the page a month later
//	segments  one resource in three segments
//	arc       the same page as ARC
//	texts     plain texts, of files that follow OUT: mkwarc texts OUT FILE...
//	kinds     pictures of two kinds, stripes0.png to stripes9.png, and clouds likewise; a page with each of them, page0 to page9
//	pages     pages, a minute apart: mkwarc pages OUT PATH FILE PATH FILE..., below http://pages.example/
//	years     a plain text in each of the years 1990 to 2009: mkwarc years OUT FILE THEN_FILE, the second file from 2000 on
//
// Defects of a site:
//
//	digest     a block digest that does not fit
//	flip       a flipped bit in the middle of the image's member
//	cut        the file ends inside the last record
//	shared     all records in one gzip member
//	brackets   target URIs as old wget wrote them
//	twice      two records with the same id
//	lf         header lines that end in LF
//	unchanged  a revisit by which the server said that nothing changed (no defect)
//
// Defect of segments: gap, the second one is missing.
func mkwarc(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: mkwarc KIND OUT [DEFECT]")
	}
	kind, out, defect := args[0], args[1], ""
	if len(args) > 2 {
		defect = args[2]
	}
	var file []byte
	var err error
	switch kind {
	case "site":
		file, err = makeSite(out, defect)
	case "segments":
		file, err = makeSegments(out, defect)
	case "arc":
		file = makeArc()
	case "texts":
		file, err = makeTexts(args[2:])
	case "years":
		file, err = makeYears(args[2:])
	case "kinds":
		file, err = makeKinds()
	case "pictures":
		file, err = makePictures()
	case "pages":
		file, err = makePages(args[2:])
	default:
		err = fmt.Errorf("no kind %q", kind)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(out, file, 0o644)
}

// makeYears writes captures of http://texts.example/YEAR with one text and later another.
func makeYears(files []string) ([]byte, error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i := range 20 {
		body, err := os.ReadFile(files[i*len(files)/20])
		if err != nil {
			return nil, err
		}
		at := time.Date(1990+i, 3, 1, 0, 0, 0, 0, time.UTC)
		e := responseAt(at, i+1, fmt.Sprintf("http://texts.example/%d", 1990+i), "HTTP/1.1 200 OK\nContent-Type: text/plain; charset=utf-8", body)
		if err := enc.Encode(&out, e); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// makePages writes files as captures of pages.
func makePages(args []string) ([]byte, error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i := 0; i+1 < len(args); i += 2 {
		body, err := os.ReadFile(args[i+1])
		if err != nil {
			return nil, err
		}
		e := responseAt(fixtureTime.Add(time.Duration(i)*time.Minute), i+1, "http://pages.example/"+args[i], "HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8", body)
		if err := enc.Encode(&out, e); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// makeTexts writes each file as a capture of http://texts.example/FILE.
func makeTexts(files []string) ([]byte, error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		head := "HTTP/1.1 200 OK\nContent-Type: text/plain; charset=utf-8"
		if err := enc.Encode(&out, response(i+1, "http://texts.example/"+name, head, body)); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// makePictures writes a page with two pictures, one of which is the other at half the size, a third that is not, and one that is not decoded.
func makePictures() ([]byte, error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return nil, err
	}
	draw := func(w, h, of int) []byte {
		m := image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				cell := x*9/w + y*7/h*9
				m.Pix[y*m.Stride+x] = uint8((cell*cell + of) * 61 * of)
			}
		}
		var b bytes.Buffer
		err = errors.Join(err, png.Encode(&b, m))
		return b.Bytes()
	}
	var out bytes.Buffer
	for i, c := range []struct {
		name, mime string
		body       []byte
	}{
		{"", "text/html", []byte(`<figure><img src=large.png><figcaption>The old bridge</figcaption></figure><p><img src=small.png alt="A bridge"></p>`)},
		{"large.png", "image/png", draw(360, 280, 3)},
		{"small.png", "image/png", draw(180, 140, 3)},
		{"other.png", "image/png", draw(360, 280, 7)},
		{"logo.svg", "image/svg+xml", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
	} {
		head := "HTTP/1.1 200 OK\nContent-Type: " + c.mime
		err = errors.Join(err, enc.Encode(&out, response(i+1, "http://pictures.example/"+c.name, head, c.body)))
	}
	return out.Bytes(), err
}

// makeKinds writes captures of http://pictures.example/KIND_N.png, and of pages: pageN shows stripesN and, if N is odd, cloudsN.
func makeKinds() ([]byte, error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i := range 20 {
		name, n := "stripes", i/2
		m := image.NewGray(image.Rect(0, 0, 200+10*n, 200))
		for at := range m.Pix {
			x, y := at%m.Stride, at/m.Stride
			if m.Pix[at] = uint8(y / (8 + n) % 2 * (150 + 10*n)); i%2 == 1 {
				name = "clouds"
				m.Pix[at] = uint8(100 + x*(3+n)/20 + y*(12-n)/20)
			}
		}
		var b bytes.Buffer
		err = errors.Join(err, png.Encode(&b, m), enc.Encode(&out, response(i+1, fmt.Sprintf("http://pictures.example/%s%d.png", name, n), "HTTP/1.1 200 OK\nContent-Type: image/png", b.Bytes())))
	}
	for n := range 10 {
		page := fmt.Sprintf("<title>Page %d</title><p>A page with pictures of stripes, number %d of ten. <img src=stripes%d.png>", n, n, n)
		if n%2 == 1 {
			page += fmt.Sprintf("<img src=clouds%d.png>", n)
		}
		err = errors.Join(err, enc.Encode(&out, response(21+n, fmt.Sprintf("http://pictures.example/page%d", n), "HTTP/1.1 200 OK\nContent-Type: text/html", []byte(page))))
	}
	return out.Bytes(), err
}

var fixtureTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func fixtureID(n int) string { return fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", n) }

// response makes a response record with both digests.
func response(n int, uri, head string, body []byte) *warc.Entry {
	return responseAt(fixtureTime, n, uri, head, body)
}

func responseAt(at time.Time, n int, uri, head string, body []byte) *warc.Entry {
	block := append([]byte(strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n"), body...)
	sums, _ := warc.Sum(warc.Bytes(block), int64(len(block)-len(body)), strings.Contains(head, "chunked"))
	return warc.New(warc.TypeResponse, fixtureID(n), at, warc.Bytes(block)).
		With(warc.FieldTargetURI, uri).With(warc.FieldContentType, warc.ContentTypeResponse).
		With(warc.FieldBlockDigest, sums.Block).With(warc.FieldPayloadDigest, sums.Payload)
}

// pageBody is "<h1>Hello</h1>\n", gzipped and then cut into two chunks.
func pageBody() []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = w.Write([]byte("<h1>Hello</h1>\n"))
	_ = w.Close()
	b := z.Bytes()
	return fmt.Appendf(nil, "5\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", b[:5], len(b)-5, b[5:])
}

func siteEntries() []*warc.Entry {
	image := bytes.Repeat([]byte("\x89PNG not really. "), 40)
	page := response(2, "http://example.com/", "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: gzip\nTransfer-Encoding: chunked", pageBody())
	request := warc.New(warc.TypeRequest, fixtureID(3), fixtureTime, warc.Bytes("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")).
		With(warc.FieldTargetURI, "http://example.com/").With(warc.FieldContentType, warc.ContentTypeRequest).
		With(warc.FieldConcurrentTo, fixtureID(2))
	info := warc.New(warc.TypeWarcinfo, fixtureID(1), fixtureTime, warc.Bytes("software: mkwarc\r\n")).
		With(warc.FieldContentType, warc.ContentTypeFields)
	revisit := warc.New(warc.TypeRevisit, fixtureID(9), fixtureTime.AddDate(0, 1, 0), warc.Bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")).
		With(warc.FieldTargetURI, "http://example.com/").With(warc.FieldContentType, warc.ContentTypeResponse).
		With(warc.FieldProfile, warc.ProfileIdentical).With(warc.FieldPayloadDigest, page.Header.Get(warc.FieldPayloadDigest)).
		With(warc.FieldRefersToURI, "http://example.com/").With(warc.FieldRefersToDate, warc.FormatDate(fixtureTime))
	png := "HTTP/1.1 200 OK\nContent-Type: image/png"
	return []*warc.Entry{
		info, page, request,
		response(4, "http://example.com/logo.png", png, image),
		response(5, "http://example.com/copy.png", png, image),
		response(6, "http://example.com/missing", "HTTP/1.1 404 Not Found\nContent-Type: text/html", []byte("no such page\n")),
		response(7, "http://example.com/../../../etc/passwd", "HTTP/1.1 200 OK\nContent-Type: text/plain", []byte("root\n")),
		revisit,
	}
}

func makeSite(out, defect string) ([]byte, error) {
	entries := siteEntries()
	switch defect {
	case "", "flip", "cut", "shared":
	case "unchanged":
		entries = append(entries, warc.New(warc.TypeRevisit, fixtureID(10), fixtureTime.AddDate(0, 2, 0), warc.Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")).
			With(warc.FieldTargetURI, "http://example.com/").With(warc.FieldContentType, warc.ContentTypeResponse).With(warc.FieldProfile, warc.ProfileNotModified))
	case "digest":
		entries[3].Header.Set(warc.FieldBlockDigest, "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	case "brackets":
		for _, e := range entries {
			if uri := e.Header.Get(warc.FieldTargetURI); uri != "" {
				e.Header.Set(warc.FieldTargetURI, "<"+uri+">")
			}
		}
	case "twice":
		entries[4].Header.Set(warc.FieldRecordID, fixtureID(4))
	case "lf":
		for _, e := range entries {
			e.Raw = "WARC/1.1\n"
			for _, f := range e.Header {
				e.Raw += f.Name + ": " + f.Value + "\n"
			}
			e.Raw += "\n"
		}
	default:
		return nil, fmt.Errorf("no defect %q", defect)
	}
	packing := warc.Packing{Kind: packingOf(out)}
	if defect == "shared" {
		packing.Kind = warc.Plain
	}
	file, ends, err := pack(packing, entries)
	if err != nil {
		return nil, err
	}
	return spoil(file, ends, defect), nil
}

// spoil damages the bytes of a file.
func spoil(file []byte, ends []int, defect string) []byte {
	switch defect {
	case "flip":
		file[(ends[2]+ends[3])/2] ^= 0x10
	case "cut":
		return file[:len(file)-30]
	case "shared":
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(file)
		_ = w.Close()
		return b.Bytes()
	}
	return file
}

func pack(p warc.Packing, entries []*warc.Entry) (file []byte, ends []int, err error) {
	enc, err := warc.NewEncoder(p)
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	for _, e := range entries {
		if err := enc.Encode(&b, e); err != nil {
			return nil, nil, err
		}
		ends = append(ends, b.Len())
	}
	return b.Bytes(), ends, nil
}

func makeSegments(out, defect string) ([]byte, error) {
	e := warc.New(warc.TypeResource, fixtureID(1), fixtureTime, warc.Bytes("one, two, three\n")).
		With(warc.FieldTargetURI, "http://example.com/long.txt").With(warc.FieldContentType, "text/plain")
	n := 1
	parts, err := warc.Split(e, 6, func() (string, error) { n++; return fixtureID(n), nil })
	if err != nil {
		return nil, err
	}
	if defect == "gap" {
		parts = append(parts[:1:1], parts[2:]...)
	}
	file, _, err := pack(warc.Packing{Kind: packingOf(out)}, parts)
	return file, err
}

func makeArc() []byte {
	block := "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>Hello</h1>\n"
	info := "1 0 mkwarc\nURL IP-address Archive-date Content-type Archive-length\n"
	return fmt.Appendf(nil, "filedesc://old.arc 0.0.0.0 20080102030405 text/plain %d\n%s\nhttp://example.com/a b 192.0.2.1 20080102030405 text/html %d\n%s\n",
		len(info), info, len(block), block)
}
