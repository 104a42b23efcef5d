package derive

import "time"

// PageRow is one capture. Empty strings, zero numbers and the zero time mean unknown or none.
type PageRow struct {
	URL    string    `parquet:"url,zstd"`
	SURT   string    `parquet:"surt,zstd"` // index key, with the key of the request's body for other methods than GET
	Time   time.Time `parquet:"time,timestamp(microsecond),delta"`
	Record string    `parquet:"record,dict"` // response, revisit, resource
	Host   string    `parquet:"host,dict,zstd"`
	Domain string    `parquet:"domain,dict,zstd"` // pay-level domain
	Status int32     `parquet:"status"`
	Crawl  string    `parquet:"crawl,dict"` // isPartOf of the file's warcinfo
	Hops   string    `parquet:"hops,dict,zstd"`

	MIME         string `parquet:"mime_served,dict"`
	Detected     string `parquet:"mime_detected,dict"`
	Charset      string `parquet:"charset,dict"`
	Redirect     string `parquet:"redirect,zstd"`
	LastModified string `parquet:"last_modified,zstd"`
	ETag         string `parquet:"etag,zstd"`

	Language   string  `parquet:"language,dict"`
	Confidence float32 `parquet:"language_confidence"`
	Title      string  `parquet:"title,zstd"`
	Text       string  `parquet:"text,zstd"` // main text, or all text where there is no main one
	TextLength int32   `parquet:"text_length"`
	Words      int32   `parquet:"words"`
	Generator  string  `parquet:"generator,dict,zstd"`
	Canonical  string  `parquet:"canonical,zstd"`

	Dated          time.Time `parquet:"date,optional,timestamp(microsecond)"`
	DateEarliest   time.Time `parquet:"date_earliest,optional,timestamp(microsecond)"`
	DateLatest     time.Time `parquet:"date_latest,optional,timestamp(microsecond)"`
	DateSource     string    `parquet:"date_source,dict"`
	DateConfidence float32   `parquet:"date_confidence"`

	Published           string  `parquet:"published,dict"` // day of publication as written, 2006-01-02, or a month or a year; "" if it is not known
	PublishedSource     string  `parquet:"published_source,dict"`
	PublishedConfidence float32 `parquet:"published_confidence"`

	Digest      string `parquet:"digest,zstd"` // of the payload, as the record has it; of a revisit, that of the original
	DigestBytes string `parquet:"digest_bytes,zstd"`
	DigestDOM   string `parquet:"digest_dom,zstd"`
	DigestText  string `parquet:"digest_text,zstd"`
	DigestMain  string `parquet:"digest_main,zstd"`
	DigestLinks string `parquet:"digest_links,zstd"`
	Simhash     uint64 `parquet:"simhash"`
	Minhash     []byte `parquet:"minhash,zstd"` // 64 places of 4 bytes, of the main text

	Size   int64  `parquet:"size"` // of the content, as far as it was read
	Links  int32  `parquet:"links"`
	Embeds int32  `parquet:"embeds"`
	File   string `parquet:"file,dict"`
	Offset int64  `parquet:"offset,delta"`
	Length int64  `parquet:"length"`
	Error  string `parquet:"error,dict,zstd"` // why columns, links or text are missing
}

// Link is one link of a page.
type Link struct {
	Source string    `parquet:"source,dict,zstd"`
	Time   time.Time `parquet:"time,timestamp(microsecond),delta"`
	Target string    `parquet:"target,zstd"`
	Kind   string    `parquet:"kind,dict"` // docs/links.md
	Hop    string    `parquet:"hop,dict"`  // link, embed, redirect, feed, form, speculative
	Anchor string    `parquet:"anchor,zstd"`
	Rel    string    `parquet:"rel,dict,zstd"`
}

// Host sums up a host.
type Host struct {
	Host     string    `parquet:"host"`
	Domain   string    `parquet:"domain,dict"`
	Captures int64     `parquet:"captures"`
	Pages    int64     `parquet:"pages"`    // HTML with status 2xx
	Revisits int64     `parquet:"revisits"` // records that refer to an earlier one
	Errors   int64     `parquet:"errors"`   // status 4xx and 5xx
	Bytes    int64     `parquet:"bytes"`    // of content
	First    time.Time `parquet:"first,optional,timestamp(microsecond)"`
	Last     time.Time `parquet:"last,optional,timestamp(microsecond)"`
	Out      int64     `parquet:"links_out"` // links from pages of this host to others
	In       int64     `parquet:"links_in"`  // links from pages of other hosts to this one
	Inside   int64     `parquet:"links_inside"`
}

// CrawlDay sums up what one crawl captured on one day.
type CrawlDay struct {
	Crawl    string    `parquet:"crawl,dict"` // empty: the file does not say
	Day      time.Time `parquet:"day,timestamp(microsecond)"`
	Captures int64     `parquet:"captures"`
	Pages    int64     `parquet:"pages"`
	Revisits int64     `parquet:"revisits"`
	Errors   int64     `parquet:"errors"`
	Bytes    int64     `parquet:"bytes"`
}

// VersionRow is one state of a page: captures in a row with the same main text (or bytes, of what is no
// HTML). It is valid from its first capture until the first capture of another state.
type VersionRow struct {
	URL    string `parquet:"url,zstd"` // of its first capture
	SURT   string `parquet:"surt,zstd,delta"`
	Host   string `parquet:"host,dict,zstd"`
	Domain string `parquet:"domain,dict,zstd"`

	From     time.Time `parquet:"from,timestamp(microsecond)"`           // first capture
	Last     time.Time `parquet:"last,timestamp(microsecond)"`           // last capture
	Until    time.Time `parquet:"until,optional,timestamp(microsecond)"` // first capture of another state, or that it is gone; null: none
	Captures int32     `parquet:"captures"`
	Crawl    string    `parquet:"crawl,dict"` // of its first capture

	MIME       string  `parquet:"mime,dict"` // as detected
	Language   string  `parquet:"language,dict"`
	Confidence float32 `parquet:"language_confidence"`
	Title      string  `parquet:"title,zstd"`
	Text       string  `parquet:"text,zstd"`
	Words      int32   `parquet:"words"`
	Simhash    uint64  `parquet:"simhash"`
	Minhash    []byte  `parquet:"minhash,zstd"`

	Dated          time.Time `parquet:"date,optional,timestamp(microsecond)"`
	DateSource     string    `parquet:"date_source,dict"`
	DateConfidence float32   `parquet:"date_confidence"`

	Published           string  `parquet:"published,dict"` // day of publication as written, 2006-01-02, or a month or a year; "" if it is not known
	PublishedSource     string  `parquet:"published_source,dict"`
	PublishedConfidence float32 `parquet:"published_confidence"`

	Anchors string `parquet:"anchors,zstd"` // what links to the page call it, one a line, commonest first
	Inlinks int32  `parquet:"inlinks"`      // hosts and anchors that link to it, each pair once a file

	State  string `parquet:"state,zstd"` // digest that tells the state: of the main text, or of the bytes
	Digest string `parquet:"digest,zstd"`
	Size   int64  `parquet:"size"`
	File   string `parquet:"file,dict"` // of its first capture
	Offset int64  `parquet:"offset"`
	Length int64  `parquet:"length"`
}
