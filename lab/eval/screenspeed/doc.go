// Package screenspeed measures what each screen costs the server on a large archive: processor time of the process around one request, cold
// (the first time) and warm (the second), and the bytes of the answer.
//
// The archive is made up, and made fast: crawls with definition, report, events and, every fifth, a coherence report; one WARC file per crawl with real
// records of four addresses, so that replay, comparison and documents have something to read; and an index of captures whose other lines
// stand for records that nobody reads. Over it lie the index of versions in time and a text index of a part of the versions, built by the product.
// Nothing is indexed or derived by the server meanwhile.
//
//	crawls n = 0 ..      begin a day apart, and take in turn a part of the addresses
//	address a of host h  https://hH.example/section/A, captured every few crawls; its content changes at every seventh capture
//
// Cost: about 25 µs of CPU for each capture to make it, 1 ms for each document of the text index; 5 million captures and 60,000 documents take some four minutes
// of CPU and 1.5 GB of disk.
package screenspeed
