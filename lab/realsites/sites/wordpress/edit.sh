# An editor corrects two posts, a reader's comment is corrected, and one post is deleted.
php edit.php "$WWW" "$ROUND"
