package nodes

import (
	"cmp"
	"maps"
	"slices"

	"varve/crawl"
	"varve/crawl/frontier"
)

// topHosts is how many hosts a merged report lists, as a report of one process does.
const topHosts = 50

// Merge makes one report of the nodes' reports. Sites belong to one node at a time, so counts add up; a site that moved is in two of them.
func Merge(name string, reps map[string]*crawl.Report) *crawl.Report {
	out := &crawl.Report{Crawl: name, Finished: true, Why: "all done"}
	out.Status, out.MIME = map[int]int64{}, map[string]crawl.Sized{}
	out.Seeds = map[string]crawl.Seed{}
	for _, node := range slices.Sorted(maps.Keys(reps)) {
		r := reps[node]
		if out.Started.IsZero() || r.Started.Before(out.Started) {
			out.Started = r.Started
		}
		if r.Ended.After(out.Ended) {
			out.Ended = r.Ended
		}
		if !r.Finished {
			out.Finished, out.Why = false, node+": "+r.Why
		}
		mergeTotals(&out.Totals, &r.Totals)
		out.Queued += r.Queued
		for _, g := range r.Gaps {
			i := slices.IndexFunc(out.Gaps, func(o crawl.Gap) bool { return o.Cause == g.Cause })
			if i < 0 {
				out.Gaps = append(out.Gaps, g)
				continue
			}
			out.Gaps[i].Count += g.Count
		}
		out.Hosts = append(out.Hosts, r.Hosts...)
		out.Groups = mergeGroups(out.Groups, r.Groups)
		out.Applications = append(out.Applications, r.Applications...)
	}
	slices.SortStableFunc(out.Hosts, func(a, b frontier.HostStats) int { return cmp.Compare(b.Done, a.Done) })
	out.Hosts = out.Hosts[:min(len(out.Hosts), topHosts)]
	out.Complete = out.Finished && len(crawl.Missing(out.Gaps)) == 0
	return out
}

// mergeGroups adds rounds of planned groups. A round that went on at another node is told by the one that saw more of it: what it was when it moved went with it.
func mergeGroups(all, more []crawl.GroupReport) []crawl.GroupReport {
	for _, g := range more {
		i := slices.IndexFunc(all, func(o crawl.GroupReport) bool { return o.Group == g.Group && o.Round == g.Round })
		switch {
		case i < 0:
			all = append(all, g)
		case g.Visited+g.Revisited > all[i].Visited+all[i].Revisited:
			all[i] = g
		}
	}
	return all
}

func mergeTotals(t, o *crawl.Totals) {
	for _, f := range [][2]*int64{
		{&t.URLs, &o.URLs},
		{&t.Pages, &o.Pages},
		{&t.Bytes, &o.Bytes},
		{&t.Revisits, &o.Revisits},
		{&t.Again, &o.Again},
		{&t.AgainBytes, &o.AgainBytes},
		{&t.Saved, &o.Saved},
		{&t.Failed, &o.Failed},
		{&t.Refused, &o.Refused},
		{&t.Guesses, &o.Guesses},
		{&t.SitemapCut, &o.SitemapCut},
		{&t.Declined.Count, &o.Declined.Count},
		{&t.Declined.Bytes, &o.Declined.Bytes},
	} {
		*f[0] += *f[1]
	}
	for status, n := range o.Status {
		t.Status[status] += n
	}
	for mime, s := range o.MIME {
		was := t.MIME[mime]
		t.MIME[mime] = crawl.Sized{Count: was.Count + s.Count, Bytes: was.Bytes + s.Bytes}
	}
	addTo(&t.Errors, o.Errors)
	addTo(&t.Refusals, o.Refusals)
	addTo(&t.Traps, o.Traps)
	addTo(&t.Alike, o.Alike)
	addTo(&t.Collected, o.Collected)
	addTo(&t.Outcomes, o.Outcomes)
	for url, s := range o.Seeds {
		t.Seeds[url] = s
	}
	for rule, r := range o.Rules {
		if t.Rules == nil {
			t.Rules = map[string]crawl.Ruled{}
		}
		was := t.Rules[rule]
		t.Rules[rule] = crawl.Ruled{
			Links: was.Links + r.Links, Turn: was.Turn + r.Turn, Head: was.Head + r.Head,
			Body: was.Body + r.Body, Followed: was.Followed + r.Followed, Ends: was.Ends + r.Ends,
		}
	}
	for authority, u := range o.Unreached {
		if t.Unreached == nil {
			t.Unreached = map[string]crawl.Unreached{}
		}
		t.Unreached[authority] = u
	}
	t.Largest = extremes(t.Largest, o.Largest)
	t.Slowest = extremes(t.Slowest, o.Slowest)
	t.Files = append(t.Files, o.Files...)
	t.Seconds = max(t.Seconds, o.Seconds)
}

func addTo(t *map[string]int64, o map[string]int64) {
	for k, n := range o {
		if *t == nil {
			*t = map[string]int64{}
		}
		(*t)[k] += n
	}
}

func extremes(a, b []crawl.Extreme) []crawl.Extreme {
	out := append(slices.Clone(a), b...)
	slices.SortStableFunc(out, func(x, y crawl.Extreme) int { return cmp.Compare(y.Value, x.Value) })
	return out[:min(len(out), 10)]
}
