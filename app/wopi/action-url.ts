// The address of an editor's page for one document: an action of its discovery with the placeholders filled in. It never contains
// a token: that travels in the form posted there.

export interface ActionUrlInput {
  /** The document's WOPI address, as the editor reaches it. */
  wopiSrc: string;
  /** Values by placeholder: `{ UI_LLCC: 'en-US' }`. Other placeholders are removed from the address. */
  values?: Readonly<Record<string, string>>;
  /**
   * Added to the query unless the address already has that name: parameters the editor reads although its discovery doesn't list
   * them.
   */
  parameters?: Readonly<Record<string, string>>;
}

/** `<name=PLACEHOLDER&>`; the last `&` is sometimes missing. */
const placeholder = /<([^<>=&]+)=([^<>&]*)&?>/gu;

export function actionUrl(urlsrc: string, { wopiSrc, values = {}, parameters = {} }: ActionUrlInput): string {
  let hasSource = false;
  const filled = urlsrc
    .replaceAll(placeholder, (_match, name: string, placeholderName: string) => {
      const value =
        placeholderName === 'WOPI_SOURCE'
          ? wopiSrc
          : Object.hasOwn(values, placeholderName)
            ? values[placeholderName]
            : undefined;
      if (value === undefined) return '';
      hasSource ||= placeholderName === 'WOPI_SOURCE';
      return `${name}=${encodeURIComponent(value)}&`;
    })
    .replaceAll(/[<>]/gu, '');
  const [withQuery = ''] = filled.split('#');
  const mark = withQuery.indexOf('?');
  const page = mark < 0 ? withQuery : withQuery.slice(0, mark);
  const pairs = mark < 0 ? [] : withQuery.slice(mark + 1).split('&');
  // ONLYOFFICE Docs once accepted the name in lower case only.
  const name = page.includes('/hosting/wopi/') ? 'wopisrc' : 'WOPISrc';
  if (!hasSource) pairs.push(`${name}=${encodeURIComponent(wopiSrc)}`);
  for (const [key, value] of Object.entries(parameters)) {
    if (!pairs.some((pair) => pair.split('=', 1)[0] === key))
      pairs.push(`${key}=${encodeURIComponent(value)}`);
  }
  return `${page}?${pairs.filter((pair) => pair !== '').join('&')}`;
}
