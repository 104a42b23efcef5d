# Pages that somebody put there are the wiki's own once it may write to them.
chmod -R a+rwX "$WWW/.."
