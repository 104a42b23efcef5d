package message_test

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/serve/message"
)

func german(t *testing.T) *message.Language {
	t.Helper()
	l := message.Named("de")
	if l == nil {
		t.Fatal("no German")
	}
	return l
}

// A translation puts in what its sentence puts in, and has what English has.
func TestTranslationsAreWhole(t *testing.T) {
	english := message.English()
	for _, l := range message.All() {
		for key, text := range l.Words {
			if !reflect.DeepEqual(message.Holes(key), message.Holes(text)) {
				t.Errorf("%s: %q puts in %v, the English one %q %v", l.Tag(), text, message.Holes(text), key, message.Holes(key))
			}
			if strings.Count(key, "`") != strings.Count(text, "`") || strings.Count(key, "**") != strings.Count(text, "**") {
				t.Errorf("%s: %q: what is typed and what stands out differ from %q", l.Tag(), text, key)
			}
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %q is empty", l.Tag(), key)
			}
		}
		for key, text := range l.Scripts {
			if !reflect.DeepEqual(message.Holes(key), message.Holes(text)) {
				t.Errorf("%s: %q and %q of scripts put in other things", l.Tag(), key, text)
			}
		}
		for noun := range english.Counted {
			f, ok := l.Counted[noun]
			if !ok || !strings.Contains(f.Other, "{0}") || !strings.Contains(f.One, "{0}") {
				t.Errorf("%s: %q is not counted: %+v", l.Tag(), noun, f)
			}
		}
		if l.Name == "" || len(l.Dates.Months) != 12 || len(l.Dates.Weekdays) != 7 {
			t.Errorf("%s: %q, %v, %v", l.Tag(), l.Name, l.Dates.Months, l.Dates.Weekdays)
		}
	}
}

