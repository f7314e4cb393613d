import { readManifest } from '../../editor/manifest.ts';
import { code, madeFrom, table } from './markdown.ts';

interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly scope?: string;
  readonly order: number;
}

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: {
      readonly commandPalette: readonly { readonly command: string; readonly when: string }[];
    };
    readonly views: Readonly<
      Record<string, readonly { readonly id: string; readonly name: string }[]>
    >;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

/** VS Code's names of the places where a setting may be. */
const SCOPES: Readonly<Record<string, string>> = {
  window: 'user, workspace',
  resource: 'user, workspace, folder',
  machine: 'user, of this machine',
  'machine-overridable': 'user of this machine, workspace',
  application: 'user',
};

/** `docs/settings.md`: settings, commands and views of the editor extension, from its manifest. */
export function settingsPage(): string {
  const manifest = readManifest() as Manifest;
  const { commands, menus, views, configuration } = manifest.contributes;
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  const hidden = new Set(
    menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );

  const settings = Object.entries(configuration.properties)
    .sort(([, one], [, other]) => one.order - other.order)
    .map(([name, setting]) => {
      const values = setting.enum?.map(
        (value, at) => `${code(value)}: ${setting.enumDescriptions?.[at] ?? ''}`,
      );
      const meaning = setting.markdownDescription ?? setting.description ?? '';
      return [
        code(name),
        setting.type,
        setting.default === '' ? 'empty' : code(JSON.stringify(setting.default)),
        SCOPES[setting.scope ?? 'window'] ?? '',
        restricted.includes(name) ? 'no' : 'yes',
        [meaning, ...(values ?? [])].join(' · '),
      ];
    });
  const listed = commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, title }) => [`Svc: ${title}`, code(command)]);
  const shown = Object.values(views)
    .flat()
    .map(({ id, name }) => [name, code(id)]);

  return `# Settings and commands of the editor extension

${madeFrom('the manifest (`package.json`)')}
Changes apply without a reload; [editor.md](editor.md) explains how the settings work together.

## Settings

${table(['Setting', 'Type', 'Default', 'Where to set it', 'Read in an untrusted workspace', 'Meaning'], settings)}
## Commands

${table(['In the command palette', 'For key bindings'], listed)}
${hidden.size} more are available only where they apply: on items of the views and above endpoints.

## Views

${table(['View', 'Id'], shown)}`;
}
