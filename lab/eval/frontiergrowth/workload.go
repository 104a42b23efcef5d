package frontiergrowth

import (
	"fmt"
	"math"

	"varve/crawl/frontier"
)

// workload is a made-up web, computed from numbers: URL i is always the same, so nothing of it
// has to be kept in memory.
//
// Hosts are as unequal as real ones: host number floor(hosts * u^3) for a uniform u, so the
// largest one percent of the hosts has a fifth of the URLs. Pages have 80 links, of which the
// first 60 go to the host of the page.
type workload struct{ hosts uint64 }

const linksPerPage = 80

// mix spreads a number over 64 bits (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (w workload) hostOf(i uint64) uint64 {
	page := i / linksPerPage
	h := mix(page)
	if i%linksPerPage >= 60 {
		h = mix(i)
	}
	u := float64(h>>11) / (1 << 53)
	return uint64(float64(w.hosts) * u * u * u)
}

var sections = [...]string{"news", "politics/2026", "sport/football", "culture", "archive/1998/11", "en/articles", "shop/products", "blog"}

// item makes URL i.
func (w workload) item(i uint64) frontier.Item {
	h, r := w.hostOf(i), mix(i^0x5bd1e995)
	host := fmt.Sprintf("https://www.site-%d.example:443", h)
	key := fmt.Sprintf("https://www.site-%d.example/%s/story-%x-%d.html", h, sections[r%uint64(len(sections))], r>>40, i)
	return frontier.Item{
		Key: key, Host: host, Domain: fmt.Sprintf("site-%d.example", h),
		Via:     fmt.Sprintf("https://www.site-%d.example/index-%d.html", h, i/linksPerPage),
		HopPath: "LLLLLL"[:1+r%6], Depth: int(1 + r%6), Band: 1, Score: w.score(i, 0),
	}
}

// score is the score of URL i at its n-th finding, in hundredths.
func (w workload) score(i, n uint64) float64 {
	u := float64(mix(i*31+n)>>11) / (1 << 53)
	return math.Round(u*100) / 100
}
