package derive_test

import (
	"testing"
	"time"

	"varve/derive"
)

// The day of publication is as the page writes it, and apart from the last change.
func TestPublished(t *testing.T) {
	at := time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)
	page := `<html><head><meta property="article:published_time" content="2024-03-05T23:30:00-05:00"><meta property="article:modified_time" content="2024-03-09T10:00:00Z"></head><body><p>text</body></html>`
	row, err := derive.ReadPage(t.Context(), derive.Options{}, "https://example.org/a", "text/html", at, []byte(page))
	if err != nil {
		t.Fatal(err)
	}
	if row.Published != "2024-03-05" || row.PublishedSource != "meta" || row.PublishedConfidence < 0.5 || row.Dated.Format(time.DateOnly) != "2024-03-09" {
		t.Errorf("published %s (%s, %.2f), changed %v", row.Published, row.PublishedSource, row.PublishedConfidence, row.Dated)
	}
	if row, err = derive.ReadPage(t.Context(), derive.Options{}, "https://example.org/2024/03/05/a.txt", "text/plain", at, []byte("text")); err != nil || row.Published != "" {
		t.Error(row.Published, err)
	}
}
