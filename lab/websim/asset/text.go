package asset

import (
	"fmt"
	"strconv"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

// CSS appends a style sheet. Where image is not empty, one rule refers to it.
func CSS(dst []byte, lex *prose.Lexicon, name uint64, size int, image string) []byte {
	end := len(dst) + size
	dst = append(dst, "body { margin: 0; font: 16px/1.5 sans-serif; }\n"...)
	if image != "" {
		dst = fmt.Appendf(dst, ".masthead { background: url(%q) no-repeat; }\n", image)
	}
	for i := uint64(0); i == 0 || len(dst) < end; i++ {
		h := dice.Mix(name, i)
		dst = lex.Slug(append(dst, '.'), h, prose.Voice{})
		dst = fmt.Appendf(dst, " { color: #%06x; padding: %dpx %dpx; border-width: %dpx; }\n", h&0xffffff, h>>24&31, h>>29&31, h>>34&3)
	}
	return dst
}

// JS appends a script that does nothing when it runs.
func JS(dst []byte, lex *prose.Lexicon, name uint64, size int) []byte {
	end := len(dst) + size
	dst = append(dst, "\"use strict\";\nconst strings = {};\n"...)
	for i := uint64(0); i == 0 || len(dst) < end; i++ {
		dst = append(dst, "strings["...)
		dst = strconv.AppendQuote(dst, string(lex.Slug(nil, dice.Mix(name, i), prose.Voice{})))
		dst = append(dst, "] = "...)
		dst = strconv.AppendQuote(dst, string(lex.Sentence(nil, dice.Mix(name, i, 1), prose.Voice{})))
		dst = append(dst, ";\n"...)
	}
	return dst
}

// JSON appends an object with a list of items; the first has the link.
func JSON(dst []byte, lex *prose.Lexicon, name uint64, voice prose.Voice, size int, link string) []byte {
	end := len(dst) + size
	dst = fmt.Appendf(dst, "{\"items\":[\n{\"id\":0,\"url\":%q}", link)
	for i := uint64(1); i == 1 || len(dst) < end; i++ {
		dst = fmt.Appendf(dst, ",\n{\"id\":%d,\"score\":%d,\"text\":", i, dice.Mix(name, i)%1000)
		dst = append(strconv.AppendQuote(dst, string(lex.Sentence(nil, dice.Mix(name, i, 1), voice))), '}')
	}
	return append(dst, "\n]}\n"...)
}

// Text appends plain lines.
func Text(dst []byte, lex *prose.Lexicon, name uint64, voice prose.Voice, size int) []byte {
	end := len(dst) + size
	for i := uint64(0); i == 0 || len(dst) < end; i++ {
		dst = append(lex.Sentence(dst, dice.Mix(name, i), voice), '\n')
	}
	return dst
}

// SVG appends a drawing of circles.
func SVG(dst []byte, name uint64, size int) []byte {
	end := len(dst) + size - 7
	dst = append(dst, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256">`+"\n"...)
	for i := uint64(0); i == 0 || len(dst) < end; i++ {
		h := dice.Mix(name, i)
		dst = fmt.Appendf(dst, `<circle cx="%d" cy="%d" r="%d" fill="#%06x"/>`+"\n", h&255, h>>8&255, 1+h>>16&31, h>>24&0xffffff)
	}
	return append(dst, "</svg>\n"...)
}

// XML appends a document of records.
func XML(dst []byte, lex *prose.Lexicon, name uint64, voice prose.Voice, size int, link string) []byte {
	end := len(dst) + size - 11
	dst = fmt.Appendf(dst, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<records>\n<source>%s</source>\n", link)
	for i := uint64(0); i == 0 || len(dst) < end; i++ {
		dst = fmt.Appendf(dst, "<record id=\"%d\">", i)
		dst = append(lex.Sentence(dst, dice.Mix(name, i), voice), "</record>\n"...)
	}
	return append(dst, "</records>\n"...)
}
