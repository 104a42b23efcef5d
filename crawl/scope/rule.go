package scope

// Word is what a rule says.
type Word string

// The words of a rule.
const (
	Accept Word = "accept"
	Reject Word = "reject"
	Pass   Word = "pass" // only in explanations: the rule has nothing to say
)

// Rule is one rule as written in TOML. All conditions given must hold; inside a list one is enough. See
// docs/formats/scope.md.
type Rule struct {
	Name string `toml:"name,omitempty" json:"name,omitempty"`
	Do   Word   `toml:"do" json:"do"`
	Not  bool   `toml:"not,omitempty" json:"not,omitempty"` // speaks when the conditions are known and do not hold

	// Follow says whether the links of the page are followed, where that is not what Do says: a page that is rejected and
	// followed is fetched and not recorded, one that is accepted and not followed is recorded as an end.
	Follow *bool `toml:"follow,omitempty" json:"follow,omitempty"`

	// Where the URL lies.
	Seeds      bool     `toml:"seeds,omitempty" json:"seeds,omitempty"`                 // is a seed
	Redirected bool     `toml:"seed-redirect,omitempty" json:"seed-redirect,omitempty"` // only redirects lead to it from a seed
	SeedPage   bool     `toml:"seed-page,omitempty" json:"seed-page,omitempty"`         // same URL as a seed
	SeedPrefix bool     `toml:"seed-prefix,omitempty" json:"seed-prefix,omitempty"`     // below the folder of a seed
	SeedHost   bool     `toml:"seed-host,omitempty" json:"seed-host,omitempty"`         // on the host of a seed
	SeedDomain bool     `toml:"seed-domain,omitempty" json:"seed-domain,omitempty"`     // on the pay-level domain of a seed
	Scheme     []string `toml:"scheme,omitempty" json:"scheme,omitempty"`
	Prefix     []string `toml:"prefix,omitempty" json:"prefix,omitempty"` // URL or SURT prefixes
	Host       []string `toml:"host,omitempty" json:"host,omitempty"`
	Domain     []string `toml:"domain,omitempty" json:"domain,omitempty"`           // the name and all below it
	Regex      []string `toml:"regex,omitempty" json:"regex,omitempty"`             // RE2, anywhere in the URL
	LongerThan int      `toml:"longer-than,omitempty" json:"longer-than,omitempty"` // bytes of the URL
	DeeperThan int      `toml:"deeper-than,omitempty" json:"deeper-than,omitempty"` // path segments

	// How it was found.
	Hop         []string `toml:"hop,omitempty" json:"hop,omitempty"`                   // kind of the last hop
	HopsOver    *int     `toml:"hops-over,omitempty" json:"hops-over,omitempty"`       // more reader's hops than this
	EmbedWithin int      `toml:"embed-within,omitempty" json:"embed-within,omitempty"` // part of a page, at most this deep
	Guesses     *int     `toml:"guesses,omitempty" json:"guesses,omitempty"`           // speculative hops allowed by embed-within; default 1
	Stray       bool     `toml:"stray-guess,omitempty" json:"stray-guess,omitempty"`   // a guess that leads to another host than that of the page, and to none of a seed
	HopPath     string   `toml:"hop-path,omitempty" json:"hop-path,omitempty"`         // RE2 over the hop letters
	Via         []string `toml:"via,omitempty" json:"via,omitempty"`                   // RE2 over the URL of the page it was found on
	ViaHost     []string `toml:"via-host,omitempty" json:"via-host,omitempty"`
	NoFollow    bool     `toml:"nofollow,omitempty" json:"nofollow,omitempty"`
	Robots      Robots   `toml:"robots,omitempty" json:"robots,omitempty"` // "allowed" or "forbidden"

	// What it is, once known.
	MIME           []string `toml:"mime,omitempty" json:"mime,omitempty"` // "image/*", "text/html"
	LargerThan     Size     `toml:"larger-than,omitempty" json:"larger-than,omitempty"`
	SmallerThan    Size     `toml:"smaller-than,omitempty" json:"smaller-than,omitempty"`
	Language       []string `toml:"language,omitempty" json:"language,omitempty"` // "pt" also takes "pt-BR"
	SpamOver       *float64 `toml:"spam-over,omitempty" json:"spam-over,omitempty"`
	RelevanceUnder *float64 `toml:"relevance-under,omitempty" json:"relevance-under,omitempty"`
	RelevanceOver  *float64 `toml:"relevance-over,omitempty" json:"relevance-over,omitempty"`
	Trap           []string `toml:"trap,omitempty" json:"trap,omitempty"` // kinds of suspicion, or "any"
}
