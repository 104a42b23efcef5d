package serve

import (
	"net/http"
	"net/url"
	"time"

	"varve/archive/cdxj"
	"varve/serve/access"
	"varve/serve/search"
)

// textSearch answers as the full-text API of Arquivo.pt does; without a collection, of all of them.
func (p *parts) textSearch() http.Handler {
	return &search.Arquivo{
		Texts: p.texts, Base: p.url,
		May: func(r *http.Request) bool { return access.From(r.Context()).Can(access.Viewer) },
		Replay: func(collection, target, modifier string, at time.Time) string {
			return p.replayURL + "/" + url.PathEscape(collection) + "/" + cdxj.Timestamp(at) + modifier + "/" + target
		},
	}
}
