package main

import (
	"net/url"

	"varve/curate/tour"
	"varve/lab/websim/country"
)

// threadTitle is that of a thread with posts that were edited and taken down.
const threadTitle = "Ferry contract: must Calder go?"

// Pages that the tour stops at: an article about a company that changes its name, an entry with answers.
const (
	renamedURL = "http://" + country.Wiki + "/wiki/Harding_Lines"
	entryURL   = "http://" + country.Blog + "/5.html"
)

// tour leaves a guided tour in the archive: what the mission is, seen on the screens, in about three minutes.
func (d *demo) tour(s demoStory) error {
	land, err := country.New(country.Config{Scale: s.scale}, demoSeed)
	if err != nil {
		return err
	}
	law := url.Values{"url": {lawURL}}.Encode()
	renamed := url.Values{"url": {renamedURL}}.Encode()
	thread := url.Values{"collection": {"forum"}, "url": {land.ThreadURL(threadTitle)}}.Encode()
	entry := url.Values{"collection": {"citizens"}, "url": {entryURL}}.Encode()
	stop := func(at, title, text, titel, wort string) tour.Stop {
		return tour.Stop{At: at, Words: tour.Words{Title: title, Text: text}, In: map[string]tour.Words{"de": {Title: titel, Text: wort}}}
	}
	t := &tour.Tour{
		Words: tour.Words{Title: "Three years of a small country.", Text: "An election, a rent law and an affair, as an archive saw them. The tour takes about three minutes."},
		In:    map[string]tour.Words{"de": {Title: "Drei Jahre eines kleinen Landes.", Text: "Eine Wahl, ein Mietgesetz und eine Affäre, wie ein Archiv sie sah. Der Rundgang dauert etwa drei Minuten."}},
		Stops: []tour.Stop{
			stop("/", "The archive at a glance.", "One bar a month for each collection: its height is how much was captured, its colour how well that hangs together. Click a bar to see that month alone.",
				"Das Archiv auf einen Blick.", "Ein Balken je Monat und Sammlung: die Höhe ist, wie viel aufgenommen wurde, die Farbe, wie gut es zusammenhängt. Ein Klick auf einen Balken zeigt nur diesen Monat."),
			stop("/collections/news", "Layers of a newspaper.", "Each band is one crawl. While a crawl runs, the site goes on changing: Varve visits every page twice and shows in colour what surely stood online together.",
				"Schichten einer Zeitung.", "Jedes Band ist ein Crawl. Während er läuft, ändert sich die Seite weiter: Varve besucht jede Seite zweimal und zeigt in Farbe, was sicher zugleich im Netz stand."),
			stop("/collections/news/crawls/"+url.PathEscape(d.newest("news"))+"/coherence", "What one capture proves.", "How many pages stood together, at which instant, and which did not: worst first. The same as a signed statement that others can check from the WARC files alone.",
				"Was eine Aufnahme beweist.", "Wie viele Seiten zugleich im Netz standen, zu welchem Zeitpunkt, und welche nicht: die schlechtesten zuerst. Dasselbe gibt es als unterschriebene Erklärung, die andere allein an den WARC-Dateien prüfen können."),
			stop("/collections/public/page?"+law, "All versions of a law.", "The ministry's page about the rent law: a day with a dot has a capture, the list has each distinct version and how long it was valid.",
				"Alle Fassungen eines Gesetzes.", "Die Seite des Ministeriums zum Mietgesetz: ein Tag mit Punkt hat eine Aufnahme, die Liste hat jede Fassung und wie lange sie galt."),
			stop("/collections/public/compare?"+law, "What changed in it.", "Words that came, went, moved or were reworded between two captures, and the two pages side by side as they looked.",
				"Was sich darin änderte.", "Wörter, die zwischen zwei Aufnahmen kamen, gingen, wanderten oder anders lauten, und beide Seiten nebeneinander, wie sie aussahen."),
			stop("/search?q=Calder+resign", "Words and time.", "Who wanted the Prime Minister to resign, and when: choose a time on the strip, persons and places in the panel, and open a page as it was that day.",
				"Wörter und Zeit.", "Wer den Rücktritt des Premierministers wollte, und wann: wählen Sie eine Zeit auf dem Streifen, Personen und Orte daneben, und öffnen Sie eine Seite, wie sie an jenem Tag war."),
			stop("/trends?terms=trust,resign,promise&collection=forum", "How words rise and fall.", "Three words of the forum, as share of all posts of their time. Where nobody crawled, the line has a gap: nothing is made up.",
				"Wie Wörter kommen und gehen.", "Drei Wörter des Forums, als Anteil an allen Beiträgen ihrer Zeit. Wo niemand aufnahm, hat die Linie eine Lücke: nichts ist erfunden."),
			stop("/cloud?collection=news&split=2024-09-22", "Before and after the election.", "What the newspaper wrote more often before that day, and what since, side by side.",
				"Vor und nach der Wahl.", "Was die Zeitung vor jenem Tag häufiger schrieb, und was seither, nebeneinander."),
			stop("/opinions?collection=forum&about=Calder", "How people judged.", "Sentences about the Prime Minister, judged by a model that says how sure it is: over time, with the sentences themselves.",
				"Wie Menschen urteilten.", "Sätze über den Premierminister, beurteilt von einem Modell, das sagt, wie sicher es ist: über die Zeit, mit den Sätzen selbst."),
			stop("/facts?collection=news&of=Vestria", "Who held which office, when.", "An office passes from one to another: the bars are when, by what the pages say. Each has the sentences that state it; a page that says otherwise stands beside it.",
				"Wer wann welches Amt hatte.", "Ein Amt geht von einer Hand in die andere: die Balken sind, wann, nach dem, was die Seiten sagen. Jeder hat die Sätze, die es sagen; eine Seite, die anderes sagt, steht daneben."),
			stop("/document?"+thread, "Who answered whom.", "A thread of the forum: each post with its author and time, what was edited, and what moderators took down, found by comparing captures.",
				"Wer wem antwortete.", "Ein Thema des Forums: jeder Beitrag mit Verfasser und Zeit, was bearbeitet wurde und was die Moderation entfernte, gefunden im Vergleich der Aufnahmen."),
			stop("/document?"+entry, "An entry and its answers.", "A diary: below the entry, the answers of readers, each with the capture that saw it first.",
				"Ein Eintrag und seine Antworten.", "Ein Tagebuch: unter dem Eintrag die Antworten der Leser, jede mit der Aufnahme, die sie zuerst sah."),
			stop("/collections/wiki/compare?"+renamed, "A name that changes.", "The encyclopaedia about a shipping company: once Harding Lines, since 2025 Sund Star. The versions of the article say when it was rewritten.",
				"Ein Name, der wechselt.", "Die Enzyklopädie über eine Reederei: einst Harding Lines, seit 2025 Sund Star. Die Fassungen des Artikels sagen, wann er umgeschrieben wurde."),
			stop("/media?collection=broadcaster", "Films, and pages that are programs.", "What a broadcaster showed: streams and files are captured with the page, also where only a running script puts them there. Play one here, or in the page as it was.",
				"Filme, und Seiten, die Programme sind.", "Was ein Sender zeigte: Ströme und Dateien werden mit der Seite aufgenommen, auch wo erst ein laufendes Skript sie einsetzt. Spielen Sie einen hier ab, oder auf der Seite, wie sie war."),
			stop("/collections/forum/map", "How a site grows.", "The forum by depth and time: threads that appear, pages that stop answering, what moderation took down.",
				"Wie eine Seite wächst.", "Das Forum nach Tiefe und Zeit: Themen, die entstehen, Seiten, die nicht mehr antworten, was die Moderation entfernte."),
			stop("/collections/web/assess", "Is this spam?", "A curator judges hosts by keyboard; a model learns from it and leaves the rest of the spam out of the next crawl.",
				"Ist das Spam?", "Eine Kuratorin beurteilt Hosts mit der Tastatur; ein Modell lernt daraus und lässt den übrigen Spam aus dem nächsten Crawl."),
			stop("/selections/public/rent-law", "A collection within the collection.", "A topic proposes pages, a person decides, and what is chosen is exported as it was recorded.",
				"Eine Sammlung in der Sammlung.", "Ein Thema schlägt Seiten vor, ein Mensch entscheidet, und was gewählt ist, wird exportiert, wie es aufgenommen wurde."),
			stop("/tray", "A curator's morning.", "What needs a person: seeds that fail, crawls that fell short, hosts to judge. Each alert says why, and what can be done about it.",
				"Der Morgen einer Kuratorin.", "Was einen Menschen braucht: Startadressen, die nicht antworten, Crawls, die zu wenig brachten, Hosts, die zu beurteilen sind. Jeder Hinweis sagt, warum, und was zu tun ist."),
			stop("/access", "Who may see what.", "Embargo, reading room, takedown: a rule shows before it is made what it withholds, and can be undone. It holds at every door, also for words and names taken from a page.",
				"Wer was sehen darf.", "Sperrfrist, Lesesaal, Entfernung: eine Regel zeigt, bevor sie gilt, was sie vorenthält, und kann zurückgenommen werden. Sie gilt überall, auch für Wörter und Namen aus einer Seite."),
			stop("/retention", "How long it is kept.", "An inquiry put the ministry's pages under a hold: nothing of them can be deleted, and they can be handed over with proof. Without a rule everything is kept; what is due is reviewed first.",
				"Wie lange es bleibt.", "Wegen einer Untersuchung sind die Seiten des Ministeriums vor dem Löschen gesperrt; sie können mit Nachweis übergeben werden. Ohne Regel bleibt alles; was fällig ist, wird erst geprüft."),
			stop("/collections", "Now with a site of your own.", "Begin a collection here and plan its first crawl, or type: varve crawl https://example.org/ --contact mailto:you@example.org --max-pages 50",
				"Nun mit einer eigenen Seite.", "Beginnen Sie hier eine Sammlung und planen Sie ihren ersten Crawl, oder tippen Sie: varve crawl https://example.org/ --contact mailto:sie@example.org --max-pages 50"),
		},
	}
	return tour.Write(d.dir, t)
}
