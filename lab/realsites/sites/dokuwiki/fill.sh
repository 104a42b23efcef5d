# DokuWiki out of Debian's package, with the data in a folder of its own: 26 pages in two name spaces.
cp -rL /usr/share/dokuwiki/. "$WWW" 2> /dev/null || true
mkdir -p "$WWW/../conf" "$WWW/../data"
cp -rL /etc/dokuwiki/. "$WWW/../conf" 2>/dev/null || true # some links lead nowhere before the first set-up
rm -f "$WWW/../conf/"{acl.auth.php,users.auth.php,local.php,local.protected.php} "$WWW/install.php"
cp -rL /usr/share/dokuwiki/lib/tpl /usr/share/dokuwiki/lib/plugins "$WWW/lib/" 2>/dev/null || true
data="$(cd "$WWW/../data" && pwd)"
mkdir -p "$data"/{pages,media,attic,meta,media_attic,media_meta,cache,index,locks,tmp,log}
printf '<?php\ndefine("DOKU_CONF", "%s/");\n' "$(cd "$WWW/../conf" && pwd)" > "$WWW/inc/preload.php"
cat > "$WWW/../conf/local.php" <<PHP
<?php
\$conf['title'] = 'Field Notes';
\$conf['savedir'] = '$data';
\$conf['useacl'] = 0;
\$conf['baseurl'] = '${URL%/}';
\$conf['basedir'] = '/';
\$conf['updatecheck'] = 0;
PHP
mkdir -p "$data/pages/birds" "$data/pages/plants"
{ echo "====== Field Notes ======"; for i in $(seq 1 12); do echo "  * [[birds:bird$i]]"; echo "  * [[plants:plant$i]]"; done; echo "  * [[about]]"; } > "$data/pages/start.txt"
for i in $(seq 1 12); do
	printf '====== Bird %s ======\nSeen %s times on the marsh. Often near [[plants:plant%s]].\n===== Call =====\nA low note.\n===== Nest =====\nIn reeds.\n' $i $i $i > "$data/pages/birds/bird$i.txt"
	printf '====== Plant %s ======\nFlowers in month %s. Back to the [[:start]].\n' $i $i > "$data/pages/plants/plant$i.txt"
done
printf '====== About ======\nNotes of the warden.\n' > "$data/pages/about.txt"
chmod -R a+rwX "$WWW/.."
# Of each page its words, and of links what is shown of them.
for f in $(cd "$data/pages" && find . -name '*.txt' | sed 's|^\./||'); do
	id="$(sed 's|\.txt$||; s|/|:|g' <<< "$f")"
	title="$(sed -n '1s/=* *\([^=]*[^= ]\) *=*/\1/p' "$data/pages/$f")"
	text="$(sed 's/=\+//g; s/\[\[:*\([a-z]*:\)*\([a-z0-9]*\)\]\]/\2/g' "$data/pages/$f" | tr '\n' ' ')"
	printf '{"type": "article", "id": "%s", "title": "%s", "text": "%s"}\n' "$id" "$title" "$text"
done > "$SITE/objects.jsonl"
echo "page /doku.php"
cd "$data/pages"
find . -name '*.txt' ! -name start.txt | sed 's|^\./||; s|\.txt$||; s|/|:|g; s|^|page /doku.php?id=|'
