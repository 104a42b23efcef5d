// Package chain labels sequences: words with their parts of speech, words with the names they belong to. It is a
// linear-chain conditional random field (Lafferty, McCallum, Pereira 2001) over hashed features, with integer weights
// once it is trained.
//
// # Terms
//
//	position    a place of a sequence, such as a token of a sentence
//	feature     a hash of 32 bits of something true at a position ("the word is bank", "it ends in -ing")
//	label       what is looked for at each position; at most 64 different ones
//	allowed     the labels that a position of a training sequence may have: one bit each. Where the annotation of a set
//	            leaves something open (an organisation may be a company or a band), several bits are set
//	transition  the weight of two labels in a row; the first label follows the label Start
//
// # Model
//
// The score of labels y for features x is a sum, and its exponential is proportional to the probability:
//
//	score(x, y) = sum over positions t of  transition[y(t-1)][y(t)] + sum over features f of x(t) of weight[f][y(t)]
//	p(y | x)    = exp(score(x, y)) / Z(x)            Z: the sum over all y, by the forward algorithm
//
// Training maximises sum of log p(allowed | x) - L2/2 * |w|^2 (L2 for all sequences together), one sequence at a time by stochastic gradient descent
// (Bottou 2010): the gradient of a weight is how often its feature and label meet under what is allowed, less how often under
// the model, both from the forward-backward algorithm. Weights exist only for features and labels that meet in the
// training data. Decoding is Viterbi's.
//
// # Worked example
//
// Two labels, A and B, weights: feature "a" 2 for A, feature "b" 1 for B, transition A to A 1, all others 0. For the
// features "a", "b" the scores are AA 2+1 = 3, AB 2+1 = 3, BA 0, BB 1. AA is the answer (equal scores: the label with
// the smaller number, from the end), with p = e^3 / (e^3 + e^3 + e^0 + e^1) = 0.458. ExampleModel computes it.
//
// # Cost
//
// n positions, L labels, F features a position: decoding takes n*(F lookups + L^2 additions), less where labels are too far
// behind to matter (see Decoder.Decode); training n*(4*L^2 + F) for each pass. All of it is the same to the byte on every
// run: one thread, numbers in the order of the data, no fused multiplication.
package chain
