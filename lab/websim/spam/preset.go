package spam

// Small is a world that a demonstration has time for: some normal hosts of most kinds, a farm, and other spam, a few thousand documents.
func Small() Config { return Config{Hosts: 60, Spam: 0.35, Scale: 0.3} }

// Late is an instant, in days after the epoch, at which all farms are there and all expired domains have turned.
const Late = 540
