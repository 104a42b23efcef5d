// Package plan is the stage of a crawl that sees to it that pages hang together in time (coherence): it orders the visits,
// and has pages visited twice.
//
// Terms. A *group* is a set of pages with one *reference point*, the end of their visits. A *lane* is the pages of a group
// on one host: they are fetched one after the other, so each lane has a planner of its own. A *round* is a group's visits and
// revisits; pages that are found when its revisits have begun make the next.
//
//	visits:    the planner of a lane says which page of those found comes next (Take); the commit of a visit also queues the
//	           revisit of the page, which waits (Settle)
//	reference: nothing of the group is queued or under way: its revisits are planned and get their turns (Committed, Idle)
//	revisits:  conditional request, compared with the visit per layer (Examine); counted by the same commit
//
// All that must outlive a kill is in the frontier, with its URLs (pagemeta.go) and in its notes (group.go). What this package
// holds in memory is an index of that, made anew from the queue when a crawl is resumed (Open). stage.go begins the reading;
// docs/decisions/20261115_revisits.md says why it is so.
//
// Cost: a page that waits for its visit takes about 300 bytes and its URL; one that was visited nothing, and 80 bytes for the
// moment in which the revisits of its group are planned.
package plan
