// Package statement makes and checks coherence statements: signed JSON documents that say of every page
// of a capture when it was visited and revisited, what was found, how well that is proven, and which
// records of which WARC files it rests on.
//
// Terms. The *chain* of a file is a hash over all its records in order, so over all its bytes:
//
//	chain(0) = SHA-256("varve-chain/1")
//	chain(i) = SHA-256(chain(i-1) || SHA-256(bytes of record i in the file, up to the next record))
//
// The *mark* of a record is the first 72 bits of its own hash. Marks are short since the chain, in full
// length, says whether anything changed; marks only say where. The *body* of a statement is its canonical
// form (RFC 8785) without the member "signature"; the Ed25519 signature is over its SHA-256.
//
// Making a statement is one scan of the files: the chain is made of the records as they are read for the evidence (Chains). Pages and
// records stream through temporary files, so memory does not grow with them. Checking needs nothing but the statement
// and the files:
//
//	signature   over the body, with the key in the statement; is the key one that is known?
//	records     hash every record where the statement says it lies; a mark that differs names the record;
//	            if the length of the file is another, find records by their ids
//	pages       collect the evidence again and compare page by page
//	metrics     add them up again
//
// docs/formats/statement.md has the fields.
package statement
