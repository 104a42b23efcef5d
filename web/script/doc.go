// Package script cuts JavaScript into tokens. It is the one lexer of the language in this program: links looks in
// scripts for addresses, replay renames what a script must not reach, the spam features ask what a script does.
//
// JavaScript cannot be cut without knowing a little of its grammar: whether a slash divides or begins a regular
// expression, and whether a brace opens a block or an object, depends on what stands before. The lexer keeps one byte
// for each bracket that is open and a few facts about the last token, which decides all cases of the language that
// occur in practice:
//
//	a / b        after an operand a slash divides: names, literals, ) ] } of an expression, a++
//	if (a) /b/   the parenthesis of if, while, for and with is no operand
//	} /b/        nor is the brace of a block or of a class; that of an object is
//	`a${b}c`     the hole of a template is a bracket, and its brace goes on with the template
//	a: {}        a block after a label or case, an object after a key or a condition
//
// It never fails. What is no JavaScript comes out as some tokens, in order and without overlap: a string or regular
// expression that its line cuts off ends there, brackets that fit nothing are passed, brackets deeper than MaxDepth are
// counted and no longer told apart.
//
// Cost: linear in the bytes; nothing is allocated per token (the stack of brackets grows to at most MaxDepth bytes and
// is kept by Reset). Tries to find the end of what looks like a regular expression may together read four times the
// script and no more.
//
// By ECMA-262 edition 16 with the comments of HTML (annex B.1.1) that old pages have: "<!--" anywhere and "-->" at the
// beginning of a line are comments up to the end of the line. In a module they are operators, which nobody writes.
package script
