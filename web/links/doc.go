// Package links finds the links of a document: what it leads to and what it is made of.
//
// It reads bytes that are already content-decoded (no network, no clock, no disk) and gives each reference resolved,
// with its kind (where it was written), its hop (what following it means), its anchor text and the text around it.
// Strings that only look like URLs are kept apart as speculative. docs/links.md lists the kinds.
//
// Terms: a reference is what is written, a link is the absolute URL made of it; an embed is a part that the page needs
// to be shown; the context says what a link was written inside of (a comment, a template, a script's string).
//
// The algorithm, for markup:
//
//	decide the format from the declared type, the first bytes, the path's extension
//	decide the charset (byte order mark, transport, document, guess); decode only if it is not UTF-8
//	lex the bytes once, without building a tree:
//	    words go into one buffer, references wait in a list with their place in that buffer
//	    style sheets, scripts, JSON, srcdoc and comments are read where they stand, by the reader of their own format
//	at the end make one string of the buffer, resolve what waits against the base (which may have come late), emit
//
// The other formats have readers of the same kind: one pass, a bounded stack, no tree.
//
// Cost grows with the number of bytes, whatever they are: every reader looks at each byte a bounded number of times,
// and documents inside documents are followed to a fixed depth. Memory is that of the references that wait (bounded by
// Limits.Links; a few hundred in formats where nothing later changes them) and of the visible text (Limits.Text).
package links
