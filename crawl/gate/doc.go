// Package gate is the stage of a crawl that keeps spam hosts out.
//
// The state of a host (crawl/spamfilter) is made from a sample of its pages, by an assessor that is handed in, and from what
// people decided (rulings); what earlier crawls found (verdicts) is taken over at the first sight of a host:
//
//	Admit:   a URL is taken -> may its host be asked? else the host is set aside, with its queue
//	Examine: a page is condensed to a look, and the hosts that it supports are noted
//	Settle:  looks go into the sample of their host -> checkpoint? assess -> its record is noted in the commit of the visits
//	Idle:    before the crawl ends, and every ten seconds: hosts that new rulings or new support free are put back
//	Finish:  hosts with less than a sample are assessed for the report, queues of rejected hosts are refused
//
// So the state of a host is always that of the visits that are done, also after a kill.
//
// Memory: records of hosts used last and who supports whom, each up to spamfilter.Config.Memory.
package gate