func TestText(t *testing.T) {
	de, en := german(t), message.English()
	for _, c := range []struct{ got, want string }{
		{en.Text("{0} of {1}", 1200, "x"), "1,200 of x"},
		{de.Text("{0} of {1}", 1200, "x"), "1.200 von x"},
		{en.Text("no such message {0} {7} {x} {", 1), "no such message 1  {x} {"},
		{en.Text("[pager]|before"), "before"},
		{de.Text("[pager]|before"), "davor"},
		{en.Count(1, "page"), "1 page"},
		{en.Count(2, "page"), "2 pages"},
		{en.Count(int32(0), "address"), "0 addresses"},
		{de.Count(1, "page"), "1 Seite"},
		{de.Count(int64(1234567), "page"), "1.234.567 Seiten"},
		{de.Count(3, "no such noun"), "3 no such noun"},
		{en.Number(-1234), "-1,234"},
		{en.Percent(1, 3), "33.3 %"},
		{de.Percent(1, 3), "33,3 %"},
		{en.Percent(9999, 10000), "99.9 %"},
		{de.Percent(0, 0), "unbekannt"},
		{en.Bytes(1234567), "1.2 MB"},
		{de.Bytes(1234567), "1,2 MB"},
		{de.Word("{0} of {1}"), "{0} von {1}"},
		{de.Word("`x` **y**"), "`x` **y**"},
		{de.LanguageName("fr"), "Französisch"},
		{en.LanguageName("fr"), "French"},
		{de.CountryName("fr"), "Frankreich"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	de, en := german(t), message.English()
	at := time.Date(2026, 3, 5, 14, 7, 9, 0, time.UTC)
	for _, c := range []struct{ got, want string }{
		{en.Day(at), "2026-03-05"},
		{de.Day(at), "05.03.2026"},
		{en.Stamp(at), "2026-03-05 14:07:09"},
		{de.Stamp(at), "05.03.2026 14:07:09"},
		{en.MonthName(at), "March 2026"},
		{de.MonthName(at), "März 2026"},
		{en.Spelled(at), "5 March 2026"},
		{de.Spelled(at), "5. März 2026"},
		{en.Near(at), "5 Mar"},
		{de.Near(at), "5. Mär"},
		{de.Day(time.Time{}), "unbekannt"},
		{en.Ago(at.Add(-72*time.Hour), at), "3 days ago"},
		{de.Ago(at.Add(-72*time.Hour), at), "vor 3 Tagen"},
		{de.Ago(at.Add(72*time.Hour), at), "in 3 Tagen"},
		{de.Duration(72 * time.Hour), "3 Tage"},
		{de.Duration(400 * 24 * time.Hour), "13 Monate"},
		{en.Due(at, at), "due"},
		{de.Due(at, at), "fällig"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Nothing that is put in, and nothing in a message, becomes markup but what its signs say.
func TestHTMLIsEscaped(t *testing.T) {
	got := message.English().HTML("<i>`varve {0}` **{1}** {2}", "`<x>`", "**y**", template.HTML("<kbd>?</kbd>"))
	if want := template.HTML("&lt;i&gt;<code>varve `&lt;x&gt;`</code> <b>**y**</b> <kbd>?</kbd>"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWhichLanguage(t *testing.T) {
	for _, c := range []struct{ accept, cookie, want string }{
		{"", "", "en"},
		{"de-AT,de;q=0.9,en;q=0.8", "", "de"},
		{"fr-FR,fr;q=0.9", "", "en"},
		{"fr,de;q=0.5", "", "de"},
		{"en-GB,de;q=0.5", "", "en"},
		{"de", "en", "en"},
		{"en", "de", "de"},
		{"de", "xx", "de"},
		{";;;=,,", "", "en"},
		{strings.Repeat("x-", 5000), "", "en"},
	} {
		r, err := http.NewRequest("GET", "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Language", c.accept)
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: message.Cookie, Value: c.cookie})
		}
		if got := message.Of(r).Tag(); got != c.want {
			t.Errorf("Accept-Language %.40q, chosen %q: %s, want %s", c.accept, c.cookie, got, c.want)
		}
	}
	if all := message.All(); all[0] != message.English() || !slices.Contains(all, german(t)) {
		t.Error(all)
	}
}

// What an error says is found with what was put in; longer sentences go before shorter ones; what is not known stays.
func TestError(t *testing.T) {
	de := message.Named("de")
	for _, tt := range []struct {
		err                error
		tried, wrong, next string
	}{
		{&varve.Error{Op: "open collection news", Msg: "there is no such collection"}, "Sammlung news öffnen", "es gibt keine solche Sammlung", ""},
		{&varve.Error{Op: "read the date 5", Msg: "it is not a day", Hint: "days are written YYYY-MM-DD"}, "Datum 5 lesen", "das ist kein Tag", "Tage schreibt man JJJJ-MM-TT"},
		{&varve.Error{Op: "start crawl a of b", Msg: "one runs already, started by eva at 12:00", Hint: "wait until one has ended"}, "Crawl a von b starten", "einer läuft schon, gestartet von eva um 12:00", "warten Sie, bis einer beendet ist"},
		{&varve.Error{Op: "find it", Err: &varve.Error{Op: "open collection x", Msg: "there is no such collection"}}, "it finden", "Sammlung x öffnen: es gibt keine solche Sammlung", ""},
		{&varve.Error{Op: "unheard of", Err: errors.New("disk on fire")}, "unheard of", "disk on fire", ""},
		{errors.New("plain"), "", "plain", ""},
		{fmt.Errorf("before: %w", &varve.Error{Op: "log in", Msg: "too many attempts"}), "anmelden", "before: log in: too many attempts", ""},
	} {
		if tried, wrong, next := de.Error(tt.err); tried != tt.tried || wrong != tt.wrong || next != tt.next {
			t.Errorf("%v: %q, %q, %q", tt.err, tried, wrong, next)
		}
	}
	en := message.Named("en")
	if tried, wrong, _ := en.Error(&varve.Error{Op: "open collection news", Msg: "there is no such collection"}); tried != "open collection news" || wrong != "there is no such collection" {
		t.Errorf("in English: %q, %q", tried, wrong)
	}
}
