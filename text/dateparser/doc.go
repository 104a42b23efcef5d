// Package dateparser stands in for github.com/markusmobius/go-dateparser, which go-htmldate imports
// for its extensive search. The original compiles the rules of two hundred languages when a program
// starts: a quarter of a second and 75 MB in every process that links it, whether it dates pages or
// not. go.mod replaces it by this module, which has the names that go-htmldate uses and nothing to
// set up.
//
// It reads absolute dates: a year, a month as a number or by its name, and a day.
//
//	2026-11-15   2026/11/15   2026.11.15    year first
//	15.11.2026   15/11/2026   11/15/2026    day first; month first where only that is a date
//	15 November 2026   November 15, 2026   15. Nov. 2026   15 de noviembre de 2026
//
// Months have names in 14 languages, whole or cut to three letters and more. Cost: one pass over at most 200
// bytes.
package dateparser
