// Every command of the palette, while the service is down and while it is up.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { eventually, extension, pause, settings } = require('./editor.cjs');

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const { contributes } = extension.packageJSON;
const hidden = contributes.menus.commandPalette
  .filter(({ when }) => when === 'false')
  .map(({ command }) => command);
const palette = contributes.commands
  .map(({ command }) => command)
  .filter((command) => !hidden.includes(command))
  // A passkey is made on a page of the browser: policies.ui.mjs answers there.
  .filter((command) => command !== 'svc-x402.createSmartAccount');
/** These ask in a dialog first, which editors show to no suite. */
const modal = ['svc-x402.resetLocalNetwork', 'svc-x402.createLocalWallet'];

/** Runs a command; if it asks something, the question is cancelled. A command that fails returns that. */
async function run(command) {
  let ended = false;
  const running = vscode.commands.executeCommand(command).then((answer) => {
    ended = true;
    return answer;
  });
  await Promise.race([running, pause(400)]);
  await eventually(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.ok(ended, `${command} does not end when it is called off`);
  });
  return running;
}

for (const state of ['down', 'up']) {
  describe(`every command while the service is ${state}`, () => {
    before(async () => {
      await extension.activate();
      await settings().update('payToAddress', OWN, true);
    });

    // A command that fails shows a message until somebody closes it, as `run` does: then the failure is read here.
    beforeEach(async () => {
      const answer = await run(state === 'up' ? 'svc-x402.startService' : 'svc-x402.stopService');
      assert.equal(answer?.failed, undefined);
    });

    after(async () => {
      await vscode.commands.executeCommand('svc-x402.stopService');
      await settings().update('payToAddress', undefined, true);
    });

    for (const command of palette) {
      it(`${command} does its work or asks, and can be cancelled`, async () => {
        const answer = await run(command);
        if (modal.includes(command)) assert.match(answer.failed, /refused to show dialog in tests/);
        else assert.equal(answer?.failed, undefined);
      });
    }
  });
}
