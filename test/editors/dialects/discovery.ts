// The XML of a discovery.

export interface ActionRow {
  name: string;
  ext: string;
  /** Already escaped for XML. */
  urlsrc: string;
  requires?: string;
  isDefault?: boolean;
  targetExt?: string;
}

export interface App {
  name: string;
  icon: string;
  actions: ActionRow[];
}

function actionElement({ name, ext, urlsrc, requires, isDefault = false, targetExt }: ActionRow): string {
  const more = [
    isDefault ? ' default="true"' : '',
    requires === undefined ? '' : ` requires="${requires}"`,
    targetExt === undefined ? '' : ` targetext="${targetExt}"`,
  ].join('');
  return `<action name="${name}" ext="${ext}"${more} urlsrc="${urlsrc}"/>`;
}

/** @param capabilitiesUrl Collabora and ONLYOFFICE list it as an app */
export function discoveryDocument(
  zone: string,
  apps: App[],
  proofKey: string,
  capabilitiesUrl?: string,
): string {
  const elements = apps.map(
    ({ name, icon, actions }) =>
      `<app name="${name}" favIconUrl="${icon}">${actions.map(actionElement).join('')}</app>`,
  );
  if (capabilitiesUrl !== undefined) {
    const action = actionElement({ name: 'getinfo', ext: '', urlsrc: capabilitiesUrl });
    elements.push(`<app name="Capabilities">${action}</app>`);
  }
  return `<?xml version="1.0" encoding="utf-8"?><wopi-discovery><net-zone name="${zone}">${elements.join('')}</net-zone>${proofKey}</wopi-discovery>`;
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
