// Package surveyspeed measures what the table of spam features costs for a large made-up collection: CPU time and peak memory of each pass of
// spam/survey, content, links, words, compression and history.
//
// The collection is made as working tables (spam_words, spam_visits), not as WARC files: hosts with power-law links, some pages each in several
// snapshots, texts of a small vocabulary. So what is measured is all that holds more than one host at a time. What reads WARC files holds one
// record at a time and costs some milliseconds a page (varve spam features prints it); it is not part of this.
package surveyspeed
