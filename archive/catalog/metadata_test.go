package catalog

import (
	"encoding/xml"
	"testing"
)

func TestDublinCore(t *testing.T) {
	m := Metadata{Title: "A & B", Subject: []string{"news", "<law>", ""}, Rights: []string{"© the authors"}}
	b, err := m.DublinCore()
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Title   []string `xml:"http://purl.org/dc/elements/1.1/ title"`
		Subject []string `xml:"http://purl.org/dc/elements/1.1/ subject"`
		Creator []string `xml:"http://purl.org/dc/elements/1.1/ creator"`
	}
	if err := xml.Unmarshal(b, &back); err != nil || back.Title[0] != "A & B" || len(back.Subject) != 2 || back.Subject[1] != "<law>" || back.Creator != nil {
		t.Fatalf("%+v %v in %s", back, err, b)
	}
}
