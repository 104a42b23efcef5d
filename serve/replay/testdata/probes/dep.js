export function where() { return location.pathname; }
export const metaURL = import.meta.url;
