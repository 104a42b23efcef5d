// Package spamfeatures measures what each group of spam features is worth on the simulated web of lab/websim/spam, whose labels are
// known: the web is archived at several instants of its life, features are computed from the archive as `varve spam features` does, and a
// random forest is trained on each group alone and on all, over folds that keep domains together.
//
// The figures are of a made-up web and tell groups from each other; how good spam is told on the real web they do not tell.
package spamfeatures
