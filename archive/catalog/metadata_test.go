package catalog

import (
	"encoding/xml"
	"slices"
	"testing"
	"time"
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

func TestMARC(t *testing.T) {
	m := Metadata{
		Title: "A & B", Creator: []string{"Town Library"}, Subject: []string{"news", "<law>", ""}, Publisher: []string{"Halm"}, Date: []string{"2023-2025"},
		Identifier: []string{"https://archive.example/b", "ark:/1/b"}, Language: []string{"ger", "English"}, Rights: []string{"© the authors"},
	}
	b, err := m.MARC(time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Leader string `xml:"leader"`
		Fixed  string `xml:"controlfield"`
		Fields []struct {
			Tag  string `xml:"tag,attr"`
			One  string `xml:"ind1,attr"`
			Two  string `xml:"ind2,attr"`
			Subs []struct {
				Code  string `xml:"code,attr"`
				Value string `xml:",chardata"`
			} `xml:"subfield"`
		} `xml:"datafield"`
	}
	if err := xml.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Leader) != 24 || len(back.Fixed) != 40 || back.Fixed[:6] != "261116" || back.Fixed[35:38] != "ger" || back.Fixed[23] != 'o' || back.Fixed[26] != 'j' {
		t.Errorf("leader %q, 008 %q", back.Leader, back.Fixed)
	}
	var got []string
	for _, f := range back.Fields {
		got = append(got, f.Tag+f.One+f.Two+"$"+f.Subs[0].Code+f.Subs[0].Value)
	}
	want := []string{"0248 $aark:/1/b", "24500$aA & B", "264 1$bHalm", "264 1$c2023-2025", "540  $a© the authors", "546  $ager", "546  $aEnglish", "653  $anews", "653  $a<law>", "720  $aTown Library", "85640$uhttps://archive.example/b"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
