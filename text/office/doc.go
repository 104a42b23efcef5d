// Package office reads the text of office documents: Word, Excel and PowerPoint files of the Open XML kind (docx, xlsx,
// pptx and their macro variants) and OpenDocument (odt, ods, odp).
//
// Terms: such a document is a zip archive; its files are *parts*. Paragraphs end in a newline, cells are parted by tabs.
//
//	Open XML       [Content_Types].xml names the kind and the parts; text is in w:t, a:t and t elements, cells refer
//	               to xl/sharedStrings.xml
//	OpenDocument   mimetype names the kind; text is in content.xml
//
// Parts are read as streams of XML tokens, no tree is built and no entity is expanded. Limits bound the parts, the bytes
// unpacked from all of them together and the text, so that a zip bomb costs no more than a large document; what lies
// beyond is left out, and Truncated says so. Cost is linear in the unpacked parts: about 20 MB per CPU-second.
package office
