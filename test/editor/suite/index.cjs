// What an editor calls when it runs a suite in its extension host (`extensionTestsPath`).

const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { format } = require('node:util');
const Mocha = require('mocha');

exports.run = () => {
  // The console of a remote extension host goes to a browser: what is said is kept in a file too.
  const log = process.env.SUITE_LOG;
  const say = (...words) => {
    if (log) appendFileSync(log, `${format(...words)}\n`);
    else console.log(...words);
  };
  Mocha.reporters.Base.consoleLog = say;
  // Longer than any wait within a test: what was waited for says more than a timeout.
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 300_000, reporter: 'spec' });
  if (process.env.SUITE_GREP) mocha.grep(process.env.SUITE_GREP);
  for (const name of [
    'extension',
    'facilitator',
    'workspaceSettings',
    'commands',
    'paidRoute',
    'virtualWorkspace',
    'agentTools',
  ]) {
    mocha.addFile(join(__dirname, `${name}.cjs`));
  }
  const failed = [];
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      const { EDITOR_DIR: editor } = process.env;
      const how = editor
        ? `EDITOR_DIR=${editor} node test/editor/host.mjs`
        : 'npm run lab -- desktop';
      for (const { title, message } of failed) {
        say(`--- ${title}\n${message}`);
        const pattern = title.replaceAll(/[.*+?^${}()|[\]\\"'`]/g, '.');
        say(`run alone: SUITE_GREP="${pattern}" ${how}`);
      }
      say(`${runner.stats.passes} passed, ${failures} failed`);
      if (failures > 0) reject(new Error(`${failures} tests failed`));
      else resolve();
    });
    runner.on('fail', (test, error) =>
      failed.push({ title: test.fullTitle(), message: error?.stack ?? String(error) }),
    );
  });
};
