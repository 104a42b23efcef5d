// Package veil keeps from visitors what access rules withhold, whatever shape an answer has.
//
// Captures are left out where they are read: by the indexes, so that they are neither shown nor counted. But answers also
// tell of pages by other ways: reports and events of crawls, plans, alerts, lists of media, tables that were derived. So
// every answer of screens and API passes here last, and a door that is added cannot forget to ask:
//
//	index, texts ──> door ──> answer (any Go value) ──> veil ──> JSON, template, event
//
// What it looks for are *addresses*: web addresses anywhere in a text, also escaped ones; index keys; and names of hosts in
// fields that are called so. Which captures an address stands for is told by the times beside it:
//
//	Started, Ended       all of that time: the address must be open at every instant of it
//	At, Time, From ...   the earliest of them
//	those of what it lies in, if there are none
//	none at all          some capture of it must be one that the visitor may see, if rules withhold any
//
// What goes. An item of a list or map that has a withheld address in a field of its own goes as a whole: titles and texts beside an
// address are of its page. A value under a name of its own is emptied, a line of a longer text is left out. The fields
// of the answer itself are emptied one by one, but for what the visitor said: addresses that were asked for come back.
//
// Texts of pages (title, text, snippet, anchor ...) are not looked into: they are of the page beside them, which may be seen.
// What people wrote to run the archive (plans, rules, notes) is not veiled from curators, who wrote it; doors say so.
//
// Paths of the archive in the file system of the server, which errors tell, are cut to what is below its directory for
// everybody; answers that are no values, like plain texts of errors, pass Paths.Handler.
//
// Where no rule withholds anything from the visitor the answer is given back as it is. Values are copied where something
// has to go, since answers may be shared between requests.
package veil
