// Package reranking compares the ways of updating the priority of queued URLs on a generated web, as seed
// paper 002 (section 5.1, tables 1 and 2) did on pages of DMOZ. Everything is seeded: the same Config
// gives the same figures everywhere.
//
// The web (graph.go): topics with subtopics; hosts that lean to a topic; pages whose words come from
// their subtopic, their topic and everyday language in different shares; links inside a host, to
// the same subtopic, to the same topic, to portals that everybody links to, and to anywhere, with anchors taken from the
// title of the target or saying nothing.
//
// The crawl (crawl.go), from 20 seed pages of one topic:
//
//	until enough pages: of the host with the best URL take its bl best URLs (the balance), fetch them
//	    immediate: score each outlink by page and anchor, combine with its old score (the update function)
//	    batch: collect the findings of a number of pages, score the sums, combine then
//
// The measures: harvest ratio (share of pages whose cosine with the topic is over 0.333), average similarity,
// share of the topic's subtopics with at least one page. Each figure is the mean of 9 crawls (3 topics
// x 3 samples of seeds), with the standard error of the difference to FIRST from the same 9 crawls.
//
// Scores come from priority.Topic, the same code that guides real crawls. Breadth-first and an oracle that
// knows the relevance of each page before fetching it are run beside as bounds.
package reranking
