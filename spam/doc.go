// Package spam tells web spam from normal hosts. What is here now is the learning: from a table of host features with labels
// to a model, and how good it is on hosts it has not seen.
//
//	Data       reads a table (ARFF or CSV): the class is nominal, hostid and assessmentscore are never features
//	Library    the learners that an ensemble is selected from
//	Train      makes a model: ensemble selection, calibrated
//	Evaluate   trains on one table and measures on another, or over repeated folds, beside a plain random forest
//
// Terms. The *positive* class is the one named spam, or the first of the two. AUC is the probability that a spam host scores above a
// normal one; NDCG the gain of the ranking with spam on top. *Paired* folds train both contestants on the same rows and
// test them on the same others.
//
// No model is shipped: it would carry the judgement, and the licence, of somebody else's labels. docs/algorithms/spam.md
// has the figures.
//
// Cost: an ensemble trains its library once for each embedded fold, 12 seconds of CPU for 2,500 hosts with
// 100 features; a host is classified in half a millisecond.
package spam
