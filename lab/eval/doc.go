// Package eval groups what is measured, one package each, and holds what the evaluations share: sets of data are files or folders that
// others can bring too (Open), and what was measured on one (a Report) is printed as tables for people or as lines of JSON, the last of which
// is a Summary of fixed form.
//
// The verbs of varve-lab: 'eval' measures quality on data (lid, charset, sentences, pos, ner, maintext, dates; language: all units at once), 'experiment' makes the table of a paper anew
// (capture, spamfilter, spamfeatures; lab/simulate, lab/reranking), 'bench' measures speed beside peers (crawlspeed, cdxspeed and the others).
package eval
