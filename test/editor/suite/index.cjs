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
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 120_000, reporter: 'spec' });
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
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      say(`${runner.stats.passes} passed, ${failures} failed`);
      if (failures > 0) reject(new Error(`${failures} tests failed`));
      else resolve();
    });
  });
};
