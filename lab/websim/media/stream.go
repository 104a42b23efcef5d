package media

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim"
)

// Master is the multivariant list of the recording.
const Master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Tone",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="sub.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=60000,CODECS="avc1.42c00b,mp4a.40.2",RESOLUTION=160x90,AUDIO="sound",SUBTITLES="subs"
v160x90.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=44000,CODECS="avc1.42c00a,mp4a.40.2",RESOLUTION=128x72,AUDIO="sound",SUBTITLES="subs"
v128x72.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=26000,CODECS="avc1.42c00a,mp4a.40.2",RESOLUTION=64x36,AUDIO="sound",SUBTITLES="subs"
v64x36.m3u8
`

// list writes a media list of the names that a function gives.
func list(first, count int64, ended bool, head string, name func(n int64) string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:%d\n%s", first, head)
	for n := first; n < first+count; n++ {
		fmt.Fprintf(&b, "#EXTINF:2.000,\n%s\n", name(n))
	}
	if ended {
		b.WriteString("#EXT-X-ENDLIST\n")
	}
	return []byte(b.String())
}

// vod answers for the recording.
func (h handler) vod(r *websim.Request, name string) *websim.Answer {
	stem, isList := strings.CutSuffix(name, ".m3u8")
	switch {
	case name == "master.m3u8":
		return answer(r, typeOf(name), []byte(Master))
	case name == "sub.m3u8":
		return answer(r, typeOf(name), list(0, 1, true, "", func(int64) string { return "sub-0.vtt" }))
	case name == "sub-0.vtt":
		return answer(r, typeOf(name), []byte("WEBVTT\n\n00:00.000 --> 00:08.000\nA synthetic picture.\n"))
	case isList && known(stem+"-init.mp4"):
		return answer(r, typeOf(name), list(0, recorded, true, `#EXT-X-MAP:URI="`+stem+`-init.mp4"`+"\n", func(n int64) string { return fmt.Sprintf("%s-%d.m4s", stem, n) }))
	case known(name):
		return answer(r, typeOf(name), File(name))
	}
	return text(r, 404, "not found")
}

func known(name string) bool {
	_, err := streams.Open("testdata/" + name)
	return err == nil
}

// Newest is the number of the newest segment of the live streams at an instant.
func Newest(at time.Time) int64 { return at.Unix()/int64(Segment/time.Second) - 1 }

// How many segments the live list has, and how many the server keeps.
const (
	listed = 3
	kept   = 8
)

// live answers for the live stream of HLS.
func (h handler) live(r *websim.Request, name string, at time.Time) *websim.Answer {
	newest := Newest(at)
	switch name {
	case "list.m3u8":
		return answer(r, typeOf(name), list(newest-listed+1, listed, false, "#EXT-X-MAP:URI=\"init.mp4\"\n", func(n int64) string { return fmt.Sprintf("seg-%d.m4s", n) }))
	case "init.mp4":
		return answer(r, typeOf(name), File("v64x36-init.mp4"))
	}
	if n, ok := numberOf(name, "seg-", ".m4s"); ok && n <= newest && n > newest-kept {
		return answer(r, typeOf(name), Live(n))
	}
	return text(r, 404, "not there, or not any more")
}

func numberOf(name, prefix, suffix string) (int64, bool) {
	s, ok := strings.CutPrefix(name, prefix)
	s, ok2 := strings.CutSuffix(s, suffix)
	n, err := strconv.ParseInt(s, 10, 64)
	return n, ok && ok2 && err == nil
}

// timescale is the number of ticks in a second of the pictures.
const timescale = 10240

// Live is segment n of the live stream.
func Live(n int64) []byte {
	b := append([]byte(nil), File(fmt.Sprintf("v64x36-%d.m4s", n%recorded))...)
	move(b, uint64(n)*uint64(Segment/time.Second)*timescale, uint32(n))
	return b
}

// move sets the time and the number of a fragment: earliest time of sidx, sequence of mfhd, decode time of tfdt.
func move(b []byte, ticks uint64, number uint32) {
	for at := 0; at+8 <= len(b); {
		size := int(binary.BigEndian.Uint32(b[at:]))
		if size < 8 || at+size > len(b) {
			return
		}
		switch string(b[at+4 : at+8]) {
		case "moof", "traf":
			move(b[at+8:at+size], ticks, number)
		case "sidx":
			binary.BigEndian.PutUint64(b[at+20:], ticks)
		case "mfhd":
			binary.BigEndian.PutUint32(b[at+12:], number)
		case "tfdt":
			binary.BigEndian.PutUint64(b[at+12:], ticks)
		}
		at += size
	}
}

// Key encrypts the segments of /enc/.
var Key = [16]byte{'v', 'a', 'r', 'v', 'e', ' ', 't', 'e', 's', 't', ' ', 'k', 'e', 'y', ' ', '1'}

// encrypted answers for the recording with AES-128.
func (h handler) encrypted(r *websim.Request, name string) *websim.Answer {
	switch name {
	case "list.m3u8":
		return answer(r, typeOf(name), list(0, recorded, true, "#EXT-X-MAP:URI=\"init.mp4\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\"\n", func(n int64) string { return fmt.Sprintf("seg-%d.m4s", n) }))
	case "init.mp4":
		return answer(r, typeOf(name), File("v64x36-init.mp4"))
	case "key.bin":
		return answer(r, "application/octet-stream", Key[:])
	}
	n, ok := numberOf(name, "seg-", ".m4s")
	if !ok || n < 0 || n >= recorded {
		return text(r, 404, "not found")
	}
	return answer(r, "application/octet-stream", encrypt(File(fmt.Sprintf("v64x36-%d.m4s", n)), n))
}

// encrypt is AES-128 in CBC mode with the number as IV, as HLS has it.
func encrypt(plain []byte, n int64) []byte {
	block, err := aes.NewCipher(Key[:])
	if err != nil {
		panic(err) // the key has the right length
	}
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	b := append([]byte(nil), plain...)
	for range pad {
		b = append(b, byte(pad))
	}
	var iv [16]byte
	binary.BigEndian.PutUint64(iv[8:], uint64(n))
	cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(b, b)
	return b
}

// whole is the recording as one file, and where its segments begin.
func whole() (b []byte, starts []int) {
	b = append(b, File("v64x36-init.mp4")...)
	for n := range recorded {
		starts = append(starts, len(b))
		b = append(b, File(fmt.Sprintf("v64x36-%d.m4s", n))...)
	}
	return b, append(starts, len(b))
}

// ranges answers for the recording whose segments are ranges of one file.
func (h handler) ranges(r *websim.Request, name string) *websim.Answer {
	b, starts := whole()
	switch name {
	case "all.mp4":
		return answer(r, typeOf(name), b)
	case "list.m3u8":
		head := fmt.Sprintf("#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"%d@0\"\n", starts[0])
		return answer(r, typeOf(name), list(0, recorded, true, head, func(n int64) string {
			return fmt.Sprintf("#EXT-X-BYTERANGE:%d@%d\nall.mp4", starts[n+1]-starts[n], starts[n])
		}))
	}
	return text(r, 404, "not found")
}
