// What the suites share: the extension, its settings, and patience.

const vscode = require('vscode');

exports.extension = vscode.extensions.getExtension('svc-x402.svc-x402');

exports.settings = () => vscode.workspace.getConfiguration('svc-x402');

/** Tries until it does not throw. */
/** The limit is one that only a hang reaches. */
exports.eventually = async (check, ms = 120_000) => {
  const deadline = Date.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await exports.pause(50);
    }
  }
};

exports.pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
