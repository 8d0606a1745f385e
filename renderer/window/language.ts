// The first import of the window's entry: modules that follow may use `t` in their constants.

import { sharedGerman } from '../../app/contract/german.ts';
import { chooseLanguage, currentLocale } from '../../app/contract/messages.ts';
import { german } from './german.ts';

chooseLanguage(navigator.languages, { de: german }, { de: sharedGerman });
document.documentElement.lang = currentLocale();
