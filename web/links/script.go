package links

func (e *Extractor) script(code []byte) {}
func (p *page) handler(val []byte)      {}
func (e *Extractor) jsonAttr(v []byte)  {}
