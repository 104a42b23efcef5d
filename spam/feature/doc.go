// Package feature has the words in which spam features are told: what a feature is called, which group it belongs to, what
// it costs and how it is computed. The packages beside it (content, terms, history, compression) and spam/graph
// declare their features as Definitions; spam/survey puts them together, and docs/algorithms/spam_features.md is
// printed from them.
//
// Terms. A *vector* is a list of numbers in the order of its definitions; NaN says that a value is not known. An
// *aggregate* is a page feature made a host feature: of the home page, of the page of highest PageRank, the mean and the
// standard deviation over all pages.
package feature
