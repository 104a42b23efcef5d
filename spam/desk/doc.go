// Package desk is where curators judge hosts: it puts the hosts of a collection in a useful order, keeps what was decided, and
// learns from it.
//
// Terms. The *table* has the features of all hosts (`varve spam features`), the newest models/hosts*.csv or .arff of the collection. The
// *model* is the newest models/spam-*.model, made here. A *queue* is an order of the hosts that nobody has judged yet:
//
//	uncertain   where the model learns most: 1 − |2·spamicity − 1| + disagreement of its members, highest first
//	worst       highest spamicity first
//	random      by a hash of the name: a fair sample, the same for everybody
//
// Without a model uncertain and worst are the same as random: nothing is known yet.
//
//	label -> labels/spam.jsonl (spam/label) -> Retrain: rows of judged hosts -> ensemble -> model file -> queues
//
// Besides spam the same table and machine tell other qualities (Target): a genre against all others, high trust against low.
//
// Cost: the table is held in memory (8 bytes a cell); judging all hosts by a new model takes half a millisecond each; training on
// some hundred labels a few seconds of CPU.
package desk
