package links

import "bytes"

// webFiles are the endings of files that pages link to.
var webFiles = func() map[string]bool {
	m := make(map[string]bool)
	for _, list := range []string{
		"html htm xhtml shtml php php3 php5 phtml asp aspx jsp jspx do cfm cgi pl action axd ashx",
		"css js mjs json jsonp xml rss atom rdf txt csv tsv md wasm map webmanifest vtt srt ttml",
		"png jpg jpeg jpe gif svg svgz webp avif ico bmp tif tiff jxl apng heic cur",
		"mp3 mp4 m4a m4v m4s ogg oga ogv opus webm wav flac aac mov avi wmv mkv mpg mpeg flv swf ts m3u8 m3u mpd ism pls",
		"woff woff2 ttf otf eot",
		"pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub ps djvu tex",
		"zip gz tgz bz2 xz 7z rar tar dmg exe msi apk deb rpm jar iso torrent ics vcf kml kmz gpx glb gltf htc xsl xslt xsd dtd",
	} {
		for _, ext := range bytes.Fields([]byte(list)) {
			m[string(ext)] = true
		}
	}
	return m
}()

// knownFile tells whether the last segment of a path ends like a file of the web and has a name before that.
func knownFile(path []byte) bool {
	last := path[bytes.LastIndexByte(path, '/')+1:]
	dot := bytes.LastIndexByte(last, '.')
	if dot < 1 || len(last)-dot-1 > 11 {
		return false
	}
	var low [12]byte
	ext := low[:0]
	for _, c := range last[dot+1:] {
		ext = append(ext, lowerByte(c))
	}
	return webFiles[string(ext)]
}

// libraryName tells product names such as Node.js, and bare globs or type names, from file names. Only names without a
// folder are doubtful.
func libraryName(name []byte) bool {
	if bytes.IndexByte(name, ',') >= 0 || bytes.IndexByte(name, ';') >= 0 || bytes.IndexByte(name, '=') >= 0 {
		return true
	}
	if !bytes.HasSuffix(name, []byte(".js")) {
		return false
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		return true
	}
	for _, product := range []string{"node.js", "vue.js", "next.js", "nuxt.js", "three.js", "d3.js", "react.js", "angular.js", "ember.js", "p5.js"} {
		if equalFold(name, product) {
			return true
		}
	}
	return false
}

// filesystem tells paths of a build machine from paths of a site.
func filesystem(path []byte) bool {
	for _, p := range []string{"/usr/", "/proc/", "/dev/", "/bin/", "/etc/", "/tmp/"} {
		if hasFold(path, p) {
			return true
		}
	}
	return bytes.Contains(path, []byte("node_modules/"))
}
