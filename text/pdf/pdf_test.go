package pdf_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"varve/lab/attack"
	"varve/text/pdf"
)

// Files made by other programs from one page of ours; testdata/README.md tells how.
func TestFilesOfOthers(t *testing.T) {
	for _, file := range []string{"chromium.pdf", "chromium-aes256.pdf", "chromium-rc4.pdf", "libreoffice.pdf"} {
		body, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := pdf.Read(body, pdf.Limits{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, want := range []string{
			"Tides and winds\n",
			"The tide table of the harbour is printed twice a year, and the old fishermen still mark the spring tides in red ink. In the summer months the lower jetty falls dry for about two hours, which gives the children time to look for crabs.\n",
			"Größe, naïve façade, smørrebrød, žluťoučký kůň, Ελληνικά, русский текст. First office: fluffy waffles.\n",
			"High 12:30\nLow 18:45",
		} {
			if !strings.Contains(d.Text, want) {
				t.Errorf("%s: %q is missing in %q", file, want, d.Text)
			}
		}
		if d.Pages != 1 || d.Truncated || !strings.Contains(d.Title, "ides") && file != "libreoffice.pdf" {
			t.Errorf("%s: %+v", file, d)
		}
	}
	body, err := os.ReadFile("testdata/password.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pdf.Read(body, pdf.Limits{}); !errors.Is(err, pdf.ErrEncrypted) {
		t.Errorf("password: %v", err)
	}
}

// made writes a file of objects; each is the text between "obj" and "endobj".
func made(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer\n<< /Root 1 0 R >>\n")
	return b.Bytes()
}

func streamOf(head, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", head, len(data), data)
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// document is a file of one page with the given content, and a font whose dictionary is given.
func document(content, font string, more ...string) []byte {
	return made(append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>", content, font,
	}, more...)...)
}

const plainFont = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

func TestContent(t *testing.T) {
	body := "BT /F 10 Tf 50 700 Td (Hello) Tj ET"
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"plain":           {document(streamOf("", body), plainFont), "Hello"},
		"deflated":        {document(streamOf("/Filter /FlateDecode", deflated(body)), plainFont), "Hello"},
		"hex in 85":       {document(streamOf("/Filter [/ASCIIHexDecode]", fmt.Sprintf("%x>", body)), plainFont), "Hello"},
		"run lengths":     {document(streamOf("/Filter /RunLengthDecode", string(rune(len(body)-1))+body+"\x80"), plainFont), "Hello"},
		"wrong length":    {document(strings.Replace(streamOf("", body), fmt.Sprint(len(body)), "7", 1), plainFont), "Hello"},
		"escapes":         {document(streamOf("", `BT /F 9 Tf (a\(b\)\\ \101) Tj <4243 4> Tj ET`), plainFont), `a(b)\ ABC@`},
		"gaps are blanks": {document(streamOf("", "BT /F 10 Tf [(one)-600(two)-20(three)] TJ ET"), plainFont), "one twothree"},
		"lines":           {document(streamOf("", "BT /F 10 Tf 14 TL (one) Tj T* (two) Tj 0 -50 Td (three) Tj ET"), plainFont), "one\ntwo\nthree"},
		"paragraph":       {document(streamOf("", "BT /F 10 Tf 12 TL (a line that is long enough to go on with a hyphen-) Tj T* (ated word in it) Tj ET"), plainFont), "a line that is long enough to go on with a hyphenated word in it"},
		"winansi":         {document(streamOf("", "BT /F 9 Tf (\xfc\x80) Tj ET"), "<< /Subtype /Type1 /Encoding /WinAnsiEncoding >>"), "ü€"},
		"differences":     {document(streamOf("", "BT /F 9 Tf (\x01\x02\x03\x04\x05) Tj ET"), "<< /Subtype /Type1 /Encoding << /Differences [1 /fi /adieresis 3 /uni20AC /afii10071 /f_l] >> >>"), "fiä€ёfl"},
		"tounicode": {document(streamOf("", "BT /F 9 Tf <000100020005> Tj ET"), "<< /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R >>",
			streamOf("", "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <00480065> endbfchar 1 beginbfrange <0002> <0004> <0079> <0005> <0006> [<D83DDE00> <0042>] endbfrange")), "Hey😀"},
		"asian codes":  {document(streamOf("", "BT /F 9 Tf <82a082a2> Tj ET"), "<< /Subtype /Type0 /Encoding /90ms-RKSJ-H >>"), "あい"},
		"utf-16":       {document(streamOf("", "BT /F 9 Tf <4eba> Tj ET"), "<< /Subtype /Type0 /Encoding /UniGB-UCS2-H >>"), "人"},
		"form":         {document(streamOf("", "q 1 0 0 1 0 0 cm /X Do Q"), plainFont, streamOf("/Subtype /Form /Resources << /Font << /F 5 0 R >> >>", body)), "Hello"},
		"inline image": {document(streamOf("", "BI /W 1 /H 1 ID \x00(\xff) EI "+body), plainFont), "Hello"},
		"new version":  {append(document(streamOf("", body), plainFont), "4 0 obj\n"+streamOf("", "BT /F 9 Tf (Bye) Tj ET")+"\nendobj\n"...), "Bye"},
		"object stream": {made("<< /Type /Catalog /Pages 2 0 R >>", streamOf("/Type /ObjStm /N 3 /First 15 /Filter /FlateDecode", deflated("2 0 3 40 5 100 "+
			fmt.Sprintf("%-40s%-60s%s", "<< /Type /Pages /Kids [3 0 R] >>", "<< /Type /Page /Contents 4 0 R /Resources 5 0 R >>", "<< /Font << /F 6 0 R >> >>"))),
			"null", streamOf("", body), "null", plainFont), "Hello"},
		"no tree": {made("<< /Type /Page /Contents 2 0 R /Resources << /Font << /F 3 0 R >> >> >>", streamOf("", body), plainFont), "Hello"},
	} {
		if name == "object stream" { // the objects inside must not be shadowed by the empty ones after it
			c.file = bytes.ReplaceAll(bytes.ReplaceAll(c.file, []byte("3 0 obj\nnull\nendobj\n"), nil), []byte("5 0 obj\nnull\nendobj\n"), nil)
			c.file = bytes.Replace(c.file, []byte("2 0 obj\n"), []byte("7 0 obj\n"), 1)
		}
		d, err := pdf.Read(c.file, pdf.Limits{})
		if err != nil || d.Text != c.want {
			t.Errorf("%s: %q %v, want %q", name, d.Text, err, c.want)
		}
	}
}

