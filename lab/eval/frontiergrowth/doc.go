// Package frontiergrowth measures what the frontier costs per operation while the number of queued
// URLs grows: the claim is that no operation costs more than twice as much at twenty million as at
// one million, and that memory stays under the configured bound.
//
// At each size it measures the CPU time of the whole process, compactions in the background
// included, for four operations, each through the calls that a crawl makes:
//
//	insert  a page's 80 outlinks, none seen before, in one commit
//	known   a page's 80 outlinks, all seen before, at random over everything ever seen
//	update  80 new scores for queued URLs at random, in one commit
//	pop     claim eight hosts, take ten URLs of each, finish them sixteen to a commit
//
// Each is durable when it returns. Four workers call at the same time. After each operation the
// store is left to finish its compactions, and their time is counted too.
package frontiergrowth
