// Runs the stages of .ci/stages.mjs, two at a time. See .ci/run.

import { spawn } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { countTests, failuresOf, next, slowest, waitTable, withNeeds } from './schedule.mjs';
import { stages as listed } from './stages.mjs';

const logs = process.env.CI_LOGS ?? join('build', 'ci');
const times = join(logs, 'files');
const firstFailures = join(logs, 'first-failures.txt');
const lanes = Number(process.env.CI_LANES ?? 2);

/** How long the programs of a stage may take to end after it. */
const GRACE_MS = 10_000;

/** Failures of one stage that the end of a run repeats. */
const MAX_FAILURES = 20;

const args = process.argv.slice(2);
if (args.some((word) => word !== '--full')) {
  console.error('usage: .ci/run [--full]');
  process.exit(2);
}
const chosen = process.env.CI_STAGES?.split(' ').filter((name) => name !== '');
const all = listed(args.includes('--full'));
const stages = chosen ? withNeeds(all, chosen) : all;

rmSync(times, { recursive: true, force: true });
mkdirSync(times, { recursive: true });
writeFileSync(firstFailures, '');

const begun = performance.now();
/** @type {Map<string, {seconds: number, processor: number, status: string, passed: number, failed: number}>} */
const ended = new Map();
const running = new Map();
await new Promise((resolve) => {
  const step = () => {
    for (;;) {
      const stage = next(stages, ended, running, lanes);
      if (stage === undefined) break;
      running.set(stage.name, stage);
      void run(stage).then((result) => {
        running.delete(stage.name);
        ended.set(stage.name, result);
        step();
      });
    }
    if (running.size === 0) resolve();
  };
  step();
});
process.exitCode = summarise();

/** Runs one stage, with each line under its name, and measures it. */
async function run({ name, limit, command }) {
  console.log(`\n=== stage ${name}: ${command.join(' ')}`);
  const start = performance.now();
  const log = createWriteStream(join(logs, `${name}.log`));
  // bash reports the processor time of the command and of all processes below it that it waited for.
  const timed = `TIMEFORMAT='%U %S'; { time timeout --kill-after=20 ${limit}m "$@" 2>&4 ; } 4>&1 2>&3`;
  const child = spawn('bash', ['-c', timed, 'stage', ...command], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, CI_LOGS: logs, CI_TIMES: times, CI_STAGE: name },
  });
  let measured = '';
  child.stdio[3].on('data', (chunk) => {
    measured += chunk;
  });
  let rest = '';
  child.stdout.on('data', (chunk) => {
    log.write(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) console.log(`${name} | ${line}`);
  });
  // A program that outlives its stage would hold the pipe, and a processor, for as long as it likes.
  const closed = new Promise((resolve) => child.on('close', resolve));
  const code = await new Promise((resolve) => child.on('exit', resolve));
  const survivors = await Promise.race([
    closed.then(() => []),
    setTimeout(GRACE_MS, undefined, { ref: false }).then(() => endSurvivors(name)),
  ]);
  if (survivors.length > 0)
    console.log(`${name} | ended what outlived it: ${survivors.join(', ')}`);
  await closed;
  if (rest !== '') console.log(`${name} | ${rest}`);
  await new Promise((resolve) => log.end(resolve));
  const status =
    code === 0
      ? 'ok'
      : code === 124 || code === 137
        ? `FAILED: stopped after ${limit} minutes`
        : `FAILED with ${code}`;
  const { passed, failed } = countTests(readFileSync(join(logs, `${name}.log`), 'utf8'));
  console.log(`=== stage ${name}: ${status}`);
  const [user = 0, system = 0] = measured.trim().split(' ').map(Number);
  return {
    seconds: (performance.now() - start) / 1000,
    processor: user + system,
    status,
    passed,
    // A stage that failed without a failed test counts as one failure.
    failed: code !== 0 && failed === 0 ? 1 : failed,
  };
}

/** Kills the processes that carry a stage's name in their environment; returns what they are. */
function endSurvivors(stage) {
  const ended = [];
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (!environment.includes(`CI_STAGE=${stage}`)) continue;
      const program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      process.kill(Number(pid), 'SIGKILL');
      ended.push(`${program} (${pid})`);
    } catch {
      // It ended by itself, or belongs to somebody else.
    }
  }
  return ended;
}

/** Prints the stages, the slowest files, what failed and how to repeat it; the last line is the total. Returns the exit code. */
function summarise() {
  const seconds = (performance.now() - begun) / 1000;
  const files = slowest(times, 50);
  const results = [...ended].map(([name, result]) => ({ name, ...result }));
  writeFileSync(
    join(logs, 'times.json'),
    `${JSON.stringify({ seconds, stages: results, files }, null, 1)}\n`,
  );
  console.log('\n=== slowest test files, in seconds (also in build/ci/times.json)');
  console.log(waitTable(files));
  console.log('\n=== summary');
  console.log('stage            time  processor');
  for (const { name, status, ...of } of results) {
    console.log(`${name.padEnd(12)} ${clock(of.seconds)}  ${clock(of.processor)}  ${status}`);
  }
  for (const { name } of stages.filter((stage) => !ended.has(stage.name))) {
    console.log(`${name.padEnd(12)} not run`);
  }
  const processor = results.reduce((sum, one) => sum + one.processor, 0);
  console.log(`${'total'.padEnd(12)} ${clock(seconds)}  ${clock(processor)}`);

  let failed = results.reduce((sum, one) => sum + one.failed, 0);
  for (const { name, failed: some } of results) {
    if (some === 0) continue;
    console.log(`\n=== ${name} failed; its log is ${join(logs, `${name}.log`)}`);
    const failures = failuresOf(readFileSync(join(logs, `${name}.log`), 'utf8'));
    for (const failure of failures.slice(0, MAX_FAILURES)) console.log(failure);
    if (failures.length > MAX_FAILURES) {
      console.log(`… and ${failures.length - MAX_FAILURES} more`);
    }
  }
  const retried = existsSync(firstFailures)
    ? readFileSync(firstFailures, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => line !== '')
    : [];
  if (retried.length > 0) {
    console.log(
      `\n${retried.length} failed at the first try; the logs are in ${logs}. More than two fail the run:`,
    );
    for (const line of retried) {
      console.log(`  ${line}`);
      const [log = ''] = line.split(': ');
      // The logs stay on the machine that made them; what failed by chance must be known where the run is read.
      for (const failure of existsSync(log) ? failuresOf(readFileSync(log, 'utf8')) : [])
        console.log(failure);
    }
  }
  if (retried.length > 2) failed += 1;
  if (ended.size < stages.length) failed = Math.max(failed, 1);
  const passed = results.reduce((sum, one) => sum + one.passed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function clock(seconds) {
  const whole = Math.round(seconds);
  return `${String(Math.floor(whole / 60)).padStart(4)}:${String(whole % 60).padStart(2, '0')}`;
}
