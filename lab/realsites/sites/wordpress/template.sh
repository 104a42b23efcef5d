# The site gets another theme, and two posts with comments that nobody knew before.
mkdir -p "$WWW/wp-content/themes/driftwood"
cp theme/* "$WWW/wp-content/themes/driftwood"
php template.php "$WWW" "$SITE/objects-template.jsonl"
