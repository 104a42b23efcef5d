// Package token cuts text into words and sentences, and words to their stems.
//
// Terms: a *word* is what Unicode's word boundaries (UAX 29) give, if it holds a letter or a digit; ideographs and the
// letters of scripts without blanks (Thai, Lao, Khmer) stand alone. A *sentence* is what UAX 29 gives, put together
// again where the rules of Unicode cut wrongly:
//
//	after an abbreviation of the language      Dr. Smith, z.B. heute
//	after a single capital                     J. S. Bach
//	after an ordinal                           am 5. März  (in languages that write them so)
//	after a quotation, if a small letter follows  “Really?” she asked
//	never across an empty line                 headings and paragraphs end sentences
//
// Stems are those of Snowball, for the 18 languages that its library has.
//
// Cost is linear in the text: about 40 MB of words and 30 MB of sentences per CPU-second; nothing is kept.
package token
