// Package nodes runs one crawl on several nodes. It is a stage of the engine (package crawl) that sends what is found for sites of other nodes to
// them, and keeps the crawl going when nodes come, go and die. What it needs of the outside is an engine.Engine: in memory, or NATS (cluster/nats).
//
// Terms. A *partition* is a set of pay-level domains; a *node* is a process with its own frontier and WARC files; a *session* is the time in which it
// renews its lease. A *claim* is the record of a partition: who owns it, and what its state is made of: a *range*, sealed on the shelf,
// and the logs since. The *inbox* of a partition has what other nodes found for it. *Entries* are what logs and ranges consist of: links that
// were found, and URLs that are done; both can be applied in any order, any number of times.
//
//	found:    own partition -> frontier;  another's -> with the visit, until it is settled
//	settle:   append links to inboxes; append done URLs and own links to the log of the session; then the frontier's commit
//	take p:   owner's session is over, or p was released:  claim by compare-and-set;  apply range, logs, inbox;  begin
//	give p:   stop taking;  wait for what is under way;  seal a range;  release the claim
//	follow:   messages of the own inboxes -> frontier
//	end:      all nodes are quiet at the same place of the log, and have all partitions
//
// What is acknowledged is never lost: a visit counts as done only when its links and itself are in the log, after its records are on disk. What was under way
// at a death is done again by the next owner, and only that.
//
// Cost per group of visits: two round trips to the engine, one message for the session's log and one for each partition that links
// lead to. A crawl of one process does not have this stage.
package nodes
