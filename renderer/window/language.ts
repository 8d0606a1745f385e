// The first import of the window's entry: modules that follow may use `t` in their constants.

import { chooseLanguage } from '../../app/contract/messages.ts';
import { german } from './german.ts';

chooseLanguage(navigator.languages, { de: german });
