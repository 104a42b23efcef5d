package route

import (
	"strings"

	"varve/crawl/collect"
	"varve/web/canon"
)

func isScript(mime string) bool {
	return strings.HasSuffix(mime, "javascript") || strings.HasSuffix(mime, "ecmascript")
}

// maxFiles bounds the script files whose signs are remembered.
const maxFiles = 5000

// noteScript remembers the signs of a script file, for the pages that load it.
func (r *Router) noteScript(e *collect.Evidence) {
	if r.mode != Auto || e.Status != 200 {
		return
	}
	s := fileSigns(ScriptSigns(e.Content))
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.scripts) < maxFiles {
		r.scripts[e.URL] = s
	}
}

// fileSigns are the signs of the script files that a page loads.
func (r *Router) fileSigns(files []string) (out Sign) {
	if len(files) == 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.scripts) == 0 {
		return 0
	}
	for _, s := range files {
		out |= r.scripts[s]
	}
	return out
}

// maxLook bounds the script files that are looked at for one page.
const maxLook = 8

// unknown lists the script files of a page that have not been seen: what they do says more than the page
// that loads them. They are parts of the page and fetched anyway.
func (r *Router) unknown(e *collect.Evidence, files []string) (out []string) {
	if e.Again || len(files) == 0 || !r.have[Browser] {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range files {
		if _, known := r.scripts[s]; known || r.looked[s] || len(out) == maxLook || len(r.looked) >= maxFiles {
			continue
		}
		r.looked[s] = true
		out = append(out, s)
	}
	return out
}

// knows tells whether all script files of a page have been seen.
func (r *Router) knows(files []string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range files {
		if _, known := r.scripts[s]; !known {
			return false
		}
	}
	return true
}

// addresses gives the URLs of script files, as they are written in a page.
func addresses(pageURL string, files []string) []string {
	if len(files) == 0 {
		return nil
	}
	base, err := canon.Parse(pageURL)
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(files))
	for _, f := range files {
		if u, err := base.Resolve(f); err == nil && u.IsHTTP() {
			out = append(out, u.WithoutFragment().String())
		}
	}
	return out
}
