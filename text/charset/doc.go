// Package charset finds the character encoding of a document and turns its bytes into UTF-8.
//
// Terms: a *label* is what people write ("latin1", "UTF8"), a *name* is what the WHATWG encoding standard calls the
// encoding ("windows-1252", "utf-8"). An encoding is *declared* by the transport or in the document (web/encoding reads it).
//
// Who is asked, in this order:
//
//	byte order mark       -> it is right
//	bytes that are UTF-8, with characters beyond ASCII -> utf-8, whatever is declared: chance makes no such bytes
//	what is declared (encoding.Declared)               -> believed, unless the bytes are not possible in it
//	statistics            -> see below
//	nothing to go by      -> windows-1252, as browsers do
//
// Statistics: decode a sample of the text with each candidate, and ask the language models of text/lang how likely the
// result is; signs that nobody writes, and bytes that mean nothing, cost extra. The likeliest reading wins. So one
// model serves all encodings of all its languages, and Polish in ISO-8859-2 is told from Polish in windows-1250 by the
// words that make no sense in the other.
//
// `varve-lab eval charset` prints how often that is right. Cost: one pass for UTF-8 and the declaration;
// statistics, for the few pages that need them, about 2 ms.
package charset
