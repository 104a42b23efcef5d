package media

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
)

func get(t *testing.T, target string, at time.Time, header ...websim.Field) *websim.Answer {
	t.Helper()
	return handler{}.Answer(&websim.Request{Target: target, Header: header}, at)
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// All that the lists of a recording name is there.
func TestRecordingIsWhole(t *testing.T) {
	for _, name := range []string{"v160x90", "v128x72", "v64x36", "a", "sub"} {
		a := get(t, "/vod/"+name+".m3u8", noon)
		if a.Status != 200 || !bytes.Contains(a.Body, []byte("#EXT-X-ENDLIST")) {
			t.Fatalf("%s: %d %s", name, a.Status, a.Body)
		}
		for _, line := range strings.Split(string(a.Body), "\n") {
			if _, rest, ok := strings.Cut(line, `URI="`); ok {
				line, _, _ = strings.Cut(rest, `"`)
			}
			if line != "" && line[0] != '#' && get(t, "/vod/"+line, noon).Status != 200 {
				t.Errorf("%s names %s, which is not there", name, line)
			}
		}
	}
}

// The live list moves on, its segments are there while they are kept, and no two have the same bytes.
func TestLiveMoves(t *testing.T) {
	a, b := get(t, "/live/list.m3u8", noon), get(t, "/live/list.m3u8", noon.Add(2*time.Second))
	if bytes.Equal(a.Body, b.Body) {
		t.Error("the list has not changed in 2 s")
	}
	if !bytes.Equal(a.Body, get(t, "/live/list.m3u8", noon.Add(time.Second)).Body) {
		t.Error("the list has changed in 1 s")
	}
	n := Newest(noon)
	seg := fmt.Sprintf("/live/seg-%d.m4s", n)
	for after, want := range map[time.Duration]int{-2 * time.Second: 404, 0: 200, 14 * time.Second: 200, 16 * time.Second: 404} {
		if got := get(t, seg, noon.Add(after)).Status; got != want {
			t.Errorf("%v later: %d, want %d", after, got, want)
		}
	}
	if bytes.Equal(Live(n), Live(n+recorded)) {
		t.Error("two segments are the same")
	}
	box := bytes.Index(Live(n), []byte("tfdt"))
	if got := binary.BigEndian.Uint64(Live(n)[box+8:]); got != uint64(n)*2*timescale {
		t.Errorf("decode time %d", got)
	}
}

func TestEncryptedCanBeRead(t *testing.T) {
	a := get(t, "/enc/seg-2.m4s", noon)
	block, err := aes.NewCipher(Key[:])
	if err != nil {
		t.Fatal(err)
	}
	iv := make([]byte, 16)
	iv[15] = 2
	plain := append([]byte(nil), a.Body...)
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, plain)
	plain = plain[:len(plain)-int(plain[len(plain)-1])]
	if !bytes.Equal(plain, File("v64x36-2.m4s")) {
		t.Error("not what was encrypted")
	}
}

func TestRangesOnly(t *testing.T) {
	if a := get(t, "/ranged.mp4", noon); a.Status != 403 {
		t.Error(a.Status)
	}
	a := get(t, "/ranged.mp4", noon, websim.Field{Name: "Range", Value: "bytes=0-99999"})
	if a.Status != 206 || len(a.Body) != chunk || a.Get("Content-Range") != fmt.Sprintf("bytes 0-%d/%d", chunk-1, len(File("clip.mp4"))) {
		t.Error(a.Status, len(a.Body), a.Get("Content-Range"))
	}
}
