import * as vscode from 'vscode';
import { type CancellationToken, Disposable, MarkdownString, window } from 'vscode';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import type { Discovery } from '../discovery.ts';
import { notAllowed } from '../notAllowed.ts';
import { describeUse } from './describeUse.ts';

/** An API of newer editors (from 1.95) that the pinned types do not declare. */
interface LanguageModels {
  registerTool?(
    name: string,
    tool: {
      prepareInvocation(options: Use, token: CancellationToken): Promise<object>;
      invoke(options: Use, token: CancellationToken): Promise<object>;
    },
  ): Disposable;
}

interface Use {
  readonly input: Readonly<Record<string, unknown>>;
}

type Made = new (value: unknown) => object;

function languageModels(): LanguageModels {
  return (Reflect.get(vscode, 'lm') ?? {}) as LanguageModels;
}

/**
 * Registers the tools of the MCP servers with the editor's own agents. Each use calls the server. The editor offers a tool only
 * while its setting allows it, and each use checks the setting again.
 * @param openPaying opens the server that pays; its questions go to the user
 */
export function registerTools(
  app: App,
  discovery: Discovery,
  openPaying: (ask: (question: string) => Promise<boolean>) => Discovery,
): Disposable {
  const models = languageModels();
  const paying = openPaying(askPerson);
  const names = contributed(app);
  const call = async (name: string, input: object, token?: CancellationToken) => {
    const reads = /_resources$/.test(name);
    if (reads && app.settings.mcp !== 'on') throw notAllowed('search');
    const controller = new AbortController();
    const listener = token?.onCancellationRequested(() => controller.abort());
    try {
      return await (reads ? discovery : paying).call(name, input, controller.signal);
    } finally {
      listener?.dispose();
    }
  };
  const registered = names.map((name) =>
    models.registerTool?.(name, {
      async prepareInvocation({ input }, token) {
        const read = async () => (await call('x402_budget', {}, token)).structuredContent;
        const { invocation, question } = await describeUse(name, input, read);
        const message = new MarkdownString().appendText(question?.message ?? '');
        return {
          invocationMessage: new MarkdownString().appendText(invocation),
          ...(question && { confirmationMessages: { title: question.title, message } }),
        };
      },
      async invoke({ input }, token) {
        const { text } = await call(name, input, token);
        const Result = Reflect.get(vscode, 'LanguageModelToolResult') as Made;
        const Part = Reflect.get(vscode, 'LanguageModelTextPart') as Made;
        return new Result([new Part(text)]);
      },
    }),
  );
  return Disposable.from(...registered.flatMap((one) => one ?? []), paying);
}

function contributed({ context }: App): readonly string[] {
  const { languageModelTools = [] } = context.extension.packageJSON.contributes as {
    languageModelTools?: readonly { readonly name: string }[];
  };
  return languageModelTools.map(({ name }) => name);
}

/** Asks about payments above the server's threshold, even if the editor may use the tool without asking. */
async function askPerson(question: string): Promise<boolean> {
  const pay = t('Pay');
  return (await window.showWarningMessage(question, { modal: true }, pay)) === pay;
}
