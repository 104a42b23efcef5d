// Package control is how a running crawl is watched and steered: over HTTP, on a socket or through `varve serve`.
//
// It is a stage that keeps nothing back and changes nothing by itself. It remembers what the last visits showed (recent.go: the
// newest pages, what went wrong with hosts, readings for a chart), puts together what watchers see (watch.go), and passes on what
// they decide (steer.go): pause, limits, rules, priorities, single URLs. What is decided is kept in the definition of the crawl, so
// that a resume goes on with it.
//
// Memory: 24 pages, 240 readings, faults of 2,000 hosts.
package control
