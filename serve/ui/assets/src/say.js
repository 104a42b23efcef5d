// What scripts say is English in them; the page brings the words of its language (serve/message).

const words = JSON.parse(document.documentElement.dataset.words || 'null') || {}

// say gives a sentence in the language of the page, with what is put into it.
export const say = (text, ...put) => (words[text] || text).replace(/\{(\d)\}/g, (_, n) => put[n])

// number writes a number as the language does.
export const number = (n, options) => n.toLocaleString(document.documentElement.lang || undefined, options)
