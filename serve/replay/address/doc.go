// Package address reads and writes the addresses of replay: which capture of which URL, in which form.
//
// The forms are those that other archives use, so that links, scripts and aggregators work:
//
//	/news/20261108030211mp_/http://a.example/p   the capture nearest to an instant, as page content
//	/news/20261108030211/http://a.example/p      the same in a frame with the banner
//	/news/2026mp_/http://a.example/p             part of a time: the last instant it may mean
//	/news/http://a.example/p                     no time: the newest; also the TimeGate
//	/news/timegate/http://a.example/p            the TimeGate by name
//	/news/timemap/link/http://a.example/p        all captures; /timemap/link/2/... is the second page
//	/news/*/http://a.example/p                   what there is of a URL; 2009-2015* bounds it
//	/news/*/http://a.example/p*                  what there is below it
//
// A key may stand behind the collection (/news~KEY/...): addresses of archived content carry there what scripts of
// the page may ask for. Addresses that people see and cite have none.
//
// The modifier ("mp_") tells what the answer is used as. Parsing works on the escaped path as it came: the URL in
// it is not touched, except that slashes lost on the way ("http:/x") are put back and a missing scheme is http.
//
// Cost: linear in the length of the path; no state.
package address
