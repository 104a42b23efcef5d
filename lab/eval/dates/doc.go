// Package dates measures how often the day of publication of pages is right, by the source that it was taken from, beside Python's htmldate on the same pages if it is there.
//
// The pages are a folder with a list (pages.tsv), or the source of go-htmldate, which has 1,000 real pages with their days; none is ours to ship. The rules of htmldate were
// made with all of these at hand. Ours were made on half of them (an even FNV-1a of the address), and the other half, kept, is measured apart. Where a page
// shows two days, its publication and a later change, the lists name now the one and now the other.
package dates
