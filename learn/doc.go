// Package learn has the learners and measures that spam, change rates, typing and filters share. It is pure: rows
// go in, a classifier comes out; the same seed gives the same classifier, however many processors work on it.
//
// # Terms
//
//	Set         rows with a class: numeric and nominal attributes, missing values (NaN), weights, groups
//	Learner     makes a Classifier from a Set; a learner is a value that holds settings only
//	Classifier  gives the probability of each class for a row
//	fold        a part of the rows that is tested while a classifier learns from the others
//	group       rows that must not be torn apart by folds (hosts of one domain)
//	positive    class 0, where a measure or a learner needs one of two
//
// # Reading order
//
//	set.go learner.go            the data and the two interfaces
//	bins.go                      equal-frequency and entropy-based bins
//	bayes.go density.go          naive Bayes: nominal, normal, kernel, discretised
//	tree*.go                     C4.5: gain ratio, missing values, pessimistic pruning
//	quantise.go forest*.go       random forests and extra trees, on cells of one byte
//	boost.go bagging.go          LogitBoost; bagging, cost-sensitive and balanced
//	transform.go design.go       scales of numbers (log, rank), vectors for linear learners
//	logistic.go svm.go           ridge logistic regression; linear support vector machine
//	ratios.go                    logarithms of ratios as further attributes
//	ensemble.go select.go        ensemble selection from a library of learners
//	calibrate.go                 scores to probabilities: Platt, isotonic
//	codec*.go model.go           model files
//	folds.go crossvalidate.go    stratified and grouped folds; predictions for every row by a model that never saw it
//	measure.go ranking.go        confusion, accuracy, F1; AUC, NDCG
//	table/                       ARFF and CSV files
//
// # Cost
//
// A set takes 8 bytes a cell, by column. Learners say their cost in their comment, n rows and m
// attributes; all hold the set and a small multiple of it, and no learner holds more than one copy per processor.
package learn
