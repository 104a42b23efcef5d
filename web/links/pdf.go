package links

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf16"

	"github.com/klauspost/compress/zlib"
)

// A PDF is not parsed as a file but searched for what links are made of, which survives damage to its tables:
//
//	/URI (string) and /URI <hex> are link actions; they stand in plain objects, or in object streams
//	object streams (/Type /ObjStm) with FlateDecode are inflated, within Limits.Inflate, and searched alike
//	/GoToR, /Launch and /SubmitForm actions name files in /F (string)
//
// Other streams (pages, images, fonts) are not looked into.

// pdf reads a PDF document.
func (e *Extractor) pdf(body []byte) error {
	if encryptedPDF(body) {
		return errors.New("pdf is encrypted: its strings cannot be read")
	}
	e.pdfObjects(body)
	budget := e.limits.Inflate
	for at, tries := 0, 0; at < len(body); tries++ {
		n := bytes.Index(body[at:], []byte("/ObjStm"))
		if n < 0 {
			return nil
		}
		if tries == maxStreams {
			e.info.Truncated = true
			return nil
		}
		at += n + len("/ObjStm")
		data, ok := streamAt(body, at)
		if !ok {
			if dict := body[at:min(len(body), at+maxDict)]; len(dict) == maxDict && !bytes.Contains(dict, []byte("endobj")) && !bytes.Contains(dict, []byte("stream")) {
				e.info.Truncated = true // its dictionary is too long to be read
			}
			continue
		}
		if budget <= 0 {
			e.info.Truncated = true
			return nil
		}
		used := e.inflate(body[data:], &budget)
		at = data + used
	}
	return nil
}

// encryptedPDF tells whether the trailer names an encryption dictionary.
func encryptedPDF(body []byte) bool {
	for at := 0; ; {
		n := bytes.Index(body[at:], []byte("/Encrypt"))
		if n < 0 {
			return false
		}
		at += n + len("/Encrypt")
		rest := bytes.TrimLeft(body[at:min(len(body), at+16)], " \t\r\n")
		if len(rest) > 0 && (isDigit(rest[0]) || rest[0] == '<') {
			return true
		}
	}
}

// maxDict bounds the dictionary of an object stream.
const maxDict = 512

// maxStreams bounds the object streams of one document.
const maxStreams = 1 << 16

// streamAt gives the place of the data of the stream whose dictionary goes on at i, if it is deflated.
func streamAt(body []byte, i int) (int, bool) {
	from := max(0, i-maxDict)
	if n := bytes.LastIndex(body[from:i], []byte("obj")); n >= 0 {
		from += n
	}
	rest := body[i:min(len(body), i+maxDict)]
	n := bytes.Index(rest, []byte("stream"))
	if n < 0 {
		return 0, false
	}
	dict := body[from : i+n]
	if !bytes.Contains(dict, []byte("/Fl")) { // FlateDecode, or Fl for short
		return 0, false
	}
	data := i + n + len("stream")
	for data < len(body) && (body[data] == '\r' || body[data] == '\n' || body[data] == ' ') {
		data++
		if body[data-1] == '\n' {
			break
		}
	}
	return data, true
}

// inflate searches one object stream and gives how many bytes of input it took.
func (e *Extractor) inflate(data []byte, budget *int) int {
	in := bytes.NewReader(data)
	if err := e.zlibReader(in); err != nil {
		return 0
	}
	out, err := io.ReadAll(io.LimitReader(e.inflater, int64(*budget)+1))
	if len(out) > *budget {
		e.info.Truncated = true
		out = out[:*budget]
	}
	*budget -= len(out) + 1
	_ = err // a stream that breaks off still gives what came before
	e.pdfObjects(out)
	return len(data) - in.Len()
}

// zlibReader makes the inflater read from in.
func (e *Extractor) zlibReader(in io.Reader) (err error) {
	if r, ok := e.inflater.(zlib.Resetter); ok {
		return r.Reset(in, nil)
	}
	e.inflater, err = zlib.NewReader(in)
	return err
}

// pdfObjects searches dictionaries for actions. What was read for one action is not read again for the next.
func (e *Extractor) pdfObjects(p []byte) {
	for at := 0; ; {
		n := bytes.IndexByte(p[at:], '/')
		if n < 0 {
			return
		}
		at += n
		rest := p[at:]
		at++
		switch {
		case bytes.HasPrefix(rest, []byte("/URI")):
			at += e.pdfURI(rest[4:])
		case bytes.HasPrefix(rest, []byte("/GoToR")), bytes.HasPrefix(rest, []byte("/Launch")), bytes.HasPrefix(rest, []byte("/SubmitForm")):
			at = e.pdfAction(p, at)
		}
	}
}

// pdfURI adds the string behind /URI, and gives how far it read. The same name is also used for the type of the action
// and for its base.
func (e *Extractor) pdfURI(p []byte) int {
	long := len(p) > e.limits.URL+64
	p = p[:min(len(p), e.limits.URL+64)]
	t := bytes.TrimLeft(p, " \t\r\n\f\x00")
	if rest, ok := bytes.CutPrefix(t, []byte("<<")); ok {
		if rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("/Base")); ok {
			v, n, ok := pdfString(bytes.TrimLeft(rest, " \t\r\n"))
			if ok {
				e.base = e.addBase(v, baseDocument)
			}
			return n
		}
		return 0
	}
	v, n, ok := pdfString(t)
	switch {
	case ok:
		e.link(kindPDFURI, v)
	case long && n >= len(t)-1 && n > 0:
		e.cut() // a string that does not end within what is read
	}
	return n
}

// pdfAction adds the file that an action near at names: the object around it is searched for /F and /UF. It gives the
// place where the search ended.
func (e *Extractor) pdfAction(p []byte, at int) int {
	from, to := max(0, at-256), min(len(p), at+512)
	if n := bytes.LastIndex(p[from:at], []byte("<<")); n >= 0 {
		from += n
	}
	if n := bytes.Index(p[at:to], []byte("endobj")); n >= 0 {
		to = at + n
	}
	region := p[from:to]
	for i, tries := 0, 0; tries < 4; {
		n := bytes.IndexByte(region[i:], 'F')
		if n < 0 {
			break
		}
		i += n + 1
		if i < 2 || region[i-2] != '/' && (region[i-2] != 'U' || i < 3 || region[i-3] != '/') {
			continue
		}
		tries++
		if v, _, ok := pdfString(bytes.TrimLeft(region[i:], " \t\r\n")); ok {
			v = bytes.ReplaceAll(v, []byte(`\`), []byte("/"))
			if absolute(v) || pathShape(v) {
				e.link(kindPDFFile, v)
				break
			}
		}
	}
	return to
}

// pdfString reads a literal or hexadecimal string at the start of p, and gives how far it read.
func pdfString(p []byte) (out []byte, n int, ok bool) {
	if len(p) == 0 {
		return nil, 0, false
	}
	switch p[0] {
	case '(':
		out, n, ok = pdfLiteral(p[1:])
	case '<':
		out, n, ok = pdfHex(p[1:])
	}
	if ok && len(out) > 2 && out[0] == 0xfe && out[1] == 0xff {
		units := make([]uint16, 0, len(out)/2)
		for i := 2; i+1 < len(out); i += 2 {
			units = append(units, uint16(out[i])<<8|uint16(out[i+1]))
		}
		out = []byte(string(utf16.Decode(units)))
	}
	return out, n, ok
}
