// Package terms knows the words of a collection: how common each is, which are popular, and how probable three words in a
// row are. Content features are measured against it, and hosts are told by the weights of their words.
//
// Terms. The *count* of a word is how often it occurs, its *pages* on how many pages, its *titles* in how many titles. A
// *stop word* is one that is on at least a quarter of the pages of its language and among its hundred commonest
// words; the list is the collection's own, so it needs no knowledge of the language. *Popular* words are the
// commonest with stop words, *corpus* words the commonest without, *query* words the commonest of titles without stop words:
// they stand for popular queries where there is no query log.
//
// Algorithm:
//
//	Counter    counts the words of pages and hands sums over when it is full (map)
//	Builder    gets each word once with its sums, keeps the commonest of each language (reduce)
//	Vocabulary ranks them: Lookup gives the place of a word among popular, corpus and query words
//	Sketch     counts word trigrams in fixed space (count-min: never too low; too high by at most
//	           2N/w with probability 1 − 1/4, for N trigrams, w columns and 2 rows)
//	Weigher    BM25 and tf-idf of a host's words: frequency over the host, document frequency over pages
//
// Cost: counting is linear in the text. A vocabulary holds at most Most words a language (50,000: some 6 MB), a sketch 32 MB
// at most, stored as the counters that are not zero.
package terms
