import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageState } from '../../app/contract/page-state.ts';
import { HostError } from '../../renderer/host-page/host-api.ts';
import { createHostWatch } from '../../renderer/host-page/host-watch.ts';

/** @param answers in order; an error is thrown */
function scene(answers: (Partial<PageState> | Error)[], onState: () => void = () => undefined) {
  const failures: [status: number, isSure: boolean][] = [];
  const watch = createHostWatch({
    async request() {
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) throw answer;
      return answer as PageState;
    },
    changeCount: () => 0,
    onState,
    onFailure: ({ status }, isSure) => failures.push([status, isSure]),
  });
  return { watch, failures };
}

describe('asking the host', () => {
  it('takes no error of the page for a host that doesn’t respond', async () => {
    const { watch, failures } = scene([{}], () => {
      throw new Error('A bug.');
    });
    await assert.rejects(watch.ask(), /A bug/);
    assert.deepEqual(failures, []);
  });

  it('is sure after a refusal or a second missing response, and after an answer begins again', async () => {
    const silent = new HostError(0, 'unreachable', '');
    const { watch, failures } = scene([silent, silent, {}, silent, new HostError(500, 'x', '')]);
    for (let request = 0; request < 5; request += 1) await watch.ask();
    assert.deepEqual(failures, [
      [0, false],
      [0, true],
      [0, false],
      [500, true],
    ]);
  });

  it('reports a session that has ended as signed out', async () => {
    const { watch, failures } = scene([{ hasEnded: true }]);
    assert.equal(await watch.ask(), undefined);
    assert.deepEqual(failures, [[401, true]]);
  });
});
