// Package bag writes and checks bags (BagIt 1.0, RFC 8493): the form in which libraries hand collections to each other and to
// preservation stores.
//
// Terms: the *payload* are the files under data/; *tag files* are those beside it. The *manifest* lists every payload file
// with its digest, the *tag manifest* the tag files. The *oxum* is the number of bytes and files of the payload.
//
//	write: into NAME.open: copy each file, hashing -> manifest -> bag-info.txt -> tag manifest -> sync -> rename to NAME
//	check: declaration -> manifests of every algorithm known -> each file hashed once, compared with all of them
//	       -> files that no manifest lists -> oxum
//
// A bag from elsewhere is hostile until checked: its paths are read through an os.Root, so they cannot lead out of it, and its
// manifests are bounded.
//
// Cost: writing reads and writes each file once, checking reads it once; memory is the list of files.
package bag
