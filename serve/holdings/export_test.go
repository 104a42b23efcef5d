package holdings

import "varve/archive/catalog"

// HoldUp makes the holdings call wait before they read a crawl.
func HoldUp(h *Holdings, wait func()) {
	read := h.readCrawl
	h.readCrawl = func(c *catalog.Collection, id string) (*Crawl, error) {
		wait()
		return read(c, id)
	}
}
