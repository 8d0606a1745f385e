// The XML of a discovery.

/** @param urlsrc escaped for XML @param attributes such as `requires="update"` */
export function action(name: string, ext: string, urlsrc: string, attributes = ''): string {
  return `<action name="${name}" ext="${ext}" ${attributes} urlsrc="${urlsrc}"/>`;
}

export function app(name: string, icon: string, actions: string[]): string {
  return `<app name="${name}" favIconUrl="${icon}">${actions.join('')}</app>`;
}

/** Collabora and ONLYOFFICE list their capabilities as an app. */
export function capabilitiesApp(baseUrl: string): string {
  return `<app name="Capabilities">${action('getinfo', '', `${baseUrl}/hosting/capabilities`)}</app>`;
}

export function discoveryDocument(zone: string, apps: string[], proofKey: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><wopi-discovery><net-zone name="${zone}">${apps.join('')}</net-zone>${proofKey}</wopi-discovery>`;
}

/** Parameters that a host fills in or removes. */
export function placeholders(names: Record<string, string>): string {
  return Object.entries(names)
    .map(([name, value]) => `&lt;${name}=${value}&amp;&gt;`)
    .join('');
}

export function parameter(url: URL, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of url.searchParams) if (key.toLowerCase() === wanted) return value;
  return undefined;
}
