// Package archive groups what is kept and how: warc (read, write, check, repair WARC and ARC),
// cdxj (the CDXJ and ZipNum codec), wacz (packages for exchange), history (what each URL
// answered before).
package archive
