// Package models makes the model files of language/ and entity/kind from annotated text that may feed a shipped model; what is marked NC is
// never read here. One thread, fixed seeds: the same data gives the same bytes.
//
//	lexicon.go   base forms and irregular forms of WordNet, lemmas of the treebanks
//	classes.go   word classes from plain text
//	names.go     the gazetteer
//	tags.go      Penn and universal tags
//	mentions.go  names, from sets that do not mark the same types
//	taxonomy.go  types of names, from WordNet and FIGER
//	types.go     kinds of names, from sets of labels and from texts that name what lists have
//	make.go      all files, in the order in which they need each other
package models
