package stored

// SliceRow is a year.
type SliceRow struct {
	Year    int32 `parquet:"year" json:"year"`
	Texts   int64 `parquet:"texts" json:"texts"`
	Phrases int64 `parquet:"phrases" json:"phrases"` // each as often as it occurs
	Terms   int64 `parquet:"terms" json:"terms"`
	Edges   int64 `parquet:"edges" json:"edges"`
	Senses  int64 `parquet:"senses" json:"senses"`
	Pairs   int64 `parquet:"pairs" json:"pairs"`     // of terms in lists, also those that are too few
	Dropped int64 `parquet:"dropped" json:"dropped"` // phrases, and pairs of company, that were too rare to be held in memory
}

// EdgeRow is two terms that stand in lists together.
type EdgeRow struct {
	A     string `parquet:"a,zstd,dict" json:"a"`
	B     string `parquet:"b,zstd,dict" json:"b"`
	Texts int32  `parquet:"texts" json:"texts"`
}

// ClusterRow is a term of a sense.
type ClusterRow struct {
	Cluster   int32   `parquet:"cluster,delta" json:"cluster"`
	Term      string  `parquet:"term,zstd,dict" json:"term"`
	Curvature float64 `parquet:"curvature" json:"curvature"`
}

// TermRow is how often a term is said in a year.
type TermRow struct {
	Term  string `parquet:"term,zstd,delta" json:"term"`
	Year  int32  `parquet:"year" json:"year"`
	Count int64  `parquet:"count" json:"count"`
}

// CompanyRow is a phrase that stands in sentences with a term in a year.
type CompanyRow struct {
	Term      string  `parquet:"term,zstd,delta" json:"term"`
	Year      int32   `parquet:"year" json:"year"`
	Companion string  `parquet:"companion,zstd,dict" json:"companion"`
	Count     int64   `parquet:"count" json:"count"`
	Weight    float64 `parquet:"weight" json:"weight"` // how much more than elsewhere (company.go)
}

// UnitRow is a term that represents a unit.
type UnitRow struct {
	Unit  int32  `parquet:"unit,delta" json:"unit"`
	From  int32  `parquet:"from" json:"from"`
	To    int32  `parquet:"to" json:"to"`
	Place int32  `parquet:"place" json:"place"` // the best first
	Term  string `parquet:"term,zstd,dict" json:"term"`
}

// NameRow is a name in a year.
type NameRow struct {
	Key   string `parquet:"key,zstd,delta" json:"key"`
	Name  string `parquet:"name,zstd,dict" json:"name"` // as it is mostly written
	Year  int32  `parquet:"year" json:"year"`
	Texts int64  `parquet:"texts" json:"texts"`
	Rises bool   `parquet:"rises" json:"rises"` // it came into use then
}

// FormerRow is what a thing may have been called before.
type FormerRow struct {
	Key      string   `parquet:"key,zstd,delta" json:"key"`
	Name     string   `parquet:"name,zstd,dict" json:"name"`
	Place    int32    `parquet:"place" json:"place"` // the likeliest first
	OldKey   string   `parquet:"old_key,zstd,dict" json:"old_key"`
	Old      string   `parquet:"old,zstd,dict" json:"old"`
	Year     int32    `parquet:"year" json:"year"`
	Score    float64  `parquet:"score" json:"score"`
	Likeness float64  `parquet:"likeness" json:"likeness"`
	Step     float64  `parquet:"step" json:"step"`
	Before   int32    `parquet:"before" json:"before"`
	After    int32    `parquet:"after" json:"after"`
	Support  int32    `parquet:"support" json:"support"`
	Direct   bool     `parquet:"direct" json:"direct"`
	Shared   []string `parquet:"shared,list" json:"shared"`
}

// RewordedRow is what may have been said for a term in the years before it came into use.
type RewordedRow struct {
	Term     string   `parquet:"term,zstd,delta" json:"term"`
	Place    int32    `parquet:"place" json:"place"` // the likeliest first
	Old      string   `parquet:"old,zstd,dict" json:"old"`
	Year     int32    `parquet:"year" json:"year"`   // from which on years are counted together that have the term
	Since    int32    `parquet:"since" json:"since"` // first of the years before it, which have the old one
	To       int32    `parquet:"to" json:"to"`       // last of the years that have the term
	Score    float64  `parquet:"score" json:"score"`
	Likeness float64  `parquet:"likeness" json:"likeness"`
	Fall     float64  `parquet:"fall" json:"fall"` // how much rarer the old one became
	Texts    int32    `parquet:"texts" json:"texts"`
	OldTexts int32    `parquet:"old_texts" json:"old_texts"`
	Shared   []string `parquet:"shared,list" json:"shared"` // companions of both, those that say most first; @ is a host, + a neighbour in a list
}

// EmergingRow is a phrase that begins to be used.
type EmergingRow struct {
	Phrase      string  `parquet:"phrase,zstd" json:"phrase"`
	Year        int32   `parquet:"year" json:"year"` // in which it is told, from the texts up to it
	Begun       int32   `parquet:"begun" json:"begun"`
	Texts       int32   `parquet:"texts" json:"texts"` // from begun to year
	Share       float64 `parquet:"share" json:"share"`
	Probability float64 `parquet:"probability" json:"probability"` // to last; 0: there was nothing to learn from
	// First are the texts that have it first, each the time of its capture (14 digits), a blank and its address.
	First []string `parquet:"first,list" json:"first"`
}
