package websim

import "strings"

// frame is what all pages of all sites carry around their content: banner, search, sharing, inline
// style and script. Real pages have a lot of it; it compresses well, is no main text and holds no
// links. HOST stands for the host.
const frameTop = `<style>
.page{margin:0;padding:0;font-family:system-ui,sans-serif;color:#222;background:#fff}
.masthead{padding:12px 24px;border-bottom:1px solid #ddd}
.masthead .menu{display:flex;gap:16px;list-style:none;margin:0;padding:0}
.content{max-width:720px;margin:0 auto;padding:24px}
.content .paragraph{margin:0 0 16px 0;line-height:1.6}
.content .section-title{margin:24px 0 8px 0;line-height:1.2}
.sidebar{max-width:320px;margin:0 auto;padding:24px}
.sidebar .advertisement{margin:0 0 16px 0;padding:12px;border:1px solid #ddd}
.site-footer{padding:24px;border-top:1px solid #ddd;color:#666}
</style>
<script>
window.dataLayer=window.dataLayer||[];
window.siteConfig={"host":"HOST","consent":{"analytics":false,"marketing":false,"functional":true},"features":{"search":true,"comments":false,"share":true}};
(function(d){d.documentElement.className=d.documentElement.className.replace("no-js","js");})(document);
</script>
`

const frameBanner = `<div class="cookie-banner" role="dialog" aria-live="polite" hidden>
<button type="button" class="cookie-button cookie-button-accept" data-consent="accept">OK</button>
<button type="button" class="cookie-button cookie-button-reject" data-consent="reject">No</button>
</div>
<form class="search-form" role="search" onsubmit="return false"><input type="search" class="search-field" name="q" autocomplete="off"><button type="submit" class="search-submit">?</button></form>
`

const frameShare = `<div class="share-buttons">
<button type="button" class="share-button share-button-mail" data-share="mail"><svg class="icon" viewBox="0 0 24 24" width="24" height="24"><path d="M2 4h20v16H2z"/></svg></button>
<button type="button" class="share-button share-button-print" data-share="print"><svg class="icon" viewBox="0 0 24 24" width="24" height="24"><path d="M4 8h16v10H4z"/></svg></button>
<button type="button" class="share-button share-button-copy" data-share="copy"><svg class="icon" viewBox="0 0 24 24" width="24" height="24"><path d="M8 4h12v16H8z"/></svg></button>
</div>
`

func (p *page) frameTop() { p.put(strings.ReplaceAll(frameTop, "HOST", p.s.host)) }
