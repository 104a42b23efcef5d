// Package crawls plans, starts, foretells and steers crawls on behalf of the screens and the programming interface.
//
// Terms. A *planned crawl* is a [crawl.NAME] of a collection.toml, or was *defined* on a screen: only these can be
// started here. A *draft* is a definition as it was typed, right or wrong. A *job* is one run of the program on behalf
// of somebody. A crawl is *unfinished* when it neither completed nor used up what its definition allows; it can be
// *resumed*. An *act* is one change of a running crawl.
//
// What is defined through the network ([Desk], [Draft], [Check]) may not reach beyond its collection: no files of the
// server, no manners other than the usual, no private networks; this machine is the administrator's to crawl. Each
// change is a line of a journal, and of the audit log before it is made.
//
// A crawl runs as a process of its own, from the same program as the server:
//
//	varve crawl --definition=NAME --collection=C --archive=A --quiet
//	varve crawl --resume --collection=C --archive=A --quiet   and the limits of its definition
//
// so that what a crawl needs (memory, a browser) never takes a server down, and the rules of the
// command line hold: lock of the collection, control socket, report. The launcher
//
//	checks the names against the plan; refuses when a job of the collection runs, or too many do
//	waits a moment for the lock of the collection, and gives it back: who holds it longer is told of
//	tells the audit log who starts what; what cannot be told is not started
//	starts the program in a process group of its own, output to crawls.log in the collection
//	waits for its end in the background and keeps how it ended
//
// Between giving the lock back and the program taking it, another may be faster: then the program
// says so and the job has failed, with its words.
//
// When the server ends, each program gets SIGINT and ends in good order; after a while its whole
// group is killed, which costs nothing that was recorded. A server that is killed leaves its
// crawls running: they hold their locks, and the next server shows and steers them by their sockets.
//
// A running crawl is steered through its control socket ([Helm]): an act is foreseen, with what it would drop of the
// queue, told to the audit log, then done; the crawl keeps it for a resume. The [Schedule] starts what is due, if a
// server is asked to.
//
// What a crawl may come to is *foretold* from the history of the collection (whatif.go): rates of change
// of its pages, and the expected coherence of so many of them at such a pace.
//
// Cost: checking a draft is linear in its text, which is bounded; reading a plan is linear in its journal. A look of the
// schedule reads what the screens read of each collection. A goroutine per job; the last job of each collection is kept in memory. Foretelling reads at
// most 50,000 index lines and solves one assignment of 200 pages per figure.
package crawls
