# An editor corrects two posts, a reader's comment is corrected, and one post is deleted.
php "$WWW/../fill/edit.php" "$WWW"
