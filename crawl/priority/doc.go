// Package priority guides a crawl to what it is about: it scores the outlinks of a page by how close page and
// link are to a topic. It is pure; the queue and its order belong to crawl/frontier.
//
// Terms. A *vector* counts the terms of a text, weighted by tf-idf: (1 + ln count) x ln(1 + N/df), where df
// of N documents have the term (Corpus). The *topic* is the sum of the vectors of the seed pages. The
// *relevance* of a text is the cosine of its vector with the topic, 0 to 1.
//
// The score of an outlink (seed paper 002, section 5.1) is the mean of the relevance of the page it was found
// on and of its anchor text; the text around the anchor can count too (Weights). A part without words, such
// as the anchor of a picture, is left out of the mean, for it says nothing either way.
//
// A URL is often found on several pages. Then either
//
//   - immediately: each finding gives a score, and the queue combines it with the one before by an Update
//     function: FIRST, LAST, MAX, AVG, SUM; or
//   - in batches (Batch): the vectors of the pages on which it was found in the batch are added up, those of
//     its anchors too, and the cosines of the two sums are averaged: one score per URL and batch.
//
// Cost: rating a page is O(n log n) in its words. A topic holds at most
// MaxTerms terms, a corpus at most a given number. priority/experiment compares the ways of updating.
package priority
