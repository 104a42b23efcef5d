package tool

import "strings"

// rawHeader is a record header that is edited line by line, so that all other lines stay byte
// for byte what they were.
type rawHeader struct {
	lines []string // with their line ends; the blank line is the last
	eol   string   // the line end in use
}

func parseRaw(raw string) *rawHeader {
	h := &rawHeader{lines: strings.SplitAfter(raw, "\n"), eol: "\r\n"}
	if n := len(h.lines); n > 0 && h.lines[n-1] == "" {
		h.lines = h.lines[:n-1]
	}
	if len(h.lines) > 0 && !strings.HasSuffix(h.lines[0], "\r\n") {
		h.eol = "\n"
	}
	return h
}

// String gives the header as text.
func (h *rawHeader) String() string { return strings.Join(h.lines, "") }

// del removes a field with its folded lines.
func (h *rawHeader) del(name string) {
	kept := h.lines[:0]
	inField := false
	for _, line := range h.lines {
		folded := line[0] == ' ' || line[0] == '\t'
		if !folded {
			inField = isField(line, name)
		}
		if !inField {
			kept = append(kept, line)
		}
	}
	h.lines = kept
}

// set replaces the value of the first field of that name, or adds the field at the end.
func (h *rawHeader) set(name, value string) {
	for i, line := range h.lines {
		if isField(line, name) {
			kept := line[:strings.IndexByte(line, ':')] // the name as it was written
			rest := h.lines[i+1:]
			for len(rest) > 0 && (rest[0][0] == ' ' || rest[0][0] == '\t') {
				rest = rest[1:]
			}
			h.lines = append(append(h.lines[:i:i], kept+": "+value+h.eol), rest...)
			return
		}
	}
	h.add(name, value)
}

// add puts a field before the blank line.
func (h *rawHeader) add(name, value string) {
	end := len(h.lines)
	if end > 0 && strings.Trim(h.lines[end-1], "\r\n") == "" {
		end--
	}
	rest := append([]string(nil), h.lines[end:]...)
	if len(rest) == 0 {
		rest = []string{h.eol}
	}
	h.lines = append(append(h.lines[:end:end], name+": "+value+h.eol), rest...)
}

func isField(line, name string) bool {
	got, _, ok := strings.Cut(line, ":")
	return ok && strings.EqualFold(strings.TrimRight(got, " \t"), name)
}
