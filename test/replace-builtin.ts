import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/**
 * Replaces a function of a module of Node, also where it was imported by name, until the end of the test or until the returned
 * function is called.
 */
export function replaceBuiltin<Module extends object>(
  t: TestContext,
  module: Module,
  name: keyof Module & string,
  replacement: (...given: never[]) => unknown,
): () => void {
  const { mock } = t.mock.method(module as Record<string, typeof replacement>, name, replacement);
  const restore = (): void => {
    mock.restore();
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  t.after(restore);
  return restore;
}
