package content

import "varve/spam/feature"

// Feature is the place of a feature in the vector of a page.
type Feature int

// The features of a page, in the order of the vector. Definitions has their formulas.
const (
	Words Feature = iota
	TitleWords
	TitleLength
	WordLength
	AnchorFraction
	VisibleFraction
	GzipRatio
	Popular100
	Popular200
	Popular500
	Popular1000
	CorpusPrecision100
	CorpusPrecision200
	CorpusPrecision500
	CorpusPrecision1000
	CorpusRecall100
	CorpusRecall200
	CorpusRecall500
	CorpusRecall1000
	QueryPrecision100
	QueryPrecision200
	QueryPrecision500
	QueryPrecision1000
	QueryRecall100
	QueryRecall200
	QueryRecall500
	QueryRecall1000
	TrigramLikelihood
	Entropy
	TopWord
	Distinct
	Sentences
	SentenceLength
	SentenceDeviation
	Characters
	Lower
	Capitalised
	Upper
	Mixed
	Numeric
	Punctuation
	HiddenFraction
	DisguisedFraction
	HiddenBlocks
	ScriptRedirect
	ScriptObfuscated
	ScriptEval
	MetaRefresh
	RedirectExecuted
	ScriptFraction
	Frames
	MetaKeywords
	MetaDescription
	Cloaking
	RobotsNoindex
	RobotsNofollow
	LinksInside
	LinksOutside
	HostsOutside
	OutsideFraction
	TopOutside
	TopOutsideShare
	TopOutsideAnchors
	LinkDensity
	EmbedCount
	URLLength
	URLDepth
	URLPunctuation
	URLDigits
	URLParameters
	HostLength
	HostPunctuation
	HostDigits
	HostLabels
	count
)

// Features is the vector of a page: NaN where a value is not known.
type Features [count]float64

// Definitions tell the features of a page, in the order of the vector.
func Definitions() []feature.Definition { return definitions[:] }

const (
	gc, gl, gm, ga = feature.Content, feature.Language, feature.Markup, feature.Address
	page, corpus   = feature.Page, feature.Corpus
)

