// Package kind says what kind of thing a name in an English text is: of about 500 types on nine levels, all of those that fit (HYENA, Yosef et al. 2012).
//
// Terms: a *taxonomy* is a set of types without circles, each below its parents, with a few *roots*; a type is *tested* if one of its parents is accepted (or it is a root), and then *accepted*
// or *rejected*; all others are *untested*. The score of a type is that of its own linear classifier (varve/learn/sparse), which learned what is of the type from what is of its siblings.
//
//	test      all roots; the best of them is accepted also a little below the threshold, if no other is above it
//	accept    a tested type whose score is above the threshold; its children are tested then
//	reach     of a type: the least score on the best way down to it, so that no type reaches further than what is above it
//	count     how many of the accepted types stay, those of the farthest reach: by a classifier that learned from reaches (the meta classifier of HYENA)
//
// Two taxonomies come with the program: WordNet (person, location, organization, event, artifact, and of each the 100 kinds that most things are of) and FIGER (113 types, two levels). Others can be read
// (ReadTaxonomy) and learned (Train).
//
// *.txt and *.bin are made by `make models`; docs/models/types.md has data and figures.
package kind
