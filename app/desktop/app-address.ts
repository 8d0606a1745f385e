// The address of the window's own pages. Everything that asks "is this ours?" compares with these and with nothing else.

export const appScheme = 'app';
/** As Chromium writes it: a standard scheme has an origin of scheme and host. */
export const appOrigin = 'app://doctray';
export const appPage = `${appOrigin}/index.html`;
