// Package markup reads HTML and XML as tokens: it is the one lexer of these languages, and reads a document once for all
// who want to know of it.
//
// Terms: a *token* is a start tag with its attributes, an end tag, a run of characters, a comment and so on, always a
// slice of the source with its place in it; the content of script, style and their like is one token, *raw*. A
// *subscriber* gets the tokens of the kinds it asked for, in the order of the document.
//
//	walker.Walk(src, xml, links, outline, dates)
//	    for each token of the lexer:
//	        lower the names, look the element up, gather the attributes
//	        give it to each subscriber that asked for its kind
//	        after <script> and its like, give their content
//
// Where a document need not be held whole (replay rewrites it as it passes), a Stream reads the same tokens in a window of it.
//
// Nothing is decoded: character references are the business of who needs the value. Elements have numbers, so that
// subscribers ask tables instead of comparing names.
//
// Cost: each byte is looked at a bounded number of times, whatever the input; a kind that nobody asked for costs its lexing.
package markup
