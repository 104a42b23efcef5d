package asset

import (
	"encoding/base64"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"

	"varve/lab/websim/dice"
)

// noise appends n bytes of the stream named name.
func noise(dst []byte, name uint64, n int) []byte {
	s := dice.New(name)
	for ; n >= 8; n -= 8 {
		dst = binary.LittleEndian.AppendUint64(dst, s.Uint64())
	}
	for last := s.Uint64(); n > 0; n-- {
		dst = append(dst, byte(last))
		last >>= 8
	}
	return dst
}

const pngWidth = 64

// PNG appends a greyscale picture of random dots, 64 wide and as high as the size allows. The
// pixels are in stored deflate blocks, so the bytes depend on no compressor.
func PNG(dst []byte, name uint64, size int) []byte {
	rows := max(1, (size-68)/(pngWidth+1))
	dst = append(dst, "\x89PNG\r\n\x1a\n"...)
	head := binary.BigEndian.AppendUint32(nil, pngWidth)
	head = binary.BigEndian.AppendUint32(head, uint32(rows))
	dst = pngChunk(dst, "IHDR", append(head, 8, 0, 0, 0, 0))
	pixels := noise(make([]byte, 0, rows*(pngWidth+1)+8), name, rows*(pngWidth+1))
	for r := range rows {
		pixels[r*(pngWidth+1)] = 0 // no filter
	}
	return pngChunk(pngChunk(dst, "IDAT", stored(pixels)), "IEND", nil)
}

func pngChunk(dst []byte, kind string, data []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(data)))
	at := len(dst)
	dst = append(append(dst, kind...), data...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[at:]))
}

// stored wraps data as a zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
func stored(data []byte) []byte {
	out := append(make([]byte, 0, len(data)+len(data)/65535*5+16), 0x78, 0x01)
	for rest := data; ; {
		n := min(len(rest), 65535)
		final := byte(0)
		if n == len(rest) {
			final = 1
		}
		out = append(out, final, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		out = append(out, rest[:n]...)
		if rest = rest[n:]; final == 1 {
			return binary.BigEndian.AppendUint32(out, adler32.Checksum(data))
		}
	}
}

// grey is a picture of 16 by 16 grey dots, our own, made once with the standard library.
const grey = "/9j/2wCEABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2MBERISGBUYLxoaL2NCOEJjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY//AAAsIABAAEAEBEQD/xADSAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAgBAQAAPwCCCtCCs+CtCCv/2Q=="

// JPEG appends a small valid picture that is padded to the size by comment segments of random
// bytes: like a photograph it does not compress, and every version of it differs.
func JPEG(dst []byte, name uint64, size int) []byte {
	frame, err := base64.StdEncoding.DecodeString(grey)
	if err != nil {
		panic("asset: the embedded picture is damaged: " + err.Error()) // a mistake of ours, not of input
	}
	dst = append(dst, frame[:2]...)
	rest := max(16, size-len(frame))
	for i := uint64(0); rest > 0; i++ {
		n := min(rest, 60_000)
		dst = append(dst, 0xff, 0xfe, byte((n+2)>>8), byte(n+2))
		dst = noise(dst, dice.Mix(name, i), n)
		rest -= n
	}
	return append(dst, frame[2:]...)
}
