// Package text is the folder of what reads text, pure and without I/O. In reading order: charset (bytes to UTF-8),
// boilerplate (the main text of a page), pdf, office and document (the text of files), token (words, sentences, stems),
// lang (which language), needle (many words in one pass), near (nearly the same), layer (how two captures are equal), dating (when a version came to be).
package text
