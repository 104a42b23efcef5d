<?php
// tell_objects writes what people wrote, by the database. Pages show neither author nor date.
function tell_objects($file) {
	$out = fopen($file, 'w');
	foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => 'publish', 'numberposts' => -1]) as $p) {
		$o = ['type' => 'post', 'id' => (string)$p->ID, 'title' => $p->post_title, 'text' => html_entity_decode(wp_strip_all_tags($p->post_content))];
		if ($p->post_type == 'post') {
			$o += ['author' => get_the_author_meta('display_name', $p->post_author), 'time' => get_post_time('c', true, $p)];
		}
		fwrite($out, json_encode($o) . "\n");
	}
	foreach (get_comments(['status' => 'approve']) as $c) {
		$o = ['type' => 'comment', 'id' => $c->comment_ID, 'author' => $c->comment_author, 'time' => get_comment_date('c', $c), 'text' => html_entity_decode(wp_strip_all_tags($c->comment_content))];
		fwrite($out, json_encode($o) . "\n");
	}
}
