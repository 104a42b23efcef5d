package dating

import (
	"slices"
	"time"
)

// months are the names of months, in lower case, in the languages in which footers were met; abbreviations of three
// letters or more where they are in use. Where a name stands for two months in different languages it is left out.
var months = func() map[string]time.Month {
	m := map[string]time.Month{}
	clash := map[string]bool{}
	for _, names := range monthNames {
		for i, alternatives := range names {
			for _, n := range alternatives {
				if old, ok := m[n]; ok && old != time.Month(i+1) {
					clash[n] = true
				}
				m[n] = time.Month(i + 1)
			}
		}
	}
	for n := range clash {
		delete(m, n)
	}
	return m
}()

var monthNames = [][12][]string{
	{{"january", "jan"}, {"february", "feb"}, {"march", "mar"}, {"april", "apr"}, {"may"}, {"june", "jun"}, {"july", "jul"}, {"august", "aug"}, {"september", "sep", "sept"}, {"october", "oct"}, {"november", "nov"}, {"december", "dec"}},
	{{"januar", "jänner", "jän"}, {"februar"}, {"märz", "mär", "mrz"}, {"april"}, {"mai"}, {"juni"}, {"juli"}, {"august"}, {"september"}, {"oktober", "okt"}, {"november"}, {"dezember", "dez"}},
	{{"janvier", "janv"}, {"février", "févr", "fév"}, {"mars"}, {"avril", "avr"}, {"mai"}, {"juin"}, {"juillet", "juil"}, {"août", "aout"}, {"septembre"}, {"octobre"}, {"novembre"}, {"décembre", "déc"}},
	{{"enero", "ene"}, {"febrero"}, {"marzo"}, {"abril", "abr"}, {"mayo"}, {"junio"}, {"julio"}, {"agosto", "ago"}, {"septiembre", "setiembre"}, {"octubre"}, {"noviembre"}, {"diciembre", "dic"}},
	{{"gennaio", "gen"}, {"febbraio"}, {"marzo"}, {"aprile"}, {"maggio", "mag"}, {"giugno", "giu"}, {"luglio", "lug"}, {"agosto"}, {"settembre", "set"}, {"ottobre", "ott"}, {"novembre"}, {"dicembre"}},
	{{"janeiro"}, {"fevereiro", "fev"}, {"março"}, {"abril"}, {"maio"}, {"junho"}, {"julho"}, {"agosto"}, {"setembro"}, {"outubro", "out"}, {"novembro"}, {"dezembro"}},
	{{"januari"}, {"februari"}, {"maart", "mrt"}, {"april"}, {"mei"}, {"juni"}, {"juli"}, {"augustus"}, {"september"}, {"oktober"}, {"november"}, {"december"}},
	{{"januari"}, {"februari"}, {"mars"}, {"april"}, {"maj"}, {"juni"}, {"juli"}, {"augusti"}, {"september"}, {"oktober"}, {"november"}, {"december"}},
	{{"januar"}, {"februar"}, {"marts"}, {"april"}, {"maj"}, {"juni"}, {"juli"}, {"august"}, {"september"}, {"oktober"}, {"november"}, {"desember"}},
	{{"stycznia", "styczeń"}, {"lutego", "luty"}, {"marca", "marzec"}, {"kwietnia", "kwiecień"}, {"maja"}, {"czerwca", "czerwiec"}, {"lipca", "lipiec"}, {"sierpnia", "sierpień"}, {"września", "wrzesień"}, {"października", "październik"}, {"listopada"}, {"grudnia", "grudzień"}},
	{{"ledna", "leden"}, {"února", "únor"}, {"března", "březen"}, {"dubna", "duben"}, {"května", "květen"}, {"června", "červen"}, {"července", "červenec"}, {"srpna", "srpen"}, {"září"}, {"října", "říjen"}, {"listopadu"}, {"prosince", "prosinec"}},
	{{"января", "янв"}, {"февраля", "фев"}, {"марта"}, {"апреля", "апр"}, {"мая"}, {"июня"}, {"июля"}, {"августа", "авг"}, {"сентября", "сен"}, {"октября", "окт"}, {"ноября"}, {"декабря", "дек"}},
	{{"tammikuuta"}, {"helmikuuta"}, {"maaliskuuta"}, {"huhtikuuta"}, {"toukokuuta"}, {"kesäkuuta"}, {"heinäkuuta"}, {"elokuuta"}, {"syyskuuta"}, {"lokakuuta"}, {"marraskuuta"}, {"joulukuuta"}},
	{{"ocak"}, {"şubat"}, {"mart"}, {"nisan"}, {"mayıs"}, {"haziran"}, {"temmuz"}, {"ağustos"}, {"eylül"}, {"ekim"}, {"kasım"}, {"aralık"}},
	{{"január"}, {"február"}, {"március"}, {"április"}, {"május"}, {"június"}, {"július"}, {"augusztus"}, {"szeptember"}, {"október"}, {"november"}, {"december"}},
}

// fillers are words inside of dates: 2 de enero de 2006, the 1st of May, 2006年1月2日.
var fillers = []string{"de", "del", "di", "st", "nd", "rd", "th", "of", "er", "года", "年", "月", "日", "년", "월", "일"}

func isFiller(w string) bool { return slices.Contains(fillers, w) }

func skipFillers(f []field) []field {
	for len(f) > 0 && f[0].word != "" && isFiller(f[0].word) {
		f = f[1:]
	}
	return f
}
