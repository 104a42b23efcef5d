package spam

import "slices"

// Kind is a generator of hosts.
type Kind struct {
	Name  string
	Spam  bool
	About string

	weight int    // share among its label
	pages  [2]int // of a host, from and to
	write  func(p *page)
	group  [2]int // hosts that belong together; 0: each for itself
	shop   bool   // talks of goods
	late   bool   // may appear after the epoch
}

// kinds are the generators, normal ones first.
var kinds = []Kind{
	{Name: "news", About: "articles in sections, some advertisements", weight: 6, pages: [2]int{40, 140}, write: (*page).article},
	{Name: "adnews", About: "honest news that live on many advertisements", weight: 4, pages: [2]int{30, 90}, write: (*page).adArticle},
	{Name: "wire", About: "local papers that print the same agency stories", weight: 4, pages: [2]int{30, 80}, write: (*page).wireStory},
	{Name: "shop", About: "products, prices, lists of categories", weight: 7, pages: [2]int{40, 160}, write: (*page).product, shop: true},
	{Name: "classifieds", About: "small ads by the same form, with places and telephone numbers", weight: 4, pages: [2]int{30, 90}, write: (*page).smallAds, shop: true},
	{Name: "forum", About: "threads of short posts; some with spam among them", weight: 6, pages: [2]int{30, 120}, write: (*page).thread},
	{Name: "blog", About: "posts with comments; some with spam among them", weight: 8, pages: [2]int{15, 70}, write: (*page).post},
	{Name: "personal", About: "a few pages of one person", weight: 7, pages: [2]int{4, 25}, write: (*page).essay},
	{Name: "university", About: "long texts, lists of people and publications", weight: 5, pages: [2]int{40, 140}, write: (*page).lecture},
	{Name: "wiki", About: "entries that link each other in every line", weight: 4, pages: [2]int{50, 160}, write: (*page).entry},
	{Name: "glossary", About: "lists of words and what they mean", weight: 3, pages: [2]int{10, 60}, write: (*page).wordList},
	{Name: "directory", About: "honest lists of links with a line about each", weight: 4, pages: [2]int{15, 60}, write: (*page).listing},
	{Name: "thin", About: "a craftsman's few lines, address and hours", weight: 7, pages: [2]int{1, 6}, write: (*page).card},
	{Name: "moved", About: "a site that sends its readers to its new address", weight: 2, pages: [2]int{1, 8}, write: (*page).forwarding},

	{Name: "dense", Spam: true, About: "link farm: every page links many hosts of the farm", weight: 4, pages: [2]int{60, 260}, write: (*page).denseFarm, group: [2]int{8, 18}, late: true},
	{Name: "ring", Spam: true, About: "link farm: each host links the next ones and the target", weight: 4, pages: [2]int{40, 200}, write: (*page).ringFarm, group: [2]int{8, 20}, late: true},
	{Name: "star", Spam: true, About: "boosters with thin pages that all link one shop", weight: 4, pages: [2]int{30, 150}, write: (*page).booster, group: [2]int{8, 20}, late: true},
	{Name: "stuffed", Spam: true, About: "words for search engines, again and again, also hidden", weight: 4, pages: [2]int{60, 300}, write: (*page).stuffing, shop: true},
	{Name: "stitched", Spam: true, About: "pieces of sentences put together by machine, with links to sell", weight: 4, pages: [2]int{80, 300}, write: (*page).babble},
	{Name: "cloaked", Spam: true, About: "text for crawlers, a sales page for people", weight: 3, pages: [2]int{60, 240}, write: (*page).cloaked},
	{Name: "doorway", Spam: true, About: "pages that send the reader on, by script, hidden script or meta", weight: 3, pages: [2]int{60, 240}, write: (*page).doorway},
	{Name: "parked", Spam: true, About: "nothing but advertisements and a domain for sale", weight: 4, pages: [2]int{10, 60}, write: (*page).parking},
	{Name: "copied", Spam: true, About: "texts taken from normal hosts, links added", weight: 4, pages: [2]int{60, 240}, write: (*page).copied},
	{Name: "expired", Spam: true, About: "a personal or university site until its domain was sold", weight: 3, pages: [2]int{40, 160}, write: (*page).expired},
	{Name: "network", Spam: true, About: "blogs that read well and exist for one link in each post", weight: 3, pages: [2]int{20, 90}, write: (*page).ghost, group: [2]int{6, 12}},
}

// Kinds lists the generators, normal ones first.
func Kinds() []Kind { return slices.Clone(kinds) }

// KindOf gives the generator of a name.
func KindOf(name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}
