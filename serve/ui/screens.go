package ui

import (
	"net/url"
	"strings"

	"varve/archive/cdxj"
	"varve/serve/access"
	"varve/serve/holdings"
)

// screens lists all page actions: one line each, its function in a file of its own.
func (u *UI) screens() []screen {
	return []screen{
		{"GET /{$}", access.Viewer, u.pulse},
		{"GET /collections", access.Viewer, u.collections},
		{"GET /collections/{collection}", access.Viewer, u.collection},
		{"GET /collections/{collection}/pages", access.Viewer, u.pageList},
		{"GET /collections/{collection}/page", access.Viewer, u.page},
		{"GET /collections/{collection}/calendar", access.Viewer, u.page}, // as the banner of replay calls it
		{"GET /collections/{collection}/compare", access.Viewer, u.compare},
		{"GET /collections/{collection}/map", access.Viewer, u.siteMap},
		{"GET /collections/{collection}/crawls/{id}/coherence", access.Viewer, u.coherence},
		{"GET /collections/{collection}/crawls/{id}/events", access.Viewer, u.crawlEvents},
		{"GET /collections/{collection}/crawls/{id}/review", access.Curator, u.review},
		{"POST /collections/{collection}/crawls/{id}/review/recrawl", access.Curator, u.recrawl},
		{"POST /collections/{collection}/crawls/{id}/coherence", access.Curator, u.measure},
		{"POST /collections/{collection}/measure", access.Curator, u.measureAll},
		{"GET /collections/{collection}/assess", access.Curator, u.assess},
		{"POST /collections/{collection}/assess", access.Curator, u.judge},
		{"POST /collections/{collection}/assess/learn", access.Curator, u.learn},
		{"GET /collections/{collection}/emerging", access.Curator, u.emerging},
		{"POST /collections/{collection}/emerging", access.Curator, u.decideEmerging},
		{"GET /collections/{collection}/terms", access.Viewer, u.terms},
		{"GET /collections/{collection}/names", access.Viewer, u.formerNames},
		{"GET /collections/{collection}/phrases", access.Viewer, u.phrases},
		{"GET /search", access.Viewer, u.search},
		{"GET /trends", access.Viewer, u.trends},
		{"GET /cloud", access.Viewer, u.cloud},
		{"GET /beside", access.Viewer, u.twoCollections},
		{"GET /opinions", access.Viewer, u.opinions},
		{"GET /facts", access.Viewer, u.facts},
		{"GET /fact", access.Viewer, u.fact},
		{"GET /facts/page", access.Viewer, u.factsLive},
		{"POST /facts/page", access.Viewer, u.factsLive},
		{"GET /document", access.Viewer, u.document},
		{"GET /entity/{entity}", access.Viewer, u.entity},
		{"GET /types", access.Viewer, u.types},
		{"GET /statistics", access.Viewer, u.statistics},
		{"GET /knowledge", access.Viewer, u.knowledge},
		{"GET /searches", access.Viewer, u.searches},
		{"POST /searches", access.Viewer, u.saveSearch},
		{"POST /searches/{search}/{command}", access.Viewer, u.changeSearch},
		{"GET /selections", access.Curator, u.selections},
		{"POST /selections", access.Curator, u.defineSelection},
		{"GET /selections/{collection}/{selection}", access.Curator, u.selection},
		{"POST /selections/{collection}/{selection}/decide", access.Curator, u.decideSelection},
		{"GET /collections/{collection}/notes", access.Viewer, u.notes},
		{"POST /collections/{collection}/notes", access.Curator, u.addNote},
		{"POST /collections/{collection}/notes/{note}/{command}", access.Curator, u.actOnNote},
		{"GET /media", access.Curator, u.media},
		{"POST /media/{command}", access.Curator, u.changeMedium},
		{"GET /tray", access.Curator, u.tray},
		{"POST /tray/{alert}/{command}", access.Curator, u.decideTray},
		{"GET /open", access.Viewer, u.open},
		{"GET /api/{$}", access.Nobody, u.manual},
		{"GET /login", access.Nobody, u.login},
		{"GET /access", access.Curator, u.access},
		{"POST /access/rules", access.Curator, u.addRule},
		{"POST /access/rules/{rule}/lift", access.Admin, u.liftRule},
		{"POST /access/rules/{rule}/undo", access.Curator, u.undoRule},
		{"GET /access/users", access.Admin, u.users},
		{"POST /access/users", access.Admin, u.putUser},
		{"POST /access/users/{name}/remove", access.Admin, u.removeUser},
		{"POST /access/users/{name}/tokens", access.Admin, u.makeToken},
		{"POST /access/users/{name}/tokens/{token}/end", access.Admin, u.endToken},
		{"GET /health", access.Admin, u.health},
		{"GET /retention", access.Curator, u.retention},
		{"POST /retention/rules", access.Admin, u.addRetentionRule},
		{"POST /retention/rules/{rule}/end", access.Admin, u.endRetentionRule},
		{"POST /retention/holds", access.Curator, u.addHold},
		{"POST /retention/holds/{hold}/release", access.Admin, u.releaseHold},
		{"GET /collections/{collection}/retention", access.Curator, u.keeping},
		{"POST /collections/{collection}/retention", access.Curator, u.decideKeeping},
		{"POST /collections/{collection}/retention/delete", access.Admin, u.carryOut},
		{"GET /find", access.Viewer, u.find},
		{"GET /suggest", access.Viewer, u.suggest},
	}
}

// Addresses of screens. Names of collections and crawls are safe in paths; addresses of archived
// pages only ever stand in queries.

func collectionPath(name string) string { return "/collections/" + url.PathEscape(name) }

func crawlPath(k *holdings.Crawl) string {
	return collectionPath(k.Collection) + "/crawls/" + url.PathEscape(k.ID)
}

func comparePath(collection, target string, a, b holdings.IndexedCapture, view string) string {
	q := url.Values{"url": {target}, "a": {cdxj.Timestamp(a.Time)}, "b": {cdxj.Timestamp(b.Time)}}
	if view != "" {
		q.Set("view", view)
	}
	return collectionPath(collection) + "/compare?" + q.Encode()
}

// replayURL is where a capture is shown again: on the other host. Only web addresses are led to.
func (u *UI) replayURL(collection string, c holdings.IndexedCapture) string {
	return u.replay(collection, c, "")
}

func (u *UI) replay(collection string, c holdings.IndexedCapture, modifier string) string {
	if u.cfg.Replay == "" || !strings.HasPrefix(c.URL, "http://") && !strings.HasPrefix(c.URL, "https://") {
		return ""
	}
	path := "/" + url.PathEscape(collection) + "/" + cdxj.Timestamp(c.Time) + modifier + "/" + c.URL
	if u.cfg.Gate != nil && u.cfg.Gate.NeedsTickets() {
		return "/open?" + url.Values{"path": {path}}.Encode() // who is logged in gets a ticket on the way
	}
	return u.cfg.Replay + path
}
