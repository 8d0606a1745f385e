// Asks the npm registry for known vulnerabilities of the packages that ship: `npm run audit`. Fails on severe ones; without an answer, only
// in a workflow.

import { spawnSync } from 'node:child_process';

interface Report {
  /** What npm couldn't do. */
  message?: string;
  error?: { code?: string; summary?: string };
  vulnerabilities?: Record<string, { severity: string; range: string; fixAvailable: unknown }>;
}

const severe = new Set(['high', 'critical']);

/** @param output of `npm audit --json` @returns lines to print, and undefined findings if the registry didn't answer */
function readAudit(output: string): { findings: string[] | undefined; reason: string } {
  let report: Report = {};
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return { findings: undefined, reason: output.trim().split('\n')[0] ?? '' };
  }
  const { vulnerabilities, error, message } = report;
  if (vulnerabilities === undefined)
    return {
      findings: undefined,
      reason: [error?.summary, error?.code, message].find((text) => text !== undefined && text !== '') ?? '',
    };
  const findings = Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severe.has(severity))
    .map(([name, { severity, range, fixAvailable }]) => {
      const fix = fixAvailable === false ? 'no fix is available' : 'npm audit fix updates it';
      return `${name} ${range}: ${severity}; ${fix}`;
    });
  return { findings, reason: '' };
}

if (import.meta.main) {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json'];
  // On Windows, npm is a script that only a shell starts.
  const shell = process.platform === 'win32';
  const { stdout, stderr, error } = spawnSync('npm', args, { encoding: 'utf8', shell });
  const { findings, reason } = readAudit(stdout || stderr || error?.message || '');
  if (findings === undefined) {
    process.stderr.write(
      `The npm registry can’t say whether packages have known vulnerabilities: ${reason || 'no reason given'}\n`,
    );
    process.exitCode = process.env['CI'] === 'true' ? 1 : 0;
  } else {
    for (const line of findings) process.stderr.write(`${line}\n`);
    process.stdout.write(`${findings.length} severe vulnerabilities in packages that ship\n`);
    process.exitCode = findings.length === 0 ? 0 : 1;
  }
}
