package ui

import (
	"net/url"

	"varve/serve/access"
)

// cockpit lists the page actions about planning, running and steering crawls.
func (u *UI) cockpit() []screen {
	const c, k = "/collections/{collection}/plan", "/collections/{collection}/crawls/{id}"
	return []screen{
		{"GET /new", access.Curator, u.newCollection},
		{"POST /new", access.Curator, u.beginCollection},
		{"GET " + c, access.Viewer, u.plan},
		{"POST " + c + "/start", access.Curator, u.startCrawl},
		{"POST " + c + "/resume", access.Curator, u.resumeCrawl},
		{"GET " + c + "/new", access.Curator, u.newCrawl},
		{"POST " + c + "/draft", access.Curator, u.draft},
		{"GET " + c + "/{name}", access.Viewer, u.plannedCrawl},
		{"GET " + c + "/{name}/edit", access.Curator, u.editCrawl},
		{"POST " + c + "/{name}/retire", access.Curator, u.retireCrawl},
		{"GET /collections/{collection}/proposals/{name}", access.Curator, u.proposals},
		{"POST /collections/{collection}/proposals/{name}", access.Curator, u.decideProposals},
		{"GET /crawls", access.Viewer, u.crawls},
		{"GET " + k, access.Viewer, u.crawl},
		{"POST " + k + "/{command}", access.Curator, u.steer},
		{"POST " + k + "/change", access.Curator, u.change},
		{"GET " + k + "/about", access.Curator, u.about},
		{"POST " + k + "/about", access.Curator, u.changeAbout},
		{"GET /collections/{collection}/picture", access.Viewer, u.picture},
	}
}

// planPath is where a crawl of a plan is shown.
func planPath(collection, name string) string {
	return collectionPath(collection) + "/plan/" + url.PathEscape(name)
}
