// Package journal keeps what people decided and what was done to a collection: files of JSON lines
// that only grow. They are the originals of an archive beside WARC, so a line is durable when Append
// returns, and a line once written is never changed; a later line takes it back.
//
//	append: a torn last line (a crash in the middle, never acknowledged) is cut first, then all lines in one write, then sync
//	read:   one value a line; a line that is none is an error with its number, and the reading goes on
//	        (Each: such lines are counted and named, and everybody who reads tells of them where the user looks)
//
// Writers of one file hold its lock (flock), so two processes cannot write into each other's lines.
// Cost: an append is one write and one sync; reading is linear and holds one line.
package journal
