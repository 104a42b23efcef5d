package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/derive/job"
	"varve/serve/holdings"
)

// Limits of what counts as late or too little.
const (
	lateAtLeast  = 2 * time.Hour   // a scheduler that looks every hour is not late before
	indexGrace   = time.Hour       // files that were finished just now are indexed soon
	diskLow      = int64(10) << 30 // free bytes under which it is told
	diskCritical = int64(2) << 30  // crawls pause at 1 GiB
)

// disk tells that room runs out. It is measured now, so that what was decided holds for the day.
func (s State) disk() []Alert {
	if s.Disk.Size <= 0 || s.Disk.Free >= diskLow {
		return nil
	}
	day := s.Now.UTC().Truncate(24 * time.Hour)
	a := Alert{
		Kind: DiskLow, Subject: "disk", Since: day, Weight: 60, occasion: day.Format(time.DateOnly),
		What: fmt.Sprintf("%d MiB of %d GiB are free; crawls pause when 1 GiB is left", s.Disk.Free>>20, s.Disk.Size>>30),
		Act:  "make room, or move collections to a larger disk",
	}
	if s.Disk.Free < diskCritical {
		a.Weight = 90
	}
	a.identify()
	return []Alert{a}
}

// findings tells of files that are not what they were.
func (c *Collection) findings() []Alert {
	var out []Alert
	for _, f := range c.Findings {
		what := f.Outcome
		if f.Why != "" {
			what += ": " + f.Why
		}
		out = append(out, Alert{
			Kind: AuditFinding, Subject: f.File, What: what, Since: f.Since, Weight: 100, occasion: f.Since.UTC().Format(time.RFC3339Nano),
			Act: "bring it back from another copy; if it is right as it is, say so with --accept", Command: "varve audit --collection " + c.Name,
		})
	}
	return out
}

// behind tells of files that cannot be found because no index has them.
func (c *Collection) behind(now *moment) []Alert {
	late := slices.DeleteFunc(slices.Clone(c.Behind), func(f File) bool { return !now.passed(f.At.Add(indexGrace)) })
	if len(late) == 0 {
		return nil
	}
	first := slices.MinFunc(late, func(a, b File) int { return a.At.Compare(b.At) })
	what := fmt.Sprintf("%d files are not indexed, the first is %s", len(late), first.Name)
	if len(late) == 1 {
		what = first.Name + " is not indexed"
	}
	return []Alert{{
		Kind: IndexBehind, Subject: "index", What: what + ": what is in there is not shown", Since: first.At, Weight: 30, occasion: first.Name,
		Act: "index it; 'varve serve' does so by itself", Command: "varve index --collection " + c.Name,
	}}
}

// renewed tells of indexes that are built anew: nothing is to be done, but answers may be found in another order afterwards, and the machine is
// busy.
func (c *Collection) renewed(now *moment) []Alert {
	var out []Alert
	for _, w := range c.Renewing {
		a := Alert{
			Kind: IndexRenewed, Subject: "index of " + w.Index, What: w.Line(now.now), Since: w.Began, Weight: 5, occasion: fmt.Sprint(w.From, w.To),
			Act: "nothing: it goes on by itself",
		}
		if w.Still(now.now) {
			a.Weight, a.Act, a.Command = 20, "go on with it; 'varve serve' does so by itself", "varve index --collection "+c.Name
		}
		out = append(out, a)
	}
	return out
}

// underived tells of captures that could not be read into tables, or not all of them: what is missing is found by nobody who searches.
func (c *Collection) underived(now *moment) (out []Alert) {
	alert := func(list []job.Failure, weight int, subject, what, act, command string) {
		if len(list) == 0 {
			return
		}
		first := list[0]
		cause, _, _ := strings.Cut(first.Cause, "\n")
		out = append(out, Alert{
			Kind: DeriveFailed, Subject: subject, Since: now.day(), Weight: weight, occasion: fmt.Sprint(len(list), first.Job, first.Version, first.Part, first.Item),
			What: fmt.Sprintf(what, len(list), first.Part, first.Item, cause), Act: act, Command: command,
		})
	}
	failed, partial := job.Split(c.Failures)
	alert(failed, 35, "derived", "%d captures could not be read into tables (the first in %s, %s: %s): what they say is not found",
		"derived/failures.jsonl says why; try them again, with more time for a page (--limit) if they took too long", "varve derive --retry --collection "+c.Name)
	alert(partial, 15, "derived in part", "%d captures are only in part in the tables (the first in %s, %s: %s): what is missing is not listed",
		"derived/failures.jsonl says what is missing; the captures themselves are whole", "")
	return out
}

// unreadable tells of files that cannot be read.
func (c *Collection) unreadable(now *moment) []Alert {
	at := func(subject, why, command string) Alert {
		return Alert{
			Kind: Unreadable, Subject: subject, What: why, Since: now.day(), Weight: 75, occasion: c.within(why), Command: command,
			Act: "correct it, or bring it back from another copy",
		}
	}
	var out []Alert
	if c.Problem != "" {
		a := at("collection.toml", c.Problem, "varve crawl --due --collection "+c.Name)
		if !c.Planned.IsZero() {
			a.Since = c.Planned
		}
		a.Act = "correct it: until then no planned crawl of the collection runs"
		out = append(out, a)
	}
	for _, p := range c.Problems {
		out = append(out, at(p.Subject, p.Why, p.Command))
	}
	for _, k := range c.Crawls {
		if k.Problem != "" {
			a := at("crawl "+k.ID, k.Problem, "")
			a.Since, a.Crawl = k.Started, k.ID
			out = append(out, a)
		}
	}
	return out
}

// overdue tells of planned crawls that did not run: later than a tenth of their interval, and than two hours.
func (c *Collection) overdue(now *moment) []Alert {
	var out []Alert
	for _, p := range c.Plans {
		if p.Every <= 0 || running(c.Crawls, p.Name) {
			continue
		}
		due, what := p.Next, "was due then and did not run"
		if !ran(c.Crawls, p.Name) {
			due, what = c.Planned, "is planned since then and never ran"
		}
		if due.IsZero() || !now.passed(due.Add(max(lateAtLeast, p.Every/10))) {
			continue
		}
		out = append(out, Alert{
			Kind: Overdue, Subject: p.Name, What: "the crawl " + p.Name + " (every " + every(p.Every) + ") " + what, Since: due, Weight: 60, occasion: due.UTC().Format(time.RFC3339),
			Act: "run it, and see why the scheduler (cron, timer) did not", Command: "varve crawl --due --collection " + c.Name,
		})
	}
	return out
}

// every writes an interval in days where it is some.
func every(d time.Duration) string {
	const day = 24 * time.Hour
	if d > day && d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	if d%time.Hour == 0 {
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return d.String()
}

func running(crawls []*holdings.Crawl, name string) bool {
	return slices.ContainsFunc(crawls, func(k *holdings.Crawl) bool { return k.Name == name && k.State == holdings.Live })
}

func ran(crawls []*holdings.Crawl, name string) bool {
	return slices.ContainsFunc(crawls, func(k *holdings.Crawl) bool { return k.Name == name })
}
