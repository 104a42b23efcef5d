// Package charset turns the bytes of a document into UTF-8.
//
// Terms: a label is what people write ("latin1", "UTF8"), a name is what the WHATWG encoding standard calls
// the encoding ("windows-1252", "utf-8").
package charset
