// Package picture says what a picture is like, so that the same picture is found again on other pages and at other times: scaled,
// compressed again, with a strip cut off. Beside that it knows the colours of a picture, and what its file says of camera, date and
// place (EXIF). All is a pure function of the bytes.
//
// Terms: a *raster* is a picture reduced to 128 by 128 cells, whatever its shape; a *window* is a part of it that is likely to be left when
// somebody crops; the *hash* of a window is 64 bits that change little when the picture is scaled or compressed (hash.go has the formula);
// the *thumb* is 32 by 32 cells of grey by which two pictures are laid upon each other. Hashes and thumb are the *print* of a picture.
//
//	Decode: format and size by the head -> limits -> pixels (first frame; alpha on white) -> raster, turned as EXIF says
//	Raster.Print: hash of the whole and of 13 windows, thumb        Raster.Colours: at most five
//	Index.Find: prints with a hash within a few bits of one of ours (bands, no comparison of all pairs)
//	    -> Likeness: one thumb is moved over the other until they agree best -> same if they agree by SameLikeness
//
// A picture without contrast, such as a spacer or a line, has no print: all of them would be the same.
//
// Limits: the size is read before the pixels are; a picture of more than MaxPixels is not decoded. Formats are those that Go decodes: JPEG, PNG, GIF,
// WebP, BMP, TIFF. Vector graphics, AVIF, HEIC and JPEG XL are named and not looked at.
//
// Cost: decoding is nearly all of it; a print takes some 0.5 ms after that, and has 1.1 KB. docs/algorithms/pictures.md has the figures.
package picture
