package graph

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// xmlWriter writes XML piece by piece; the first error stays.
type xmlWriter struct {
	w   *bufio.Writer
	err error
}

func (x *xmlWriter) printf(format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, format, args...)
	}
}

func (x *xmlWriter) flush() error {
	if x.err != nil {
		return x.err
	}
	return x.w.Flush()
}

// esc makes any text fit for XML. What XML cannot hold is replaced.
func esc(s string) string {
	var b strings.Builder
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a strings.Builder does not fail
	}
	return b.String()
}

// Diameter is how large a node is drawn: its area grows with the number of coherent pages below it.
func Diameter(coherent int32) float64 {
	return 6 + 2*math.Sqrt(float64(max(coherent, 0)))
}

func num(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// stamp writes an instant, or nothing.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// rgb cuts a colour into its parts.
func rgb(colour string) (r, g, b int64) {
	n, _ := strconv.ParseInt(strings.TrimPrefix(colour, "#"), 16, 32) // ours are well formed
	return n >> 16, n >> 8 & 0xff, n & 0xff
}

// colour is the colour of a node: that of its state; hosts and the root are neutral.
func (n *Node) colour() string {
	if n.Kind == KindPage {
		return Colour(n.State)
	}
	return "#6b6f76"
}
