// Package store is the seam between an archive and the place where its WARC files lie: the directory of the archive, as ever,
// or an object store beyond the machine (cluster/s3).
//
// Terms:
//
//	object   a finished file, under a key: "collections/news/warc/a.warc.gz". It never changes; size and SHA-256 are known before it is put
//	store    where objects lie. All implementations pass one suite, archive/store/storetest
//	source   how one file of a collection is opened when it may not lie on the disk; nil: it does
//	block    the unit of the cache: a piece of an object, 1 MiB
//
// Guarantees of a store. Put is atomic: an object is there whole, with the digest that was announced, or it is not there. Put never
// replaces: the same object again is no error, another one under the same key is (ErrExists). When Put returns nil, the object is
// durable as far as the store can promise it. A read returns the bytes of the object or an error, never fewer bytes without one.
//
// Readers. Code that reads files of a collection takes path and source together from catalog.File and calls Open, which costs a
// comparison where the file lies on the disk. Readers of objects come in order of offset (scans) or jump (replay): Cached keeps
// blocks in memory and, where configured, on disk, both bounded, and fetches more at once the longer a reader goes on in order:
//
//	miss at block b:  reader came from b-1? run = min(2*run, 8) : run = 1
//	                  fetch blocks b..b+run-1 with one request; one fetch of a block at a time, others wait for it
//
// Cost: a cached read is a map lookup and a copy. Memory: the configured bound, and 8 MiB for each reader that goes in order.
package store
