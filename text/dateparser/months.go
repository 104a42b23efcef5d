package dateparser

import (
	"strings"
	"time"
)

// months are the names of the months, a language a line, in the form that dates use.
const months = `
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
jänner feber maerz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari maart april mei juni juli augustus september oktober november december
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november desember
tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
ledna února března dubna května června července srpna září října listopadu prosince
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
`

// monthNamed reads the name of a month, or at least its first three letters where they say which.
func monthNamed(name string) (time.Month, bool) {
	if len([]rune(name)) < 3 {
		return 0, false
	}
	found := time.Month(0)
	i := 0
	for m := range strings.FieldsSeq(months) {
		month := time.Month(i%12 + 1)
		i++
		switch {
		case m == name:
			return month, true
		case !strings.HasPrefix(m, name):
		case found != 0 && found != month:
			return 0, false // listopada and listopadu, lis: two months
		default:
			found = month
		}
	}
	return found, found != 0
}
