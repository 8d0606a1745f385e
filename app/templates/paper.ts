// Which paper a new document is made for: what lies in the printers where the user lives.

export type Paper = 'a4' | 'letter';

/** Unicode CLDR, supplemental measurementData, paperSize. */
const letterRegions = new Set([
  'BZ',
  'CA',
  'CL',
  'CO',
  'CR',
  'GT',
  'MX',
  'NI',
  'PA',
  'PH',
  'PR',
  'SV',
  'US',
  'VE',
]);

/** Of the computer's own region. */
export function localPaper(): Paper {
  return paperOf(Intl.DateTimeFormat().resolvedOptions().locale);
}

/** `locale` as `Intl` or the system names it, such as `en-US`; one that cannot be read is taken for A4. */
export function paperOf(locale: string): Paper {
  try {
    const { region } = new Intl.Locale(locale.replaceAll('_', '-')).maximize();
    return region !== undefined && letterRegions.has(region) ? 'letter' : 'a4';
  } catch {
    return 'a4';
  }
}
