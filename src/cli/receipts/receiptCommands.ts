import type { Command } from 'commander';
import type { Service } from '../commandOptions.ts';
import { withFolderOptions } from '../folderOptions.ts';
import { parseText, parseUrl } from '../optionValues.ts';

const EXAMPLES = `
Examples:
  svc-x402 receipt show
  svc-x402 receipt export 0f3c5a7b9d1e receipt.json
  svc-x402 receipt verify receipt.json
  svc-x402 receipt verify receipt.json --online

\`svc-x402 pay\` and \`svc-x402 mcp --pay\` keep what sellers sign, in the data folder. A signature shows what a
seller said. The payment itself is read from the ledger.`;

/** `svc-x402 receipt`: what sellers signed for payments. */
export function addReceiptCommands(program: Command, load: () => Promise<Service>): void {
  const receipt = program
    .command('receipt')
    .summary('show, verify and export what sellers signed')
    .description('Lists, verifies and exports the offers and receipts that sellers signed.')
    .addHelpText('after', EXAMPLES);
  withFolderOptions(receipt.command('show').argument('[id]', 'receipt to show; all if omitted'))
    .summary('list signed receipts, or show one')
    .description('Lists the signed receipts that are kept, newest first, or shows one of them.')
    .action(async (id, options) => (await load()).showReceipts(id, options));
  withFolderOptions(receipt.command('verify').argument('<file>', 'id of a receipt, or a file'))
    .summary('verify a signed receipt')
    .description(
      'Verifies a signed receipt without any network, and says what only others can answer. The exit status is 0 if it holds.',
    )
    .option(
      '--online',
      "also ask the seller's origin, the home domain of the recipient, and the ledger",
    )
    .option('--rpc <url>', 'ask the ledger at this Stellar RPC', parseUrl)
    .action(async (file, options) => (await load()).verifyReceipt(file, options));
  withFolderOptions(
    receipt
      .command('export')
      .argument('<id>', 'id of a receipt')
      .argument('<file>', 'file to write', parseText),
  )
    .summary('write a signed receipt to a file')
    .description(
      'Writes a signed receipt to a JSON file, which anybody can verify with `svc-x402 receipt verify`.',
    )
    .action(async (id, file, options) => (await load()).exportReceipt(id, file, options));
}