var definitions = [count]feature.Definition{
	Words:               feature.Define("words", gc, page, "words of the visible text"),
	TitleWords:          feature.Define("title_words", gc, page, "words of the title"),
	TitleLength:         feature.Define("title_length", gc, page, "characters of the title"),
	WordLength:          feature.Define("word_length", gc, page, "characters of words / words"),
	AnchorFraction:      feature.Define("anchor_fraction", gc, page, "words in anchor texts / words"),
	VisibleFraction:     feature.Define("visible_fraction", gc, page, "bytes of visible text / bytes of the body"),
	GzipRatio:           feature.Define("gzip_ratio", gc, page, "bytes of visible text / bytes after deflate (level 6)"),
	Popular100:          feature.Define("popular_100", gc, corpus, "share of the words that are among the 100 commonest of the collection, stop words too"),
	Popular200:          feature.Define("popular_200", gc, corpus, "the same for 200"),
	Popular500:          feature.Define("popular_500", gc, corpus, "the same for 500"),
	Popular1000:         feature.Define("popular_1000", gc, corpus, "the same for 1000"),
	CorpusPrecision100:  feature.Define("corpus_precision_100", gc, corpus, "distinct words among the 100 commonest without stop words / distinct words"),
	CorpusPrecision200:  feature.Define("corpus_precision_200", gc, corpus, "the same for 200"),
	CorpusPrecision500:  feature.Define("corpus_precision_500", gc, corpus, "the same for 500"),
	CorpusPrecision1000: feature.Define("corpus_precision_1000", gc, corpus, "the same for 1000"),
	CorpusRecall100:     feature.Define("corpus_recall_100", gc, corpus, "share of the 100 commonest words without stop words that are on the page"),
	CorpusRecall200:     feature.Define("corpus_recall_200", gc, corpus, "the same for 200"),
	CorpusRecall500:     feature.Define("corpus_recall_500", gc, corpus, "the same for 500"),
	CorpusRecall1000:    feature.Define("corpus_recall_1000", gc, corpus, "the same for 1000"),
	QueryPrecision100:   feature.Define("query_precision_100", gc, corpus, "distinct words among the 100 commonest query words / distinct words (without a query log: words of titles)"),
	QueryPrecision200:   feature.Define("query_precision_200", gc, corpus, "the same for 200"),
	QueryPrecision500:   feature.Define("query_precision_500", gc, corpus, "the same for 500"),
	QueryPrecision1000:  feature.Define("query_precision_1000", gc, corpus, "the same for 1000"),
	QueryRecall100:      feature.Define("query_recall_100", gc, corpus, "share of the 100 commonest query words that are on the page"),
	QueryRecall200:      feature.Define("query_recall_200", gc, corpus, "the same for 200"),
	QueryRecall500:      feature.Define("query_recall_500", gc, corpus, "the same for 500"),
	QueryRecall1000:     feature.Define("query_recall_1000", gc, corpus, "the same for 1000"),
	TrigramLikelihood:   feature.Define("trigram_likelihood", gc, corpus, "−(1/k) Σ ln P(w₁w₂w₃) over the k word trigrams, P from the collection"),
	Entropy:             feature.Define("entropy", gc, page, "−Σ p(w) log₂ p(w) over distinct words"),
	TopWord:             feature.Define("top_word", gc, page, "share of the commonest word"),
	Distinct:            feature.Define("distinct", gc, page, "distinct words / words"),
	Sentences:           feature.Define("sentences", gl, page, "sentences of the text"),
	SentenceLength:      feature.Define("sentence_length", gl, page, "mean words of a sentence"),
	SentenceDeviation:   feature.Define("sentence_deviation", gl, page, "standard deviation of the words of a sentence"),
	Characters:          feature.Define("characters", gl, page, "characters of the text"),
	Lower:               feature.Define("case_lower", gl, page, "share of words in small letters"),
	Capitalised:         feature.Define("case_capitalised", gl, page, "share of words with a capital at the beginning only"),
	Upper:               feature.Define("case_upper", gl, page, "share of words in capitals (two letters or more)"),
	Mixed:               feature.Define("case_mixed", gl, page, "share of words with capitals inside"),
	Numeric:             feature.Define("case_numeric", gl, page, "share of words with a digit"),
	Punctuation:         feature.Define("punctuation", gl, page, "share of characters that are punctuation"),
	HiddenFraction:      feature.Define("hidden_fraction", gm, page, "bytes of words in elements that are not shown (display, visibility, hidden) / bytes of words in the markup"),
	DisguisedFraction:   feature.Define("disguised_fraction", gm, page, "bytes of words in the colour of the ground, without size, transparent or off the screen / bytes of words"),
	HiddenBlocks:        feature.Define("hidden_blocks", gm, page, "stretches of hidden or disguised words"),
	ScriptRedirect:      feature.Define("script_redirect", gm, page, "1 if a script sends the reader away as it loads"),
	ScriptObfuscated:    feature.Define("script_obfuscated", gm, page, "1 if that shows only after strings are decoded or put together"),
	ScriptEval:          feature.Define("script_eval", gm, page, "calls of eval, unescape, fromCharCode, atob, document.write"),
	MetaRefresh:         feature.Define("meta_refresh", gm, page, "1 if a meta element sends the reader to another address within 10 s"),
	RedirectExecuted:    feature.Define("redirect_executed", gm, page, "1 if a browser that ran the page ended on another host; unknown if none did"),
	ScriptFraction:      feature.Define("script_fraction", gm, page, "bytes of scripts / bytes of the body"),
	Frames:              feature.Define("frames", gm, page, "frame and iframe elements"),
	MetaKeywords:        feature.Define("meta_keywords", gm, page, "words in meta keywords"),
	MetaDescription:     feature.Define("meta_description", gm, page, "words in meta description"),
	Cloaking:            feature.Define("cloaking", gm, page, "1 − cosine of the words that two user agents got; unknown with one"),
	RobotsNoindex:       feature.Define("robots_noindex", feature.Server, page, "1 if robots meta or header says noindex or none"),
	RobotsNofollow:      feature.Define("robots_nofollow", feature.Server, page, "1 if robots meta or header says nofollow or none"),
	LinksInside:         feature.Define("links_inside", feature.Links, page, "links to its own host"),
	LinksOutside:        feature.Define("links_outside", feature.Links, page, "links to other hosts"),
	HostsOutside:        feature.Define("hosts_outside", feature.Links, page, "other hosts that it links to"),
	OutsideFraction:     feature.Define("outside_fraction", feature.Links, page, "links to other hosts / links"),
	TopOutside:          feature.Define("top_outside", feature.Links, page, "links to the other host that it links most"),
	TopOutsideShare:     feature.Define("top_outside_share", feature.Links, page, "those / links to other hosts"),
	TopOutsideAnchors:   feature.Define("top_outside_anchors", feature.Links, page, "different anchor texts of those / those"),
	LinkDensity:         feature.Define("link_density", feature.Links, page, "links / words"),
	EmbedCount:          feature.Define("embeds", feature.Links, page, "parts that the page is made of"),
	URLLength:           feature.Define("url_length", ga, page, "bytes of path and query"),
	URLDepth:            feature.Define("url_depth", ga, page, "parts of the path"),
	URLPunctuation:      feature.Define("url_punctuation", ga, page, "signs other than letters, digits and / in path and query"),
	URLDigits:           feature.Define("url_digits", ga, page, "digits in path and query"),
	URLParameters:       feature.Define("url_parameters", ga, page, "parameters of the query"),
	HostLength:          feature.Define("host_length", ga, page, "bytes of the host name"),
	HostPunctuation:     feature.Define("host_punctuation", ga, page, "hyphens and other signs in the host name, dots not counted"),
	HostDigits:          feature.Define("host_digits", ga, page, "digits in the host name"),
	HostLabels:          feature.Define("host_labels", ga, page, "labels of the host name"),
}

// Skewed tells of each page feature whether it is a count, which spreads over powers of ten.
func Skewed() []bool {
	out := make([]bool, count)
	for _, f := range []Feature{
		Words, TitleWords, TitleLength, GzipRatio, Sentences, SentenceLength, SentenceDeviation, Characters, HiddenBlocks, ScriptEval, Frames,
		MetaKeywords, MetaDescription, LinksInside, LinksOutside, HostsOutside, TopOutside, EmbedCount, URLLength, URLDepth, URLPunctuation, URLDigits,
		URLParameters, HostLength, HostPunctuation, HostDigits, HostLabels,
	} {
		out[f] = true
	}
	return out
}

// Means gives the mean of each page feature over the pages taken in.
func (h *Host) Means() []float64 {
	out := make([]float64, count)
	for i := range h.moments {
		out[i] = h.moments[i].Average()
	}
	return out
}
