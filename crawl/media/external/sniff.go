package external

import (
	"bytes"
	"strings"
)

// typeOf tells what a file is by its first bytes; "" is no media. What a program calls its output is not
// believed: the browser of a reader will be told this type.
func typeOf(head []byte) string {
	switch {
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		if brand := string(head[8:12]); strings.HasPrefix(brand, "M4A") || strings.HasPrefix(brand, "M4B") {
			return "audio/mp4"
		}
		return "video/mp4"
	case bytes.HasPrefix(head, []byte{0x1a, 0x45, 0xdf, 0xa3}):
		if bytes.Contains(head[:min(len(head), 64)], []byte("webm")) {
			return "video/webm"
		}
		return "video/x-matroska"
	case bytes.HasPrefix(head, []byte("OggS")):
		if bytes.Contains(head[:min(len(head), 64)], []byte("theora")) {
			return "video/ogg"
		}
		return "audio/ogg"
	case bytes.HasPrefix(head, []byte("ID3")), len(head) > 1 && head[0] == 0xff && head[1]&0xe0 == 0xe0:
		return "audio/mpeg"
	case bytes.HasPrefix(head, []byte("fLaC")):
		return "audio/flac"
	case bytes.HasPrefix(head, []byte("RIFF")) && len(head) >= 12 && string(head[8:12]) == "WAVE":
		return "audio/wav"
	case bytes.HasPrefix(head, []byte("FLV\x01")):
		return "video/x-flv"
	}
	return ""
}
