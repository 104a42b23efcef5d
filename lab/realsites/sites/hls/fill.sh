# A film in two sizes as an HLS stream made by ffmpeg, played by hls.js from npm; another page has a film as a file. Every segment of the larger one is a
# part without which the page is not whole.
mkdir -p "$WWW/film" && cd "$WWW/film"
for h in 90 180; do
	mkdir "$h"
	ffmpeg -v error -f lavfi -i "testsrc=size=$((h * 16 / 9 / 2 * 2))x$h:rate=10:duration=12" -c:v libx264 -g 20 -pix_fmt yuv420p -f hls -hls_time 2 -hls_playlist_type vod -hls_segment_filename "$h/part%02d.ts" "$h/list.m3u8"
done
ffmpeg -v error -f lavfi -i "testsrc=size=160x90:rate=10:duration=3" -c:v libx264 -pix_fmt yuv420p -movflags +faststart clip.mp4
printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=60000,RESOLUTION=160x90\n90/list.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=320x180\n180/list.m3u8\n' > master.m3u8
cp "$NODE/node_modules/hls.js/dist/hls.min.js" "$WWW"
cat > "$WWW/index.html" <<'HTML'
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The tide mill</title></head><body><h1>The tide mill</h1>
<p>How the mill works, in a film. <a href="clip.html">A short one</a></p>
<video id="film" controls muted width="320" height="180"></video>
<script src="hls.min.js"></script>
<script>var h = new Hls(); h.loadSource("film/master.m3u8"); h.attachMedia(document.getElementById("film"));</script></body></html>
HTML
echo '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A clip</title></head><body><h1>A clip</h1><video src="film/clip.mp4" controls width="160" height="90"></video><p><a href="./">Back</a></p></body></html>' > "$WWW/clip.html"
echo "page /"
echo "page /clip.html"
for f in master.m3u8 180/list.m3u8 clip.mp4 180/part*.ts; do echo "part /film/$f"; done
