// Package noise learns what a server writes anew into every answer, and takes it out: secrets of embedded frames, nonces that no rule of
// text/layer knows, hosts of pictures that rotate, the advertisement of the moment. Two captures of a page that differ in nothing else
// are one version of it.
//
// Terms. A *sample* is two answers to one question, asked at once: nobody edits between them, so what differs is noise. A *place* is
// where they differ. A *rule* says what stands before and behind a place; what lies between is noise wherever both are met, on all pages
// of the template that the samples are of.
//
// The algorithm is that of delimiters by Kushmerick (Wrapper induction, 2000), with the shortest that are safe:
//
//	sample  -> tokens (words, and single signs) -> text/diff -> places; those with fewer than 3 tokens between them are one
//	place   -> right: the first tokens behind it that have a sign and are not in it
//	           left:  the last 3 tokens before it, then 4, ... 24, until it is safe
//	safe    a rule is if everything between its delimiters, anywhere in the samples, has a place in it; inside of a tag, half of it: one
//	        of three hosts is the same by chance in a third of the cases
//
// So a paragraph that changes among others that stay gets a rule only if something before it, up to 24 tokens, tells it from them; else
// it is no noise but a change. What is not learned is told as a change; an edit is never between delimiters that enclose noise alone.
//
// Worked example (TestWorkedExample). `<p>Ebb</p><i id="a" data-secret="X7q">` and the same with "Kw2": the place is X7q, right is `"`, left
// are the three tokens `secret="`, which stand nowhere else.
package noise
