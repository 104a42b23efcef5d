# Two articles are corrected, and one is deleted, in round 2 others than in round 1.
edit() { php "$WWW/maintenance/edit.php" --user Keeper --summary corrected "$1" <<< "$2" >&2; }
a=$((ROUND * 5)) b=$((ROUND * 5 + 2)) gone=$((ROUND * 7 + 1))
for i in $a $b; do
	edit "Port $i" "Port $i has its high water $i minutes before the full hour. Its neighbour is [[Port $((i % 24 + 1))]]. [[Category:Ports]]"
done
echo "Port $gone" > gone
php "$WWW/maintenance/deleteBatch.php" -u Keeper gone >&2
php "$WWW/maintenance/runJobs.php" >&2
chmod -R a+rwX "$WWW/.."
echo "delete /wiki/Port_$gone"
