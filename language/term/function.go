package term

import (
	"strings"
	"sync"
)

// functionWords are the words of closed classes, by language: articles, pronouns, prepositions, conjunctions, auxiliaries, and adverbs that only point or grade. They say how
// something is told, not what it is about. Written by hand for this project, in lower case, as a split at word borders gives them.
var functionWords = map[string]string{
	"en": `a about above across after again against all almost along already also although always am among an and another any anybody anyone anything are aren't around as at away back be became because
		become becomes been before behind being below beneath beside besides between beyond both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down during each either else
		enough even ever every everybody everyone everything except few for from further get gets getting go goes going got had hadn't has hasn't have haven't having he he'd he'll he's hence her here hers herself him
		himself his how however i i'd i'll i'm i've if in indeed inside instead into is isn't it it's its itself just least less let let's like made make makes many may maybe me might mine more most much must
		mustn't my myself near neither never nevertheless no nobody none nor not nothing now nowhere of off often on once one ones only onto or other others otherwise ought our ours ourselves out outside over own per
		perhaps quite rather really same shall shan't she she'd she'll she's should shouldn't since so some somebody someone something sometimes somewhere soon still such than that that's the their theirs them
		themselves then there there's thereby therefore these they they'd they'll they're they've this those though through throughout thus till to together too toward towards under unless until up upon us very via
		was wasn't we we'd we'll we're we've well were weren't what whatever when whenever where whereas wherever whether which while who whoever whole whom whose why will with within without won't would wouldn't yes
		yet you you'd you'll you're you've your yours yourself yourselves re ve ll lest thee thou thy whomever whichever wherein whereby amongst amid despite unlike regarding underneath moreover furthermore meanwhile nonetheless herein hereby therein thereof thereafter hereafter etc ok okay vs`,
	"de": `ab aber alle allem allen aller alles als also am an andere anderen anderer anderes anders auch auf aus außer bei beide beiden beim bereits bevor bis bist da dabei dadurch dafür dagegen daher damit danach
		daneben dann daran darauf daraus darf darin darüber darum darunter das dass dasselbe davon davor dazu dein deine deinem deinen deiner dem den denen denn dennoch der deren derer derselbe des deshalb dessen
		desto die dies diese diesem diesen dieser dieses doch dort du durch dürfen ebenso eher ein eine einem einen einer eines einige einigen einmal er erst es etwa etwas euch euer eure falls fast für ganz gar
		gegen gegenüber genug gewesen gibt hab habe haben habt hat hatte hatten hätte hätten her herum heraus hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem innerhalb ins ist ja
		je jede jedem jeden jeder jedes jedoch jemand jene jenem jenen jener jenes jetzt kann kannst kein keine keinem keinen keiner können könnte könnten man manche mancher manchmal mehr mein meine meinem meinen
		meiner mich mir mit möchte muss mussten müssen musste nach nachdem neben nein nicht nichts nie niemand noch nun nur ob oben oder oft ohne pro schon sehr sei seid sein seine seinem seinen seiner seines seit
		sich sie sind so sobald sodass sogar solche solcher soll sollen sollte sollten somit sondern sonst soweit sowie sowohl statt trotz über um und uns unser unsere unserem unseren unserer unter vom von vor während
		wann war waren warum was wegen weil weiter welche welchem welchen welcher welches wem wen wenig wenige weniger wenn wer werde werden wie wieder will wir wird wo wodurch wofür woher wohin wohl wollen wollte
		worden wurde wurden würde würden zu zum zur zwar zwischen`,
	"fr": `à afin ai ainsi alors après as assez au aucun aucune auquel aussi autant autour autre autres aux auxquels avais avait avaient avant avec avez avoir avons ayant beaucoup bien c car ce ceci cela celle celles celui
		cependant certains ces cet cette ceux chacun chacune chaque chez ci comme comment contre d dans de dedans dehors depuis dès des desquels dessous dessus deux donc dont du duquel durant elle elles en encore
		enfin entre envers es est et étaient était étant été être eu eux fait fois font hors ici il ils j jamais je jusqu jusque l la là laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma
		mais malgré me même mêmes mes mien moi moins mon n ne ni non nos notre nôtre nous on ont or ou où par parce parfois parmi pas pendant peu peut peuvent plus plusieurs plutôt pour pourquoi pourtant près presque
		puis puisque qu quand que quel quelle quelles quels quelque quelques qui quoi s sa sans sauf se selon sera serait seront ses si sien soi soient soit sommes son sont sous souvent suis sur t ta tant te tel telle
		telles tels tes toi ton toujours tous tout toute toutefois toutes très trop tu un une va vers voici voilà vont vos votre vous y`,
	"es": `a al algo alguien algún alguna algunas alguno algunos allí ante antes apenas aquel aquella aquellas aquello aquellos aquí así aún aunque bajo bastante bien cada casi como cómo con contra cual cuál cuales
		cualquier cuando cuándo cuanto cuya cuyas cuyo cuyos da de del demás desde después donde dónde dos durante e el él ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta está
		estaba estaban estado estamos están estar estas este esto estos estoy fue fueron ha había habían haber habrá hace hacia han has hasta hay he hemos incluso la las le les lo los luego más me mediante menos mi
		mí mientras mis misma mismas mismo mismos mucha muchas mucho muchos muy nada nadie ni ningún ninguna ninguno no nos nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para pero poca
		pocas poco pocos por porque pronto pues puede pueden que qué quien quién quienes se sea sean según ser será serán si sí sido siempre sin sino sobre sois somos son soy su sus tal tales también tampoco tan tanta
		tanto te tengo ti tiene tienen toda todas todavía todo todos tras tu tú tus u un una unas uno unos usted ustedes va vosotros vuestra vuestro y ya yo`,
	"it": `a abbiamo ad agli ai al alcun alcuna alcune alcuni alla alle allo allora altra altre altri altro anche ancora appena avere aveva avevano avuto ben bene c che chi ci ciascuno ciò cioè coi col come comunque con
		contro così cui d da dagli dai dal dalla dalle dallo davanti degli dei del della delle dello dentro di dietro dopo dove dovrebbe due dunque durante e è ebbe ecco ed egli era erano essa esse essere essi fa fino
		fra fu fuori furono già gli ha hai hanno ho i il in infatti infine insieme invece io l la là le lei li lo loro lui ma mai me meno mentre mi mia mie miei mio molta molte molti molto n ne né negli nei nel nella
		nelle nello nessun nessuna nessuno niente noi non nostra nostre nostri nostro nulla o od ogni ognuno oltre oppure ora ovvero per perché perciò però più poco pochi poi può possono presso prima proprio pure
		qualche qualcosa qualcuno quale quali qualunque quando quanto quanti quasi quella quelle quelli quello quel quei questa queste questi questo qui quindi s sarà sarebbe se sé sebbene secondo sei sempre senza si
		sì sia siamo siano sono sopra sotto sta stata state stati stato su sua sue sugli sui sul sulla sulle sullo suo suoi t tale tali tanto te ti tra tranne troppo tu tua tue tuo tuoi tutta tutte tuttavia tutti
		tutto un una uno va verso vi via voi vostra vostro`,
	"nl": `aan achter af al alle alleen allemaal alles als altijd ander andere anders behalve ben bent beide beiden bij bijna binnen boven buiten daar daarbij daardoor daarmee daarna daarom daarop dan dat de deze die dit
		doch doen door dus een eens eerst eigen elk elkaar elke en er ergens erg even geen geweest haar had hadden heb hebben hebt heeft heel hem hen het hier hij hoe hoewel hun iedere iedereen iemand iets ik in
		indien inmiddels is ja je jij jou jouw jullie kan konden kon kunnen kunt maar mag me meer meest men met mij mijn misschien mocht moest moet moeten na naar naast nadat nee niemand niet niets nog nogal nooit
		nu of om omdat ondanks onder ons onze ook op over pas per rond sinds slechts sommige soms steeds te tegen ten ter terwijl thans toch toen tot totdat tussen u uit uw van vanaf vanuit veel vele via volgens
		voor voorbij vooral waar waarbij waardoor waarin waarom wanneer want waren was wat we weer weinig wel welk welke werd werden wie wij wil wilde wilden willen word worden wordt zal ze zeer zelf zelfs zich zij
		zijn zo zoals zodat zonder zou zouden zowel zulke`,
	"pt": `a à ainda além algo alguém algum alguma algumas alguns ali ambos ante antes ao aos apenas apesar após aquela aquelas aquele aqueles aquilo as às até através bastante bem cada cima com como conforme contra
		contudo cuja cujas cujo cujos da dá daquele das de dela delas dele deles demais depois desde dessa desse desta deste do dois dos durante e é ela elas ele eles em embora enquanto entanto então entre era eram
		essa essas esse esses esta está estamos estão estar estas estava estavam este estes estou eu faz fez foi foram fora grande há haver havia houve isso isto já la lá lhe lhes lo logo mais mas me mediante meio
		menos mesma mesmas mesmo mesmos meu meus mim minha minhas muita muitas muito muitos na nada não nas nem nenhum nenhuma nessa nesse nesta neste ninguém no nos nós nossa nossas nosso nossos num numa nunca o
		onde ontem os ou outra outras outro outros para pela pelas pelo pelos per perante pode podem pois por porém porque portanto pouca poucas pouco poucos qual quais qualquer quando quanto quase que quê quem se
		seja sejam sem sempre sendo ser será serão seu seus sido sim só sob sobre sois somos sua suas tais tal também tampouco tanta tanto tão te tem têm temos tenho ter teve ti tinha tinham toda todas todavia todo
		todos tu tua tudo um uma umas uns vai vários você vocês vos`,
}

var functionSets = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for lang, words := range functionWords {
		out[lang] = set(words)
	}
	return out
})

// Function reports whether a word, in lower case, is a function word of a language (ISO 639-1); of a language without a list none is.
func Function(lang, word string) bool {
	return functionSets()[lang][strings.ReplaceAll(word, "’", "'")]
}
