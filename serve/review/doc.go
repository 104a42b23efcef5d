// Package review finds what somebody has to look at: in the archive as a whole (the in-tray), and in one
// crawl (its quality review).
//
// Terms. An *alert* is something wrong that is going on: a crawl that ended early, a seed that fails, a file
// that is not what it was. Its *occasion* is what makes it this trouble and not an earlier one of the same
// kind: the crawl where it began, the first look that found it. A *decision* is what a person said about an
// alert: done, snoozed until a day, or open again. A *series* is the crawls of one definition: those with the
// same name in the plan, else with the same seeds. A *defect* is what one address of a crawl lacks.
//
//	Gather:  holdings, ledger, index, disk -> State          the only part that reads
//	Alerts:  State -> alerts, worst first                    pure; the same state gives the same list
//	         per series only its last ended crawl counts: what a later crawl made good is over
//	         per kind and collection at most 50, and one alert for the rest
//	Arrange: alerts, decisions, now -> open, aside           by id = SHA-256(kind, collection, subject, occasion)
//
// So a trouble that somebody put aside stays aside while it goes on, and one that went away and came back is
// told anew. Nothing is stored but decisions (labels/tray.jsonl, an original of the archive).
//
// Cost: Gather is one stat per file of the archive and a reading of each ledger and of the lists of indexed
// files, none of the WARC files; Alerts is linear in crawls, seeds and findings. The review of a crawl streams
// its log once; memory is bounded by the groups and examples that are shown.
package review
