package reranking

import (
	"errors"
	"fmt"
)

// Config describes the web and the crawls. Zero fields take the defaults.
type Config struct {
	Seed      uint64 `json:"seed"`
	Pages     int    `json:"pages"`     // of the web; 40,000
	Hosts     int    `json:"hosts"`     // 1,000
	Topics    int    `json:"topics"`    // 8
	Subtopics int    `json:"subtopics"` // of each topic; 300
	Links     int    `json:"links"`     // mean outlinks of a page; 14

	// Navigation is the share of the links inside a host that lead to its service pages (start, contact, login), which
	// are about nothing; 0.6, negative for none.
	Navigation float64 `json:"navigation"`

	Crawl   int     `json:"crawl"`   // pages of a crawl; 3,000
	Tried   int     `json:"tried"`   // topics that are crawled; 3
	Samples int     `json:"samples"` // samples of seeds for each; 3
	Seeds   int     `json:"seeds"`   // pages in a sample; 20
	Batch   int     `json:"batch"`   // pages of a batch; 100
	Over    float64 `json:"over"`    // a page counts as harvest when its cosine is greater; 0.333
}

func (c Config) withDefaults() Config {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&c.Pages, 40_000},
		{&c.Hosts, 1_000},
		{&c.Topics, 8},
		{&c.Subtopics, 300},
		{&c.Links, 14},
		{&c.Crawl, 3_000},
		{&c.Tried, 3},
		{&c.Samples, 3},
		{&c.Seeds, 20},
		{&c.Batch, 100},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	if c.Over == 0 {
		c.Over = 0.333
	}
	if c.Navigation == 0 {
		c.Navigation = 0.6
	}
	return c
}

// check refuses what cannot be run.
func (c Config) check() error {
	switch {
	case c.Pages < 100 || c.Pages > 2_000_000:
		return fmt.Errorf("%d pages: there must be 100 to 2,000,000", c.Pages)
	case c.Hosts < 1 || c.Hosts > c.Pages:
		return fmt.Errorf("%d hosts for %d pages", c.Hosts, c.Pages)
	case c.Topics < 1 || c.Subtopics < 1 || c.Topics*c.Subtopics > c.Pages/10:
		return fmt.Errorf("%d topics with %d subtopics are too many for %d pages", c.Topics, c.Subtopics, c.Pages)
	case c.Tried < 1 || c.Tried > c.Topics:
		return fmt.Errorf("%d of %d topics cannot be tried", c.Tried, c.Topics)
	case c.Links < 1 || c.Links > 200:
		return fmt.Errorf("%d links: there must be 1 to 200", c.Links)
	case c.Crawl < 1 || c.Samples < 1 || c.Seeds < 1 || c.Batch < 1:
		return errors.New("pages of a crawl, samples, seeds and batch must be positive")
	}
	return nil
}
