# MediaWiki out of Debian's package on SQLite: 26 pages, some with several versions, a talk page and a category.
cp -rL /usr/share/mediawiki/. "$WWW" 2> /dev/null || true # one link leads nowhere before the first set-up
rm -f "$WWW/LocalSettings.php"
mkdir -p "$WWW/../sqlite"
php "$WWW/maintenance/install.php" --dbtype sqlite --dbname wiki --dbpath "$WWW/../sqlite" --server "${URL%/}" --scriptpath "" \
	--lang en --pass 'a laboratory keeps no secrets' "Tide Tables" Keeper >&2
cat >> "$WWW/LocalSettings.php" <<'PHP'
wfLoadSkin( 'Vector' );
$wgDefaultSkin = 'vector';
$wgArticlePath = '/wiki/$1';
$wgUsePathInfo = true;
$wgJobRunRate = 0;
$wgMainCacheType = CACHE_NONE;
PHP
edit() { php "$WWW/maintenance/edit.php" --user Keeper --summary "$3" "$1" <<<"$2" >&2; }
list=""
for i in $(seq 1 24); do list="$list
* [[Port $i]]"; done
edit "Main Page" "The tides of all ports.$list
See also [[Project:About]]." "list"
for i in $(seq 1 24); do
	edit "Port $i" "Port $i has its high water $i minutes after the full hour. Its neighbour is [[Port $((i % 24 + 1))]]. [[Category:Ports]]" "first"
	if [ $((i % 6)) = 0 ]; then edit "Port $i" "Port $i has its high water $i minutes after the half hour. Its neighbour is [[Port $((i % 24 + 1))]]. [[Category:Ports]]" "corrected"; fi
done
edit "Category:Ports" "All ports of the coast." "category"
php "$WWW/maintenance/runJobs.php" >&2
chmod -R a+rwX "$WWW/.."
# Of each page its last version: its words, of links what is shown of them; the lists below categories are nobody's text.
sqlite3 "$WWW/../sqlite/wiki.sqlite" "SELECT json_object('type', 'article', 'title', CASE page_namespace WHEN 14 THEN 'Category:' ELSE '' END || replace(page_title, '_', ' '),
	'id', CASE page_namespace WHEN 14 THEN 'Category:' ELSE '' END || page_title, 'time', rev_timestamp,
	'text', CASE page_namespace WHEN 0 THEN replace(replace(replace(old_text, '[[Category:Ports]]', ''), '[[', ''), ']]', '') END)
	FROM page JOIN revision ON rev_id = page_latest JOIN slots ON slot_revision_id = rev_id JOIN content ON content_id = slot_content_id
	JOIN text ON old_id = substr(content_address, 4) WHERE page_namespace IN (0, 14)" | sed 's/,"text":null//' > "$SITE/objects.jsonl"
sqlite3 "$WWW/../sqlite/wiki.sqlite" "SELECT CASE page_namespace WHEN 14 THEN 'page /wiki/Category:' ELSE 'page /wiki/' END || page_title FROM page WHERE page_namespace IN (0, 14)"
