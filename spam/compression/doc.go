// Package compression tells what a text is like by how well it packs: once behind a sample of spam, once behind a sample of
// normal text. What repeats the phrases of spam packs better behind spam (Bratko et al. 2006).
//
// Terms. A *dictionary* is 32 KB of sample text (the window of deflate), made of evenly long pieces of many hosts. A host must not
// be measured with a dictionary that holds its own words: Folds makes one pair for each fold, of the hosts outside of it.
//
// Cost: a measurement deflates the text (at most MaxText bytes) three times, about a millisecond for 16 KB; a dictionary is
// 32 KB and its prepared compressor 1 MB.
package compression
