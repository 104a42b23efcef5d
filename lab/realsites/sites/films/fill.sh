# Films in the ways that sites show them, made by ffmpeg: files, streams, and what only a script or a click asks for. One page each.
#   film NAME PATH...    is got if all of these are in the archive
cd "$WWW"
cp "$NODE/node_modules/hls.js/dist/hls.min.js" "$NODE/node_modules/dashjs/dist/modern/umd/dash.all.min.js" .
ff() { ffmpeg -nostdin -loglevel error -y "$@" >&2; }
ff -f lavfi -i testsrc=size=160x90:rate=10 -f lavfi -i sine=440 -t 6 -c:v libx264 -preset ultrafast -g 20 -pix_fmt yuv420p -c:a aac -movflags +faststart clip.mp4
ff -i clip.mp4 -vn -c:a libmp3lame sound.mp3
for n in source link click meta lazy player blob; do cp clip.mp4 $n.mp4; done
mkdir -p plain fragments keyed variants dash template
ff -i clip.mp4 -c copy -f hls -hls_time 2 -hls_list_size 0 plain/list.m3u8
ff -i clip.mp4 -c copy -f hls -hls_time 2 -hls_list_size 0 -hls_segment_type fmp4 fragments/list.m3u8
printf '0123456789abcdef' > keyed/film.key
printf '/keyed/film.key\n%s/keyed/film.key\n' "$WWW" > "$SITE/keyinfo"
ff -i clip.mp4 -c copy -f hls -hls_time 2 -hls_list_size 0 -hls_key_info_file "$SITE/keyinfo" keyed/list.m3u8
ff -i clip.mp4 -c copy -f hls -hls_time 2 -hls_list_size 0 variants/high.m3u8
printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=90000,RESOLUTION=160x90\nhigh.m3u8\n' > variants/master.m3u8
ff -i clip.mp4 -c copy -f dash -seg_duration 2 -use_template 0 -use_timeline 0 dash/film.mpd
ff -i clip.mp4 -c copy -f dash -seg_duration 2 -use_template 1 -use_timeline 1 template/film.mpd
page() { printf '<!doctype html><html><head><title>%s</title><meta charset="utf-8">%s</head><body><h1>%s</h1>%s</body></html>\n' "$1" "${3:-}" "$1" "$2" > "$1.html"; }
page file '<video src="clip.mp4" controls></video>'
page source '<video controls><source src="source.mp4" type="video/mp4"></video>'
page sound '<audio src="sound.mp3" controls></audio>'
page link '<p><a href="link.mp4">The film, to keep</a></p>'
page click '<div id="box"></div><button id="play">Play</button><script>document.getElementById("play").onclick=function(){var v=document.createElement("video");v.src="cli"+"ck.mp4";document.getElementById("box").append(v);v.play()}</script>'
page meta '<p>A film that is only told of.</p>' '<script type="application/ld+json">{"@context":"https://schema.org","@type":"VideoObject","name":"m","contentUrl":"/meta.mp4"}</script>'
page lazy '<div style="height:3000px">Scroll.</div><video data-src="lazy.mp4" controls></video><script>new IntersectionObserver(function(l){l.forEach(function(e){if(e.isIntersecting)e.target.src=e.target.dataset.src})}).observe(document.querySelector("video"))</script>'
page frame '<iframe src="player.html?film=player" width="320" height="200"></iframe>'
printf '{"player": {"file": "/player.mp4"}}' > player.json
page player '<video controls></video><script>var f=new URLSearchParams(location.search).get("film");fetch(f+".json").then(function(r){return r.json()}).then(function(j){document.querySelector("video").src=j[f].file})</script>'
page blob '<video controls></video><script>fetch("blo"+"b.mp4").then(function(r){return r.blob()}).then(function(b){document.querySelector("video").src=URL.createObjectURL(b)})</script>'
page native '<video src="plain/list.m3u8" controls></video>'
page fragments '<video controls><source src="fragments/list.m3u8" type="application/vnd.apple.mpegurl"></video>'
page keyed '<video controls></video><script src="hls.min.js"></script><script>var h=new Hls();h.loadSource("keyed/list.m3u8");h.attachMedia(document.querySelector("video"))</script>'
page variants '<video controls></video><script src="hls.min.js"></script><script>var h=new Hls();h.loadSource("variants/master.m3u8");h.attachMedia(document.querySelector("video"))</script>'
page dash '<video controls></video><script src="dash.all.min.js"></script><script>dashjs.MediaPlayer().create().initialize(document.querySelector("video"),"dash/film.mpd",false)</script>'
page template '<video data-manifest="template/film.mpd" controls></video><script src="dash.all.min.js"></script><script>var v=document.querySelector("video");dashjs.MediaPlayer().create().initialize(v,v.dataset.manifest,false)</script>'
page rtmp '<object data="rtmp://127.0.0.1/live/one" type="video/x-flv"></object><p>A stream that no archive gets over HTTP.</p>'
all='file source sound link click meta lazy frame blob native fragments keyed variants dash template rtmp'
{ echo '<!doctype html><title>Films</title><ul>'; for n in $all; do echo "<li><a href=\"$n.html\">$n</a>"; done; echo '</ul>'; } > index.html
echo "page /"
for n in $all; do echo "page /$n.html"; done
segments() { (cd "$WWW" && find "$1" -type f | sort | sed 's|^|/|' | tr '\n' ' '); }
echo "film file /clip.mp4"
for n in source link click meta lazy blob; do echo "film $n /$n.mp4"; done
echo "film sound /sound.mp3"
echo "film frame /player.mp4 /player.json"
echo "film native $(segments plain)"
for n in fragments keyed variants dash template; do echo "film $n $(segments $n)"; done
echo "told rtmp rtmp://127.0.0.1/live/one"
