package holdings

import (
	"iter"
	"strings"
	"time"

	"varve/version"
)

// HeldPage is a URL with a summary of its captures.
type HeldPage struct {
	Key      string    `json:"urlkey"`
	URL      string    `json:"url"`
	MIME     string    `json:"mime"`
	Status   int       `json:"status"` // of the last capture that was an answer of its own: "not modified" says nothing of the page
	Captures int       `json:"captures"`
	Versions int       `json:"versions"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// IsPage tells whether a MIME type is that of something people read as a page.
func IsPage(mime string) bool {
	return strings.HasPrefix(mime, "text/html") || strings.HasPrefix(mime, "application/xhtml")
}

// Pages groups captures, sorted by key and time, by key. Only those that keep gives true for are
// counted; nil keeps all. It stops after limit pages and gives the key of the last one as a cursor,
// which is empty at the end.
func Pages(captures iter.Seq2[IndexedCapture, error], keep func(*HeldPage) bool, limit int) (pages []HeldPage, cursor string, err error) {
	var now HeldPage
	var fold version.Fold
	flush := func() bool {
		if now.Key == "" {
			return true
		}
		if keep == nil || keep(&now) {
			if len(pages) == limit {
				cursor = pages[len(pages)-1].Key
				return false
			}
			pages = append(pages, now)
		}
		return true
	}
	for c, err := range captures {
		if err != nil {
			return pages, "", err
		}
		if c.Key != now.Key {
			if !flush() {
				return pages, cursor, nil
			}
			now, fold = HeldPage{Key: c.Key, First: c.Time}, version.Fold{}
		}
		now.add(&fold, c)
	}
	flush()
	return pages, cursor, nil
}

func (p *HeldPage) add(fold *version.Fold, c IndexedCapture) {
	p.URL, p.Last = c.URL, c.Time
	if c.NotModified == "" || p.Status == 0 {
		p.Status = c.Status
	}
	if !c.Revisit || p.MIME == "" {
		p.MIME = c.MIME
	}
	p.Captures++
	if fold.Next(c.Sight()) == version.Begin {
		p.Versions++
	}
}
