package search

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"varve/index/fulltext"
)

// exportPage is how many hits are asked for at once.
const exportPage = 1000

// MaxExport bounds the hits of one export.
const MaxExport = 1_000_000

// Each calls fn for all hits of a query that may be seen, up to most, in the order of the query. Its limit,
// cursor, facets and groups do not count.
func Each(ctx context.Context, t Texts, collection string, q fulltext.Query, most int, fn func(*fulltext.Hit) error) (n int, err error) {
	q.Limit, q.Cursor, q.Group, q.Facets, q.Trend = exportPage, "", false, nil, fulltext.NoTrend
	for {
		a, err := Ask(ctx, t, collection, q)
		if err != nil {
			return n, err
		}
		for i := range a.Hits {
			if n == most {
				return n, nil
			}
			if err := fn(&a.Hits[i]); err != nil {
				return n, err
			}
			n++
		}
		if a.Cursor == "" {
			return n, nil
		}
		q.Cursor = a.Cursor
	}
}

// Formats are the formats of WriteHits, with their media types.
var Formats = map[string]string{"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}

// ErrFormat tells that a format is not known.
var ErrFormat = errors.New("the format is neither csv nor jsonl")

// columnNames head a table of hits.
var columnNames = []string{"collection", "url", "title", "from", "last", "until", "captures", "host", "mime", "lang", "inlinks", "date", "score", "file", "offset", "snippet"}

// WriteHits writes all hits of a query as a table (csv) or as one JSON object a line (jsonl).
func WriteHits(ctx context.Context, w io.Writer, format string, t Texts, collection string, q fulltext.Query, most int) (int, error) {
	switch format {
	case "jsonl":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return Each(ctx, t, collection, q, most, func(h *fulltext.Hit) error { return enc.Encode(h) })
	case "csv":
		table := csv.NewWriter(w)
		if err := table.Write(columnNames); err != nil {
			return 0, err
		}
		n, err := Each(ctx, t, collection, q, most, func(h *fulltext.Hit) error { return table.Write(row(h)) })
		if err != nil && n == 0 {
			return 0, err // who asked gets the error, not the head of a table
		}
		table.Flush()
		return n, errors.Join(err, table.Error())
	}
	return 0, ErrFormat
}

func row(h *fulltext.Hit) []string {
	return []string{
		h.Collection, h.URL, cell(h.Title), stamp(h.From), stamp(h.Last), stamp(h.Until), strconv.Itoa(h.Captures), h.Host, cell(h.MIME), h.Language, strconv.Itoa(h.Inlinks),
		stamp(h.Date), strconv.FormatFloat(h.Score, 'g', 6, 64), h.File, strconv.FormatInt(h.Offset, 10), cell(snippetText(h)),
	}
}

// cell keeps a text of the web from being a formula in a spreadsheet.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func snippetText(h *fulltext.Hit) string {
	var b strings.Builder
	for _, p := range h.Snippet {
		b.WriteString(p.Text)
	}
	return b.String()
}
