package websim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// placeFiles gives the files of an archive to their sites, which are made where they are missing. It
// is linear in the number of files but for sorting.
func (s *Spec) placeFiles() error {
	byHost := map[string]int{}
	for i := range s.Sites {
		byHost[s.Sites[i].Host] = i
	}
	pages := map[int]map[string]int{} // of sites that got a file: where each path is in Site.Page
	for _, f := range s.files {
		i, ok := byHost[strings.ToLower(f.host)]
		if !ok {
			if i = len(s.Sites); i >= maxSites {
				return fmt.Errorf("more than %d sites", maxSites)
			}
			byHost[strings.ToLower(f.host)] = i
			s.Sites = append(s.Sites, fileSite(f.host))
		}
		if pages[i] == nil {
			pages[i] = s.Sites[i].ownPages()
		}
		s.Sites[i].place(f, pages[i])
	}
	for i := range pages {
		for k := range s.Sites[i].Page {
			slices.SortStableFunc(s.Sites[i].Page[k].data, func(a, b version) int { return cmp.Compare(a.from, b.from) })
		}
	}
	s.files = nil
	return nil
}

// fileSite is a site that consists of files only.
func fileSite(host string) Site {
	t := Site{Host: strings.ToLower(host), Addr: "127.0.0.1"}
	t.defaults()
	t.Pages = 0
	return t
}

// ownPages makes the list of pages the site's own, since sites of one description share it, and
// says where each path is.
func (t *Site) ownPages() map[string]int {
	t.Page = slices.Clone(t.Page)
	where := make(map[string]int, len(t.Page))
	for k := range t.Page {
		where[t.Page[k].Path] = k
	}
	return where
}

func (t *Site) place(f file, where map[string]int) {
	k, ok := where[f.path]
	if !ok {
		k = len(t.Page)
		where[f.path] = k
		t.Page = append(t.Page, Fixed{Path: f.path, Type: typeOf(f.path).String()})
	}
	t.Page[k].data = append(t.Page[k].data, version{from: f.from.ms(), data: f.data})
}
