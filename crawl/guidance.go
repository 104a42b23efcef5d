package crawl

// Sight is what was found of one page of a guided crawl.
type Sight struct {
	Relevance  float64
	Similarity float64 // cosine with the words of the definition
	Keyword    bool    // it has a keyword or name of the definition
}

// Guidance is how relevant the pages of a guided crawl were.
type Guidance struct {
	Pages      int64   `json:"pages"`      // that were judged
	Relevant   int64   `json:"relevant"`   // of these, at or over the threshold
	Keyword    int64   `json:"keyword"`    // of these, with a keyword or name of the definition
	Relevance  float64 `json:"relevance"`  // sum over the pages
	Similarity float64 `json:"similarity"` // sum over the pages of the cosine with the words of the definition
	Highest    float64 `json:"highest"`    // similarity

	Threshold float64            `json:"threshold,omitempty"`
	Last      *Guidance          `json:"last,omitempty"`    // the newest pages alone
	Stop      bool               `json:"stop,omitempty"`    // the share of relevant pages has fallen below what the definition asks for
	Silent    map[string]string  `json:"silent,omitempty"`  // modules that lost their voice, and why
	Seconds   map[string]float64 `json:"seconds,omitempty"` // that modules have taken in this run
}

// Add counts a page.
func (g *Guidance) Add(s Sight, threshold float64) {
	g.Pages++
	if s.Relevance >= threshold {
		g.Relevant++
	}
	if s.Keyword {
		g.Keyword++
	}
	g.Relevance += s.Relevance
	g.Similarity += s.Similarity
	g.Highest = max(g.Highest, s.Similarity)
}

// Harvest returns the share of relevant pages.
func (g *Guidance) Harvest() float64 { return g.share(float64(g.Relevant)) }

// KeywordShare returns the share of pages with a keyword or name of the definition.
func (g *Guidance) KeywordShare() float64 { return g.share(float64(g.Keyword)) }

// MeanSimilarity returns the mean cosine with the words of the definition.
func (g *Guidance) MeanSimilarity() float64 { return g.share(g.Similarity) }

func (g *Guidance) share(of float64) float64 {
	if g.Pages == 0 {
		return 0
	}
	return of / float64(g.Pages)
}
