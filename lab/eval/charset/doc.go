// Package charset measures how often the encoding of an undeclared document is found: sentences of known languages
// are put into small pages, encoded in the encodings that their languages were written in before UTF-8, and detected
// from the bytes alone. A detection is right if the text comes out right: encodings that agree on all its characters
// are the same here.
package charset
