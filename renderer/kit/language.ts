// The first import of each page's entry: modules that follow may use `t` in their constants.

import { chooseLanguage, currentLocale, findLanguage, type Catalog } from '../../app/contract/messages.ts';

const catalogs = import.meta.glob<Catalog>('../../locales/*.json', { eager: true, import: 'default' });

chooseLanguage(findLanguage(navigator.languages, (language) => catalogs[`../../locales/${language}.json`]));
document.documentElement.lang = currentLocale();
