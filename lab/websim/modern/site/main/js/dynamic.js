export const name = 'dynamic ' + location.pathname;
