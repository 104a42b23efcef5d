// Package asset makes the bytes of everything that is not HTML: images, PDF, style sheets,
// scripts, JSON. The files are valid, about as large as asked for, and as hard to compress as real
// ones: pictures hardly, text well.
//
// A file is named by a number and always the same for it:
//
//	picture(name, size):  valid frame, then bytes of the stream of dice named name
//	text(name, size):     lines over the vocabulary until the size is reached
//
// Cost is linear in the size: about 400 MB/s for pictures, 40 to 200 MB/s for text.
package asset
