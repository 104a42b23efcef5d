package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"varve/crawl/collect"
	"varve/crawl/media/external"
	"varve/crawl/media/queue"
	"varve/crawl/route"
)

// players gets what is behind players of others while a crawl runs. Pages that show a player put it into the queue of media objects (crawl/media),
// and have it asked for as one of their parts; here its answer goes to the external programs, which have places of their own beside those of
// the browser, as long as the budget lasts. What is beyond it stays in the queue, for 'varve media fetch'.
type players struct {
	*route.Router
	queue  *queue.Queue
	films  *external.Collector
	budget int64 // bytes of all films
}

// playerTime is what one film may take.
const playerTime = 30 * time.Minute

// newPlayers returns nil where there is no program that could get anything.
func newPlayers(q *queue.Queue, tools external.Tools, budget int64, unjailed func(error)) (*players, error) {
	if tools.YTDLP == "" {
		return nil, nil
	}
	p := &players{queue: q, budget: budget}
	var err error
	p.films, err = external.New(external.Config{
		Tools: tools, Time: playerTime, Size: min(budget, 2<<30), Jail: jailHelper(), Unjailed: unjailed,
		Of: func(a *collect.Answer) (string, string) {
			it, _ := p.item(a)
			return it.URL, it.Page
		},
	})
	return p, err
}

// item returns what an answer was asked for: its address, or what redirected there.
func (p *players) item(a *collect.Answer) (queue.Item, bool) {
	if it, ok := p.queue.Get(a.URL); ok {
		return it, true
	}
	if !strings.HasSuffix(a.Hops, "R") {
		return queue.Item{}, false
	}
	return p.queue.Get(a.Via)
}

// Choose sends the pages of players to the external programs, and leaves all else to the route of the crawl.
func (p *players) Choose(e *collect.Evidence) collect.Choice {
	it, asked := p.item(&e.Answer)
	if !asked || it.State != queue.Pending || e.Status/100 != 2 || !strings.Contains(e.MIME, "html") {
		return p.Router.Choose(e)
	}
	used := int64(0)
	for _, o := range p.films.Outcomes() {
		used += o.Bytes
	}
	if used >= p.budget {
		return p.Router.Choose(e)
	}
	return collect.Choice{Collector: external.Name, Why: "the player of a film", Time: playerTime + time.Minute}
}

// settle writes what came of the films of a crawl into the queue, now that all is durable, and says what is left.
func (p *players) settle(crawl string, progress io.Writer) error {
	var errs []error
	failed := 0
	for _, o := range p.films.Outcomes() {
		if o.Err == nil {
			errs = append(errs, p.queue.Done(o.URL, crawl))
			continue
		}
		failed++
		errs = append(errs, p.queue.Fail(o.URL, o.Err.Error()))
	}
	if n := len(p.queue.Pending()); n > 0 {
		fmt.Fprintf(progress, "varve: %d films behind players are still to be got (%d attempts failed); 'varve media list --state queued' names them, 'varve media fetch' tries again\n", n, failed)
	}
	return errors.Join(errs...)
}
