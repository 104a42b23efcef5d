// Package needle tells which of many words are in a text, in one pass over it: what a router looks for in every
// page of a crawl would otherwise cost one pass a word.
//
// The algorithm is that of Wu and Manber (1994) on blocks of three bytes. Let m be the length of the shortest word. Each
// word has a *core*: m bytes of it, those that are least like what texts are full of (of `class="message` not "class").
// A window of m bytes moves over the text. The block at its end says how far it may move on:
//
//	shift[block] = the least distance from the block to the end of a core that has it; m-2 if none has
//
// so that many bytes are never looked at. Where the shift is 0, the words whose cores end with the block are
// compared. Blocks are hashed to 4096 places; a collision makes a shift smaller, never larger.
//
// Example: words "eval(" and "atob(", m = 5. In "return value" the window first ends behind "retur": the block "tur" is in
// no word, shift 3; then behind "urn v": "n v" is in none, shift 3; then behind "value": "lue", and the text is over.
//
// Cost: about n/(m-2) looks for a text of n bytes, plus one comparison of a word for each place that resembles one; at
// worst, for a text made of one word's end, n times the words that end so. Words of less than three bytes cost
// a pass each.
package needle
