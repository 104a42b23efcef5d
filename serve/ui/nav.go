package ui

import "varve/serve/access"

// navItem is a link of the top line.
type navItem struct {
	Section string // what a view names to be marked
	Label   string
	Href    string
	Key     string // pressed to go there
	Role    access.Role
	On      bool
}

// navigation is the top line. A new part of the archive adds its line here, and its screens in
// screens.go.
var navigation = []navItem{
	{Section: "pulse", Label: "Pulse", Href: "/", Key: "p", Role: access.Viewer},
	{Section: "collections", Label: "Collections", Href: "/collections", Key: "c", Role: access.Viewer},
	{Section: "search", Label: "Search", Href: "/search", Key: "s", Role: access.Viewer},
	{Section: "knowledge", Label: "Knowledge", Href: "/knowledge", Key: "q", Role: access.Viewer},
	{Section: "crawls", Label: "Crawls", Href: "/crawls", Key: "r", Role: access.Viewer},
	{Section: "media", Label: "Media", Href: "/media", Key: "m", Role: access.Curator},
	{Section: "tray", Label: "In-tray", Href: "/tray", Key: "t", Role: access.Curator},
	{Section: "access", Label: "Access", Href: "/access", Key: "a", Role: access.Curator},
}

// nav gives the links for a visitor, with the one of the present section marked.
func (u *UI) nav(who access.Visitor, section string) []navItem {
	var out []navItem
	for _, n := range navigation {
		if who.Can(n.Role) {
			n.On = n.Section == section
			out = append(out, n)
		}
	}
	return out
}
