package crawl

// MostLinks returns the most links that waited for their commit at a time.
func MostLinks(r *Run) int {
	r.heavy.mu.Lock()
	defer r.heavy.mu.Unlock()
	return r.heavy.most
}
