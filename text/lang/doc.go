// Package lang tells in which of 75 languages a text is written: from a sentence on with 98 % accuracy, at about
// 11,000 sentences per CPU-second and in 14 MB. `varve-lab eval lid` prints the table,
// docs/algorithms/language.md discusses it.
//
// Terms: an *n-gram* is up to five characters in a row; a text is read in lower case, with one blank for all that is
// between words.
//
// For each language there is a model that says how likely each character is after the four before it: counts of the
// n-gram, mixed with the same for shorter and shorter contexts (Witten and Bell). The language whose model finds the
// text most likely is the answer. The trick is how the models are kept: the logarithm of the mixture is a sum over the
// n-grams of the text,
//
//	log p(text) = base * characters + sum over n-grams g of the text of w(g)
//	w(g) = log(1 + count(g) / (left * p(shorter)))  that g was seen, against what the shorter context foretold
//	     + log(left(g))                             what g as a context leaves to the characters never seen after it
//
// so all languages share one tree from n-grams, read backwards, to lists of (language, weight in 8 bits), a character more costs one
// step for all of them, and an n-gram that is not in the tree is not followed further.
//
// Confidence: n-grams overlap, so evidence is counted several times; the log-likelihoods are divided by 3 before they
// become probabilities, which made them honest on texts that were not trained on. A text that the best model finds
// less likely than random characters is in none of the languages: the answer is "".
//
// The model is built from the training part of the development data of lingua-rs (Apache-2.0) by
// `varve-lab eval lid --data DIR --write text/lang/model.bin`; the format is in docs/formats/language-model.md.
//
// Cost is linear in the text, up to 2,000 characters; Identify looks at a sample of a long text first.
package lang
