// The paper size of new documents: the usual one in the user's region.

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

/** For this computer's region. */
export function localPaper(): Paper {
  return paperOf(Intl.DateTimeFormat().resolvedOptions().locale);
}

/** @param locale as `Intl` or the system writes it, such as `en-US`; A4 if it isn't valid */
export function paperOf(locale: string): Paper {
  try {
    const { region } = new Intl.Locale(locale.replaceAll('_', '-')).maximize();
    return region !== undefined && letterRegions.has(region) ? 'letter' : 'a4';
  } catch {
    return 'a4';
  }
}
