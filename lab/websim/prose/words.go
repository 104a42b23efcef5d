package prose

import "strings"

// language is what words of a language are made of. The frequent words are real, so that language
// detectors and stop-word lists work; the others are invented from its syllables, so that a term
// belongs to a simulated web and to nothing else.
type language struct {
	frequent []string
	onsets   []string
	nuclei   []string
	codas    []string
	endings  []string
	sections []string // names of the first level of a site
}

func words(s string) []string { return strings.Fields(s) }

// languages are the languages a site can be written in.
var languages = map[string]language{
	"en": {
		frequent: words(`the of and to in a is that for it was on with as are be at by this have from or had not but what all were when
			we there can an your which their said if do will each about how up out them then she many some so these would other into
			has more her two like him see time could no make than first been its who now people my made over did down only way find
			use may water long little very after words called just where most know`),
		onsets:   words("b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sm sn sp st str t th tr tw v w"),
		nuclei:   words("a e i o u ai ea ee ie oa oo ou"),
		codas:    words("b ck d ft g l ld ll m mp n nd ng nk nt p r rd rk rm rn rt s sh ss st t th x"),
		endings:  words("ing ed er ly tion ness ment able al ous ive ity ance"),
		sections: words("politics economy science culture sport health travel opinion world region education technology climate history people services research events archive projects"),
	},
	"de": {
		frequent: words(`der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird
			bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei kann gegen vom
			können schon wenn habe seine unter wir soll ich eines jahr zwei diese dieser wieder keine uhr seiner worden will zwischen immer`),
		onsets:   words("b bl br d dr f fl fr g gl gr h j k kl kn kr l m n p pf pl pr qu r s sch schl schm schw sp spr st str t tr v w z zw"),
		nuclei:   words("a e i o u ä ö ü au ei eu ie"),
		codas:    words("b ch ck d ft g l ld lt m mpf n nd ng nk nt r rb rg rk rt s ß st t tz"),
		endings:  words("ung heit keit lich isch en er schaft bar ig los tum"),
		sections: words("politik wirtschaft wissenschaft kultur sport gesundheit reise meinung welt region bildung technik klima geschichte menschen dienste forschung termine archiv projekte"),
	},
	"fr": {
		frequent: words(`de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son aux ou mais comme nous
			cette ses été on leur entre même aussi ont fait être si sans deux peut après était dont ces encore elle bien où lui tout avoir faire
			depuis contre selon très sous notre lors années pays autres avant avait non premier ainsi alors`),
		onsets:   words("b bl br c ch cl cr d dr f fl fr g gl gr h j l m n p pl pr qu r s t tr v"),
		nuclei:   words("a e i o u é è ai au eau eu oi ou"),
		codas:    words("c l m n nd nt r rd rt s t x"),
		endings:  words("tion ment age eur euse ique able ité ance iste eux elle"),
		sections: words("politique économie science culture sport santé voyage opinion monde région éducation technique climat histoire société services recherche agenda archives projets"),
	},
}

// Languages lists the languages that prose can be written in, in order.
func Languages() []string { return []string{"de", "en", "fr"} }
