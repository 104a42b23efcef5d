// Package opensearch keeps the texts and captures of collections in OpenSearch, and answers from there as the embedded indexes do: the same documents, counts,
// facets, trends and lines for the same question. It speaks plain HTTP and JSON.
//
// Terms:
//
//	shard    the documents of one year of a collection: an index of OpenSearch that never changes once it is whole (PREFIX-text-COLLECTION-YEAR-MARK)
//	alias    PREFIX-text-COLLECTION: the shards that count; replacing what it leads to is the commit
//	captures PREFIX-captures-COLLECTION: one document for each CDX line; lines come and go with the files that they are of
//	number   the place of a document in its shard; what a view lets through is a bitmap of numbers
//
// Nothing of what a query means is decided by OpenSearch. Texts are cut into words by the analyser of index/fulltext and sent as words, which a whitespace
// analyser keeps as they are; queries are parsed there and translated (translate.go); a word scores by a scripted similarity of one line,
// boost x root of count, times the norm of its field as a number of the document. Weights of words are counted first, over all documents, as the embedded index
// does. Passages and groups are made of the stored rows by the same code.
//
// Access rules: a view is a function of page and time. The keys of all documents of a shard are read once for each kind of visitor, and every question
// then bears the bitmap of what may be seen: what is not in it is neither found nor counted. A shard never changes, so a bitmap never fits another state;
// captures are filtered by whoever asks, as those of the embedded index are.
//
// Cost: a question with words is two requests, without words one; facets of many names in many shards may need a second look. A view costs two readings of the keys of a
// collection (10,000 a request). Memory: an answer, a bulk of 4 MB, a bit per document and view.
//
// What OpenSearch does not answer: words that rise (clouds); it says so. Suggested spellings come from its own suggester and may be others.
package opensearch
