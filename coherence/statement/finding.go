package statement

import (
	"fmt"
	"time"
)

// Kind says what is wrong.
type Kind string

// The kinds of findings.
const (
	BadSignature  Kind = "signature"      // the signature is not one over this statement
	UnknownKey    Kind = "key"            // signed, but by none of the keys that are known
	MissingFile   Kind = "file-missing"   // a WARC file was not given
	RecordDiffers Kind = "record-differs" // its bytes are not those that were stated
	RecordMissing Kind = "record-missing" // it is not in the file
	RecordExtra   Kind = "record-extra"   // it is in the file and not in the statement
	BadChain      Kind = "chain"          // the chain differs though all marks agree
	PageDiffers   Kind = "page"           // the files say something else about a page
	BadMetrics    Kind = "metrics"        // the figures do not follow from the files
)

// Finding is one thing wrong with a statement or its files.
type Finding struct {
	Kind    Kind   `json:"kind"`
	File    string `json:"file,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Record  string `json:"record,omitempty"` // WARC-Record-ID without brackets and urn:uuid:
	URL     string `json:"url,omitempty"`
	Message string `json:"message"`
}

// String gives the finding as one line.
func (f Finding) String() string {
	where := ""
	if f.File != "" {
		where = f.File
		if f.Kind != MissingFile {
			where += fmt.Sprintf(":%d", f.Offset)
		}
		where += " "
	}
	if f.Record != "" {
		where += f.Record + " "
	}
	if f.URL != "" {
		where += f.URL + " "
	}
	return fmt.Sprintf("%s: %s%s", f.Kind, where, f.Message)
}

// maxFindings bounds the findings that are listed; all are counted.
const maxFindings = 1000

// Verified is what came of checking a statement.
type Verified struct {
	Capture  Subject   `json:"capture"`
	By       string    `json:"by"`
	Made     time.Time `json:"made"`
	KeyID    string    `json:"keyid"`
	KeyKnown bool      `json:"key_known"` // the key is one of those handed in
	Files    int       `json:"files"`
	Records  int64     `json:"records"` // checked byte by byte
	Pages    int64     `json:"pages"`   // judged again
	OK       bool      `json:"ok"`
	Count    int64     `json:"findings_total"`
	Findings []Finding `json:"findings"` // the first 1,000
	Notes    []string  `json:"notes"`    // what could not be checked, and why
}

func (v *Verified) find(f Finding) {
	v.Count++
	if len(v.Findings) < maxFindings {
		v.Findings = append(v.Findings, f)
	}
}

// damaged tells whether a file is not as it was stated.
func (v *Verified) damaged() bool {
	for _, f := range v.Findings {
		switch f.Kind {
		case MissingFile, RecordDiffers, RecordMissing, RecordExtra, BadChain:
			return true
		}
	}
	return false
}
