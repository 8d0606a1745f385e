// The first import of the window's entry: modules that follow may use `t` in their constants.

import { chooseLanguage, currentLocale } from '../../app/contract/messages.ts';
import { german } from './german.ts';

chooseLanguage(navigator.languages, { de: german });
document.documentElement.lang = currentLocale();
