// Package truth says when the pages of the simulated web change, and what was true at any instant.
//
// Terms: a change has a time and a Kind (content, links, noise, ...). A Layer is a way to compare
// two versions (bytes, text, links, ...); a table says which kinds a layer sees. A History is all
// changes of one page over the whole span; a Version is the number of changes of each kind so far.
// Times are whole milliseconds since the epoch of the web.
//
// Changes come from processes, which add up:
//
//	Poisson:    gaps are exponential with the given mean
//	Bernoulli:  at the start of each slot, one change with probability p; the gap to the next
//	            change is geometric, so the cost is per change and not per slot
//	burst:      within windows of time the rate is multiplied; more changes are drawn inside
//
// A history keeps the times of each kind sorted in one array: n changes cost 8n bytes, drawing them
// O(n), asking for a version O(kinds * log n).
package truth
