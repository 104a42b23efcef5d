package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layout puts pieces of text together by where they stand on the page.
//
// A piece on the line of the one before it follows after a blank if there is a gap; a piece on another line begins a
// new one. Lines at the distance of lines of a paragraph are put together, other ones are paragraphs of their own.
type layout struct {
	out   strings.Builder
	limit int
	full  bool

	any    bool
	x, y   float64 // where the last piece ends
	size   float64
	line   int // characters of the current line
	longer int // characters of the longest line of the page
}

// Distances in parts of the font size.
const (
	gapOfWords     = 0.17 // from here on a gap is a blank
	gapBack        = 1.5  // going back by more than this on the same line is another column
	sameLine       = 0.4  // up to here pieces are on one line: superscripts
	leading        = 1.7  // up to here lines are of one paragraph
	fullLine       = 0.7  // of the longest line: a shorter line that ends a sentence ends a paragraph
	shortParagraph = 25   // lines of fewer characters are not put together
)

// put adds a piece that begins at x, y; dx, dy is the direction of writing, size the font size.
func (l *layout) put(s string, x, y, dx, dy, size float64) {
	if s == "" || l.full {
		return
	}
	if l.out.Len()+len(s) > l.limit {
		l.full = true
		return
	}
	if l.any {
		l.between(x, y, dx, dy, max(size, l.size*0.5))
	}
	l.out.WriteString(s)
	l.line += utf8.RuneCountInString(s)
	l.any, l.size = true, size
}

// moved tells where the last piece ended.
func (l *layout) moved(x, y float64) { l.x, l.y = x, y }

// between writes what is between the last piece and one at x, y.
func (l *layout) between(x, y, dx, dy, size float64) {
	along := (x-l.x)*dx + (y-l.y)*dy
	across := math.Abs((x-l.x)*dy - (y-l.y)*dx)
	switch {
	case size <= 0 || math.IsNaN(along+across):
		l.blank()
	case across <= sameLine*size && along >= -gapBack*size:
		if along > gapOfWords*size {
			l.blank()
		}
	case across <= leading*size && across > sameLine*size && l.goesOn() && math.Abs(size-l.size) < 0.1*size:
		l.joinLine()
	default:
		l.newline()
	}
}

// goesOn tells whether the current line may go on in the next: it is not a word or two, and if it ends a sentence it is
// not much shorter than other lines.
func (l *layout) goesOn() bool {
	if l.line < shortParagraph {
		return false
	}
	s := strings.TrimRight(l.out.String(), " ")
	return !strings.ContainsAny(s[len(s)-1:], ".!?:") || float64(l.line) > fullLine*float64(l.longer)
}

func (l *layout) blank() {
	if s := l.out.String(); s != "" && !strings.HasSuffix(s, " ") && !strings.HasSuffix(s, "\n") {
		l.out.WriteByte(' ')
	}
}

func (l *layout) newline() {
	l.longer = max(l.longer, l.line)
	l.line = 0
	if s := l.out.String(); s != "" && !strings.HasSuffix(s, "\n") {
		l.out.WriteByte('\n')
	}
}

// joinLine goes on with the next line of a paragraph.
func (l *layout) joinLine() {
	l.longer = max(l.longer, l.line)
	l.line = 0
	l.blank()
}

// endPage begins a new page.
func (l *layout) endPage() {
	l.newline()
	l.any, l.longer = false, 0
}

// text gives all text: ligatures taken apart, words put together that were hyphenated at the end of a line.
func (l *layout) text() string {
	lines := strings.Split(ligatures.Replace(l.out.String()), "\n")
	for i, s := range lines {
		lines[i] = strings.TrimSpace(unhyphenate(s))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// unhyphenate removes the hyphen and the blank of "exam- ple", which is what joining lines leaves of "exam-" and "ple".
func unhyphenate(s string) string {
	if !strings.Contains(s, "- ") && !strings.Contains(s, "\u00ad") {
		return s
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\u00ad ", ""), "\u00ad", "")
	var b strings.Builder
	for {
		i := strings.Index(s, "- ")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+2:])
		b.WriteString(s[:i])
		if !unicode.IsLower(before) || !unicode.IsLower(after) {
			b.WriteString("- ")
		}
		s = s[i+2:]
	}
}
