# Two pages are corrected, and one is deleted, by the command of DokuWiki itself, in round 2 others than in round 1.
rm -f "$SITE/data/locks/"* # of readers who opened a form
text="$SITE/edited.txt"
commit() { php "$WWW/bin/dwpage.php" commit -m corrected "$text" "$1" >&2; }
bird=$((ROUND * 3)) plant=$((ROUND * 4)) gone=$((ROUND * 5))
printf '====== Bird %s ======\nNot seen on the marsh this year. Often near [[plants:plant%s]].\n===== Call =====\nA high note.\n===== Nest =====\nIn reeds.\n' $bird $bird > "$text"
commit "birds:bird$bird"
printf '====== Plant %s ======\nFlowered late. Back to the [[:start]].\n' $plant > "$text"
commit "plants:plant$plant"
: > "$text"
commit "birds:bird$gone" # an empty page is none
chmod -R a+rwX "$WWW/.."
echo "soft /doku.php?id=birds:bird$gone" # it answers with status 200 and "This topic does not exist yet"
