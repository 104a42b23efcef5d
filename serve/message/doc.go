// Package message is the words of the screens in the languages that there are.
//
// The English sentence is the key: templates and Go code have it where it is shown, so that they can be read, and
// languages/de.toml has the German one beside it. What a file does not have is shown in English, and a test counts it.
//
//	{{t "{0} of {1} versions fit" (num .Total) (num .Of)}}
//	"{0} of {1} versions fit" = "{0} von {1} Fassungen passen"
//
// A sentence is text, never markup: it is escaped, and so is what is put into it, except template.HTML. Three signs have a
// meaning: {0}, {1} ... are what is put in, in any order; `code` is what is typed; **strong** is what stands out. Where one
// English word needs two translations, a word in brackets before a bar tells them apart and is not shown: "[verb]|open".
//
// A number with its noun has forms by the rules of the language (Unicode CLDR), so they are all in files, English too:
//
//	[counted]
//	"page" = { one = "{0} Seite", other = "{0} Seiten" }
//
// How numbers, dates and lengths of time are written is in the file as well. A new language is a new file: copy de.toml, and
// go test ./serve/message ./serve/ui says what is missing. Which language a visitor gets: the one chosen (a cookie), else the
// best of what the browser asks for, else English.
package message
