package derive

import (
	"reflect"
	"testing"
	"time"
)

// However sightings are joined, the row is the same.
func TestMediaJoinInAnyOrder(t *testing.T) {
	at := func(n int) *time.Time {
		x := time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC)
		return &x
	}
	all := []Medium{
		{Kind: "player", Title: "second", Page: "http://a/2", PageTime: at(2), Pages: 1, First: at(2), Last: at(2)},
		{Kind: "player", Title: "first", Page: "http://a/1", PageTime: at(1), Pages: 1, First: at(1), Last: at(1)},
		{Kind: "player", Title: "as early", Page: "http://a/0", PageTime: at(1), Pages: 1, First: at(1), Last: at(1)},
		{Got: at(5), GotMIME: "video/webm", Bytes: 10},
		{Kind: "file", Captured: at(4), MIME: "video/mp4", Bytes: 7},
	}
	join := func(order ...int) (m Medium) {
		for i, n := range order {
			if i == 0 {
				m = all[n]
			} else {
				m = addMedia(m, all[n])
			}
		}
		return m
	}
	want := join(0, 1, 2, 3, 4)
	if want.Title != "as early" || want.Pages != 3 || !want.Archived() || want.Bytes != 10 || !want.Last.Equal(*at(2)) {
		t.Errorf("%+v", want)
	}
	for _, order := range [][]int{{4, 3, 2, 1, 0}, {3, 4, 0, 1, 2}, {2, 4, 0, 3, 1}} {
		if got := join(order...); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", order, got, want)
		}
	}
	if half := addMedia(join(3, 4), join(0, 1, 2)); !reflect.DeepEqual(half, want) {
		t.Errorf("in two parts: %+v", half)
	}
}
