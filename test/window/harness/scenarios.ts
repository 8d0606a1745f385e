// All scenarios by name. Each view has its own in a file under scenarios/.

import type { Scenario } from './fake-host.ts';
import { activityScenarios } from './scenarios/activity.ts';
import { commonScenarios } from './scenarios/common.ts';
import { documentServerScenarios } from './scenarios/document-servers.ts';
import { tableScenarios } from './scenarios/table.ts';
import { documentScenarios } from './scenarios/documents.ts';
import { editorScenarios } from './scenarios/editors.ts';
import { firstRunScenarios } from './scenarios/first-run.ts';
import { settingsScenarios } from './scenarios/settings.ts';
import { tokenScenarios } from './scenarios/tokens.ts';

export const scenarios: Record<string, (nowMs: number) => Scenario> = {
  ...commonScenarios,
  ...tableScenarios,
  ...documentScenarios,
  ...firstRunScenarios,
  ...tokenScenarios,
  ...activityScenarios,
  ...settingsScenarios,
  ...editorScenarios,
  ...documentServerScenarios,
};
