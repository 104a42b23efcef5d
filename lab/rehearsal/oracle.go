package rehearsal

import (
	"varve/coherence/changerate"
	"varve/crawl/plan"
	"varve/lab/websim"
	"varve/lab/websim/truth"
	"varve/web/canon"
)

// Oracle knows the true change rates of a simulated web.
type Oracle struct {
	Web   *websim.Web
	Layer truth.Layer
}

var _ plan.Rates = Oracle{}

// Rate gives the true rate of a page; of what is no page it is not known.
func (o Oracle) Rate(k plan.Known) changerate.Rate {
	id, ok := o.page(k.URL)
	if !ok {
		return changerate.Rate{}
	}
	r := o.Web.Rate(id, o.Layer) / 3600
	return changerate.Rate{Value: r, Low: r, High: r, Source: changerate.FromOracle, Confidence: 1}
}

func (o Oracle) page(url string) (websim.PageID, bool) {
	u, err := canon.Parse(url)
	if err != nil {
		return 0, false
	}
	return o.Web.Lookup(u.Host(), u.Target())
}
