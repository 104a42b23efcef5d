// Package filter judges hosts for a crawl that filters spam: it is what `varve crawl --spam-filter` hands to the engine.
//
//	Assessor   features of pages (spam/content) -> sample of a host -> model -> spamicity and reasons
//	Lists      what people decided: labels of the collection, black and white lists
//
// Terms as in crawl/spamfilter. The *crawl-time features* ([Names]) are those of the content group that pages alone give, without link graph,
// vocabulary of the collection or history, and without what depends on how many pages were looked at: a model that
// learnt from whole hosts must be able to judge four pages.
//
// A *look* is a page condensed: its features and hashes, less than a kilobyte. A *sample* is a content.Host as bytes, about
// 5 KB. Both are values: a sample can be kept anywhere and merged later, and the same looks give the same sample.
//
// Cost: a look is the features of a page, about 1 ms for 50 KB of HTML; a merge takes 20 µs, an assessment what the model takes,
// some hundred microseconds; reasons, which are made for rejected hosts only, one assessment for each feature.
package filter