// Files that are made to cost much, or to run in circles, end.
func TestHostile(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	body := "BT /F 10 Tf (Hello) Tj ET "
	bomb := document(streamOf("/Filter [/FlateDecode /FlateDecode]", deflated(deflated(strings.Repeat(body, 1_000_000)))), plainFont)
	if d, err := pdf.Read(bomb, pdf.Limits{Unpacked: 1 << 20}); err != nil || !d.Truncated {
		t.Errorf("bomb: %v, truncated %v", err, d.Truncated)
	}
	many := document(streamOf("/Filter /FlateDecode", deflated(strings.Repeat(body, 200_000))), plainFont)
	for name, l := range map[string]pdf.Limits{"text": {Text: 1000}, "operators": {Operators: 1000}} {
		tally.Try(1)
		if d, err := pdf.Read(many, l); err != nil || !d.Truncated || len(d.Text) > 2000 {
			t.Errorf("%s: %v, %d bytes, truncated %v", name, err, len(d.Text), d.Truncated)
		}
	}
	for name, file := range map[string][]byte{
		"tree in a circle":    made("<< /Type /Catalog /Pages 2 0 R >>", "<< /Kids [2 0 R 2 0 R] >>"),
		"form in itself":      document(streamOf("", "/X Do"), plainFont, streamOf("/Subtype /Form /Resources << /XObject << /X 6 0 R >> >>", "/X Do /X Do")),
		"object is itself":    made("1 0 R", "<< /Type /Catalog /Pages 1 0 R >>"),
		"length is itself":    made("<< /Type /Catalog /Pages 2 0 R >>", "<< /Length 2 0 R >>\nstream\nx\nendstream"),
		"nested arrays":       made(strings.Repeat("[", 100_000)),
		"nested dictionaries": made(strings.Repeat("<</a", 100_000)),
		"nothing":             []byte("%PDF-1.4"),
	} {
		tally.Try(1)
		if d, err := pdf.Read(file, pdf.Limits{}); err == nil && d.Text != "" {
			t.Errorf("%s: %q", name, d.Text)
		}
	}
	if _, err := pdf.Read([]byte("hello"), pdf.Limits{}); !errors.Is(err, pdf.ErrNotPDF) {
		t.Errorf("no PDF: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(document(streamOf("/Filter /FlateDecode", deflated("BT /F 10 Tf [(one)-600(two)] TJ T* (x) ' ET /X Do")), plainFont, streamOf("/Subtype /Form", "q Q")))
	f.Add(document(streamOf("/Filter /LZWDecode", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01"), "<< /Subtype /Type0 /ToUnicode 4 0 R >>"))
	f.Add(made("<< /Type /XRef /Encrypt << /Filter /Standard /V 5 /R 6 /U (x) >> >>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := pdf.Read(body, pdf.Limits{Objects: 1000, Pages: 50, Unpacked: 1 << 20, Operators: 20_000, Text: 1 << 16})
		if err == nil && strings.ToValidUTF8(d.Text, "") != d.Text {
			t.Fatalf("%q", d.Text)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	body, err := os.ReadFile("testdata/libreoffice.pdf")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := pdf.Read(body, pdf.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
