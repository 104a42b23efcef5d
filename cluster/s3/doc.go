// Package s3 is the store of an archive (archive/store) on any server that speaks the S3 protocol: objects in one bucket, below a prefix.
//
// Put sends what fits into one part with one request, more as a multipart upload. Nothing is believed, neither side's word:
//
//	each request carries the SHA-256 of its bytes (x-amz-checksum-sha256, and x-amz-content-sha256 which is signed), and the server refuses others
//	If-None-Match: *   the server refuses to replace an object, even one that came meanwhile
//	the digest of all parts together is compared with the announced one before the upload is completed
//	afterwards the server is asked what it has: size, digest in the metadata, checksum of checksums where it tells one
//
// Resuming. An upload that broke off is found again by its key: parts that the server has with the right size and digest are not
// sent again. So nothing need be remembered here, and a kill costs a part. What nobody resumes is removed by Sweep.
//
// Failures. Requests that may succeed when they are sent again are (minio-go does it, with backoff); each has a time that grows with its
// size. What a person must see to is told in plain words: keys, bucket, region, clock, a full bucket, a server that cannot do it.
//
// Cost: Put reads a file twice (digest of each part, then the part); one part at a time. Reads are one request each: store.Cached
// goes before it. The client is minio-go: 1.0 MB of the program (docs/decisions/20261118_store.md).
package s3
