package nats

import "testing"

func TestNewEnough(t *testing.T) {
	for version, want := range map[string]bool{"2.15.2": true, "2.11.0": true, "2.11.0-RC1": true, "3.0.0": true, "2.10.29": false, "1.4.1": false, "": false, "x.y": false} {
		if newEnough(version) != want {
			t.Errorf("%q: %v", version, !want)
		}
	}
}
