package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/serve/crawls"
	"varve/serve/holdings"
)

// Plans keeps crawls that are planned; *crawls.Desk is one.
type Plans interface {
	Entry(collection, name string) (crawls.Entry, error)
	Save(collection string, p crawl.Planned, was time.Time, by, note string) error
}

// Starter starts planned crawls; *crawls.Launcher is one.
type Starter interface {
	Start(ctx context.Context, collection, definition, by string) (crawls.Job, error)
}

// maxRecrawl is how many addresses one crawl is to mend; longer lists are for the command line.
const maxRecrawl = 5000

// Choose gives the addresses to be crawled again: those of chosen that the crawl lacks, or, if none is named, all that
// another attempt may bring. Nobody brings addresses of their own into a crawl this way.
func (q *Quality) Choose(chosen []string) ([]string, error) {
	list := q.Recrawl()
	if len(chosen) > 0 {
		list = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(chosen))), func(url string) bool {
			d, ok := q.all[url]
			return !ok || d.Healed != nil || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://")
		})
	}
	switch {
	case len(list) == 0:
		return nil, &varve.Error{Kind: varve.Invalid, Op: "crawl addresses again", Msg: "none of them is lacking in this crawl, or may be got", Hint: "tick some in the review"}
	case len(list) > maxRecrawl:
		return nil, &varve.Error{
			Kind: varve.Invalid, Op: "crawl addresses again", Msg: fmt.Sprintf("%d addresses are more than the %d of one such crawl", len(list), maxRecrawl),
			Hint: "download the list and use 'varve crawl --seeds FILE --scope page'",
		}
	}
	return list, nil
}

// Recrawl plans a crawl of the addresses alone, with the manners of the one that lacks them, and starts it.
func Recrawl(ctx context.Context, plans Plans, start Starter, k *holdings.Crawl, urls []string, by string) (crawls.Job, error) {
	if k.Definition == nil {
		return crawls.Job{}, &varve.Error{Kind: varve.Conflict, Op: "crawl addresses again", Msg: "it is not known how this crawl was made", Hint: "use 'varve crawl --seeds FILE --scope page'"}
	}
	name := holdings.MendingName(k.ID)
	var was time.Time
	if e, err := plans.Entry(k.Collection, name); err == nil {
		was = e.At
	} else if varve.KindOf(err) != varve.NotFound {
		return crawls.Job{}, err
	}
	p := crawl.Planned{Definition: again(*k.Definition, name, urls)}
	if err := plans.Save(k.Collection, p, was, by, fmt.Sprintf("what crawl %s lacks: %d addresses", k.ID, len(urls))); err != nil {
		return crawls.Job{}, err
	}
	return start.Start(ctx, k.Collection, name, by)
}

// again is a definition for some addresses: who asks, and how politely, stays; what to look for, and how far, goes.
func again(d crawl.Definition, name string, urls []string) crawl.Definition {
	return crawl.Definition{
		Name: name, Seeds: urls, Scope: scope.Definition{Mode: scope.Page},
		Workers: d.Workers, Delay: d.Delay, MaxBody: d.MaxBody, MaxGuess: -1, Retries: d.Retries, RetryAfter: d.RetryAfter, Timeout: d.Timeout,
		IgnoreRobots: d.IgnoreRobots, AllowPrivate: d.AllowPrivate, UserAgent: d.UserAgent, Contact: d.Contact, Operator: d.Operator,
		MaxWARC: d.MaxWARC, Level: d.Level, MinDisk: d.MinDisk, Capturing: d.Capturing,
	}
}
