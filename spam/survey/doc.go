// Package survey computes the features of all hosts of a collection, from its WARC files to one table.
//
// Terms. A *visit* is one capture of a page with what was measured on it. A *snapshot* is the visits of one crawl (or month, or
// year). The *best* page of a host is that of highest PageRank in the page graph. *Working tables* are spam_words, spam_trigrams,
// spam_pages and spam_visits in the folder of derivatives; they can be deleted and are made again.
//
// Algorithm, with three jobs on derive/job (receipts: only new and changed WARC files are read again) and one pass after them:
//
//	words   pages table -> words of each language, word trigrams                     map, combine, reduce
//	pages   WARC -> page features, bag of words, links, address, robots.txt          a mapper of the one scan (archive/scan)
//	visits  pages, words of the collection -> the features that need both            map over the table, no WARC file
//	        by host and page, in order of time: revisits get what they repeat, two user agents are compared,
//	        at most MaxPages pages a host stay (the home page, then by hash: a fair sample)       reduce
//	table   pass 1: hosts, pages, snapshots, addresses
//	        pass 2: edges -> host graph, page graph, a host graph for each snapshot; means of snapshots; texts of judged hosts
//	        graph measures
//	        pass 3: host by host: content, links, terms, history, compression -> row
//
// Link and content features are of the last visit of each page; history is over all snapshots. Labels are used for the class, and for
// what is learnt from labels (TrustRank without a list of trusted hosts, dictionaries) by folds: a host's own label, and those of its
// domain, never reach its features.
//
// Cost: a page costs some milliseconds (spam/content), once. The passes hold the names of all hosts, 8 bytes for each page, the graphs
// (spam/graph), some 200 bytes of measures for each host and page, and one host at a time.
package survey
