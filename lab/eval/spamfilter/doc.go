// Package spamfilter measures how well spam hosts are told from normal ones that no generator seen in training made, and
// what a crawl with the filter saves and loses.
//
// Terms. A *generator* makes hosts of one kind (lab/websim/spam); it is *held out* when none of its hosts was in the training set. Worlds
// of training and of test have different seeds: other hosts, other words, other links.
//
//	Generators: for each spam generator, with a third of the normal ones in turn:
//	            train without them on one world, classify their hosts in another; AUC of these against those
//	Crawls:     a model of some generators filters a crawl of a world of the others; the same crawl without a filter beside it;
//	            documents and bytes per true label, by what the web was asked
//
// Features are those of the crawl (spam/filter), of samples as the crawl takes them. Crawls are the real engine in virtual
// time (crawl/rehearsal). Cost: some seconds a training, 2 to 3 ms a fetch.
package spamfilter
