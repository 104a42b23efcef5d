export const far = 'far';
