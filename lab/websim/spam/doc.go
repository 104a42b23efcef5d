// Package spam is a simulated web of normal hosts and web spam, whose every label is known: for learning to tell them
// apart, and for crawls that filter while they run.
//
// A [World] is some hundreds of hosts. Each is made by a *generator*, which [Kind] names: news, shops, forums,
// universities, link directories, and so on, next to link farms, stuffed and stitched pages, cloaking,
// doorways, parked domains, copied content, expired domains, and networks of blogs that read like any other. Many generators are
// there to make the task hard: honest sites that look like spam (thin ones, word lists, small ads, syndicated news,
// pages full of advertisements, directories, sites that moved), blogs and forums whose comments are full of spam, and spam that reads well.
//
// What does not depend on the label is drawn alike for all: language, layout, length, names of hosts and paths,
// pictures. So nothing can be learnt from the form of our pages that a real web would not teach, too.
//
//	host(n)         = generator by share; its traits (size, lengths, layout, manners) from a stream named by seed and n
//	who links whom  = honest hosts by fame; comments and a few directory entries lead into spam; farms by their plan
//	page(host,i,t)  = text, links and tricks from a stream named by host, page and version; the version by t
//
// Time. Pages are written anew at the pace of their host; farms appear during the first year; an expired domain turns
// at an instant of its own. [World.Label] is the truth at an instant.
//
// The hosts answer through a websim.Handler, so a World is served, crawled and rehearsed like any other web:
//
//	world, err := spam.New(spam.Config{Hosts: 400}, seed)
//	web, err := world.Web()
//
// Cost: New is linear in hosts, a page is made in 0.2 ms (a home page with its lists), nothing is kept.
package spam
