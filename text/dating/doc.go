// Package dating says when the version of a page that was captured came to be, mu of the coherence model (Of), and on what day the page was published (Stamps.Published).
// The two are apart: the first is an instant with bounds, the second a day as it is written, in the zone of who wrote it.
//
// Terms. A *stamp* is a time that somebody states: the server (Last-Modified), the page (metadata, structured data, a
// time element, a line in the footer) or the sitemap. A *finding* is a stamp with its source and with the instants
// between which the change must lie if the stamp is right: a date without a time of day spans a day and the zones of
// the earth. *Trust* is what earlier captures of a host say about stamps of one source.
//
// Stamps are judged one source after the other, and the first trustworthy one is the answer:
//
//	Last-Modified    refused if unreadable, before 1991, later than the answer, within 2 s of it,
//	                 or if the host's trust is low
//	page, sitemap    the same rules; trust is kept per host and source
//	digest           equal to the previous capture: the change is not later than that one;
//	                 different: it lies between the two
//	published        the date of first publication: the change is not earlier
//	visit            nothing is known but that the page was there
//
// The digest also judges stamps: one that says "changed since" of an equal page, or "not changed since" of a different
// one, is refused, whatever the trust.
//
// Trust of a source of a host, 0 to 1:
//
//	score = usable * variety * min((told+4) / (told+silent+5), (quiet+4) / (quiet+moved+5))
//	usable   share of its stamps that were not refused on sight
//	variety  1, but 0.2 if one stamp is that of more than half of the pages, and 0.9 with fewer than 5 pages
//	told     revisits on which the content changed and the stamp moved; silent: on which it did not move
//	quiet    revisits on which neither the content changed nor the stamp moved; moved: on which it moved
//
// So a source is as good as its worse half: one that stays silent about every third change is worth no more than that,
// however many quiet revisits there are. Without revisits the score is 0.8 for stamps that look right; from TrustedFrom
// (0.7) on a stamp is believed. What counts as a change (the layer) is up to the caller, but must be the same throughout.
//
// The day of publication is taken from the first place that states one which is neither later than the capture nor before 1995:
//
//	address          /2006/01/02/; other forms of a day there count if no metadata contradict them by more than a day
//	metadata         meta elements that say published, datePublished of the article in structured data (not of videos,
//	                 comments and lists inside), microdata, time and abbr elements marked as published
//	page             meta elements that say date, elements whose class or id does, time elements, the headings, bylines,
//	                 text right behind the heading; what stands in navigation, related articles and footers comes last
//	last change      if the page states no other day; then a month of the address, or the year of a copyright
//
// An instant in UTC has two or three days; the address, the same instant in a zone, or a date for people tells which was meant. Names of meta elements, and much of this
// order, are those of htmldate by A. Barbaresi (Apache-2.0). Months are data: months.txt.
//
// Cost: one pass over the markup, about 100 MB per CPU-second; Trust needs constant memory per host and source.
package dating
