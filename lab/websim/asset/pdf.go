package asset

import (
	"fmt"
	"strings"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

// PDF appends a document of one page of text with one link, uncompressed, its cross references
// right. Text that is not ASCII is spelt in ASCII.
func PDF(dst []byte, lex *prose.Lexicon, name uint64, voice prose.Voice, size int, link string) []byte {
	return document(dst, pdfText(lex, name, voice, size-900), link)
}

// Paper appends such a document of lines that somebody wrote. What does not fit on the sheet is not drawn on it, but is there to be read.
func Paper(dst []byte, lines []string, link string) []byte {
	b := []byte("BT /F1 9 Tf 50 800 Td 11 TL\n")
	for _, l := range lines {
		b = append(prose.ASCII(append(b, '('), pdfEscape.Replace(l)), ") Tj T*\n"...)
	}
	return document(dst, append(b, "ET"...), link)
}

var pdfEscape = strings.NewReplacer("\\", "\\\\", "(", "\\(", ")", "\\)")

// document appends a document with a content stream and a link.
func document(dst, text []byte, link string) []byte {
	start := len(dst)
	var offsets []int
	object := func(body []byte) {
		offsets = append(offsets, len(dst)-start)
		dst = fmt.Appendf(dst, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	dst = append(dst, "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"...)
	object([]byte("<< /Type /Catalog /Pages 2 0 R >>"))
	object([]byte("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"))
	object([]byte("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>"))
	object(fmt.Appendf(nil, "<< /Length %d >>\nstream\n%s\nendstream", len(text), text))
	object([]byte("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"))
	object(fmt.Appendf(nil, "<< /Type /Annot /Subtype /Link /Rect [50 20 300 40] /A << /S /URI /URI (%s) >> >>", link))
	xref := len(dst) - start
	dst = fmt.Appendf(dst, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		dst = fmt.Appendf(dst, "%010d 00000 n \n", o)
	}
	return fmt.Appendf(dst, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, xref)
}

// pdfText is the content stream: one line of text after the other.
func pdfText(lex *prose.Lexicon, name uint64, voice prose.Voice, size int) []byte {
	b := []byte("BT /F1 9 Tf 50 800 Td 11 TL\n")
	var line []byte
	for i := uint64(0); i == 0 || len(b) < size; i++ {
		line = lex.Sentence(line[:0], dice.Mix(name, i), voice)
		b = append(prose.ASCII(append(b, '('), string(line)), ") Tj T*\n"...)
	}
	return append(b, "ET"...)
}
