var wdep = location.pathname + self.location.hostname;
