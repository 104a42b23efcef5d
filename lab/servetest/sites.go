package servetest

import (
	"context"
	"time"

	"varve/coherence"
)

// council is a town: slow pages, a busy calendar of events, pages that move and vanish.
const council = `span = "3y"
[[site]]
host = "aachen.sim.test"
lang = "en"
pages = 220
depth = 4
links = 7
topics = 8
affinity = 0.6
assets = 90
sitemap = { on = true }

[[site.change]]
type = ["html"]
depth = [0, 1]
every = "12d"
spread = "lognormal"
kinds = { content = 3, minor = 1, links = 3 }

[[site.change]]
type = ["html"]
every = "160d"
spread = "lognormal"
kinds = { content = 2, minor = 2, links = 1 }

[[site.life]]
type = ["html"]
appear = 0.25
vanish = "5y"
gone = 0.2
move = "5y"
dead_links = 0.6
`

const ministry = `span = "3y"
[[site]]
host = "ministry.sim.test"
lang = "de"
pages = 120
depth = 3
links = 6
assets = 60
mix = { css = 1, js = 2, png = 3, jpeg = 3, pdf = 12 }

[[site.change]]
type = ["html"]
every = "220d"
spread = "exponential"
kinds = { content = 2, minor = 2, links = 1 }
`

const news = `span = "1y"
[[site]]
host = "news.sim.test"
lang = "en"
pages = 160
fanout = 20
links = 10
topics = 8
assets = 60
feed = { path = "/feed.xml", items = 20 }

[[site.change]]
type = ["html"]
every = "9d"
spread = "lognormal"
kinds = { content = 2, minor = 1, links = 2 }

[[site.life]]
type = ["html"]
depth = [2, 9]
appear = 0.5
vanish = "2y"
gone = 0.4
dead_links = 0.5
`

// Small is one collection, "aachen", with three crawls a month apart: for tests.
func Small(ctx context.Context, dir string) error {
	return Build(ctx, dir, Site{
		Collection: "aachen", Title: "City of Aachen", Purpose: "What the town told its people.",
		Spec: council, Seed: 3, Start: time.Date(2026, 1, 8, 3, 0, 0, 0, time.UTC), Every: 30 * 24 * time.Hour, Crawls: 3, MaxPages: 40,
		Revisit: coherence.LIFO, Speed: 50_000,
	})
}

// Demo is an archive of three collections over a year and a half: for pictures and development.
func Demo(ctx context.Context, dir string) error {
	for _, s := range []Site{
		{
			Collection: "aachen", Title: "City of Aachen", Purpose: "What the town told its people: council, events, press.",
			Spec: council, Seed: 3, Start: time.Date(2025, 5, 4, 3, 2, 0, 0, time.UTC), Every: 21 * 24 * time.Hour, Crawls: 26, Revisit: coherence.LIFO, Speed: 100_000,
		},
		{
			Collection: "ministries", Title: "Ministries", Purpose: "Publications of the federal ministries, with their documents.",
			Spec: ministry, Seed: 5, Start: time.Date(2025, 9, 1, 1, 0, 0, 0, time.UTC), Every: 30 * 24 * time.Hour, Crawls: 14, Revisit: coherence.LIFO, Speed: 20_000,
		},
		{
			Collection: "broadcasters", Title: "Public broadcasters", Purpose: "",
			Spec: news, Seed: 8, Start: time.Date(2026, 9, 1, 5, 0, 0, 0, time.UTC), Every: 7 * 24 * time.Hour, Crawls: 10, Revisit: coherence.FIFO, Speed: 300_000,
		},
	} {
		if err := Build(ctx, dir, s); err != nil {
			return err
		}
	}
	return nil
}
