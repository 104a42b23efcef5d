// Package term follows the senses of words through time, as TeVo of the LiWA project does (Tahmasebi, Risse, Dietze 2010).
//
// # Terms
//
//	slice      the texts of one year
//	term       a noun, or a noun phrase that is frequent in its slice
//	edge       two terms that stand in one list ("cars like bmw, audi and fiat") in several texts of a slice
//	curvature  of a term: the share of pairs of its neighbours that are neighbours themselves. A term of low curvature joins
//	           terms that have nothing to do with one another: it has several senses, or none of its own
//	cluster    a sense of a slice: terms that hang together when those of low curvature are taken out, and the neighbours
//	           of these; so an ambiguous term is in several. Local curvature is that in the graph of a cluster alone
//	unit       clusters of consecutive slices that are all alike: a sense that holds for some years
//	path       units with one term that are all alike, gaps allowed: how that sense of the term went on
//	company    of a term: the phrases of the sentences that it stands in
//	change     a year from which on a term is said more than before, in another company: it got a new use
//
// # Order
//
//	slice.go   documents -> Slice: dictionary, pairs, edges       (Count; one slice at a time, so a new year adds one)
//	graph.go   edges -> clusters                                  (Graph.Curvature, Graph.Clusters)
//	path.go    slices -> units -> paths of a term                 (Units, Paths)
//	change.go  documents -> company of terms -> years of change    (ReadCompany, Company.Changes)
//
// # Worked example
//
// Edges audi-bmw, audi-vw, audi-fiat, bmw-vw, bmw-fiat, bmw-porsche. vw is in its only possible triangle: curvature 1; audi in two of three: 2/3;
// bmw in two of six: 1/3; porsche has one neighbour: 0. At threshold 1/2 bmw and porsche go, audi, fiat and vw hang together, and bmw comes back as
// their neighbour. TestWorkedExample has it.
//
// # Cost
//
// Count goes through a slice twice; pairs beyond Options.Pairs are sorted on disk, so memory is bounded by the terms of the slice and the edges that are
// kept. Curvature costs the sum over edges of the smaller degree. What a slice keeps is the only thing that later steps read.
package term
